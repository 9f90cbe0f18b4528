import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';
import { settings } from './settings.ts';

test(`${settings.rounds} rounds of kill -9 under writers lose nothing that was answered`, async () => {
  const report = await killRounds(settings.rounds, settings.seed, (round, line) => {
    if (settings.verbose) console.log(`round ${round}: ${line}`);
  });
  if (settings.verbose) console.log(report);
  expect(report.faults).toEqual([]);
  expect(report.orphans.afterSweep).toBe(0);
  expect(report.answered.documents).toBeGreaterThan(0);
  expect(report.answered.files).toBeGreaterThan(0);
  expect(report.answered.chunks).toBeGreaterThan(0);
}, 3_600_000);
