/**
 * `npm run check [-- --fast]`: checks types, lint, format, imports between rooms (docs/architecture.md) and the lock
 * file; all run even if one fails. With `--fast`, skips the types of `.astro` files and the lock file, and takes
 * seconds from the second run on.
 */
import { parseArgs } from 'node:util';
import { runChecks } from './test/checks.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });
const passed = await runChecks({ isFast: values.fast });
process.exit(passed.every(Boolean) ? 0 : 1);
