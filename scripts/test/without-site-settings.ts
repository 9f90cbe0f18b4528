/** Removes the operator's settings in `.env` from the environment of tests and benchmarks. Import it first. */
import { VARIABLES } from '#server/settings.ts';

for (const name of VARIABLES) delete process.env[name];
