/**
 * `npm run faults [-- --rounds 200] [--requests 100000] [--seed N] [--only kill|fuzz]`: kills the embedded backend
 * during writes, sends it malformed requests, and prints the figures. `npm test` runs a small version.
 */
import './test/without-site-settings.ts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
const { values } = parseArgs({
  options: { rounds: text('200'), requests: text('100000'), seed: text(''), only: text('') },
});
process.env.FAULTS_ROUNDS = values.rounds;
process.env.FAULTS_REQUESTS = values.requests;
process.env.FAULTS_SEED = values.seed;
process.env.FAULTS_VERBOSE = '1';
const config = join(import.meta.dirname, '../tests/faults/vitest.config.ts');
const vitest = await startVitest('test', values.only ? [values.only] : [], { config, watch: false, run: true });
await vitest.close();
