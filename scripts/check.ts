/** `npm run check`: types, lint and format, and the lock file; stops at nothing, exits 1 when one of them fails. */
import { runChecks } from './test/checks.ts';

const failed = (await runChecks()).filter((check) => !check.passed);
process.exit(failed.length > 0 ? 1 : 0);
