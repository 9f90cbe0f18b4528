/**
 * `npm run check`: checks types, lint, format and the lock file, all of them even after a failure. `npm run check --
 * --fast`: checks types of `.ts` and `.tsx`, lint and format, in seconds from the second run on.
 */
import { parseArgs } from 'node:util';
import { runChecks } from './test/checks.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });
const failed = (await runChecks({ isFast: values.fast })).filter((check) => !check.passed);
process.exit(failed.length > 0 ? 1 : 0);
