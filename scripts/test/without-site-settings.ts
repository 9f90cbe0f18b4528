/** Imported first: removes the settings of the operator's own site, which `.env` holds, from what tests and benches inherit. */
import { VARIABLES } from '#server/settings.ts';

for (const name of VARIABLES) delete process.env[name];
