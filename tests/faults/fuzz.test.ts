import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { settings } from './settings.ts';

const MIB = 1024 * 1024;

test(`${settings.requests} malformed requests are nobody's fault but the client's`, async () => {
  const report = await fuzz(settings.requests, settings.seed, (done) => {
    if (settings.verbose && done % 10_000 === 0) console.log(`${done} requests`);
  });
  if (settings.verbose) console.log(report);
  expect({ seed: report.seed, faults: report.faults }).toEqual({ seed: report.seed, faults: [] });
  if (settings.verbose) expect(report.heapGrowth).toBeLessThan(32 * MIB);
}, 3_600_000);
