/**
 * `npm run check`: types, lint and format, and the lock file; stops at nothing, exits 1 when one of them fails.
 * `npm run check -- --fast`: types of `.ts` and `.tsx`, lint and format, in seconds from its second run on.
 */
import { parseArgs } from 'node:util';
import { runChecks } from './test/checks.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });
const failed = (await runChecks({ isFast: values.fast })).filter((check) => !check.passed);
process.exit(failed.length > 0 ? 1 : 0);
