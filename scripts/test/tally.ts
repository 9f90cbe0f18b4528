/** Counts of a test run, read from the runners' JSON reports. */
import { z } from 'zod';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** A file that could not be loaded has no failed test; it counts as one failure. */
export function vitestTally(json: string): Tally {
  const report = vitestReport.parse(JSON.parse(json));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests || (report.numFailedTestSuites > 0 ? 1 : 0),
    skipped: report.numPendingTests,
  };
}

export function playwrightTally(json: string): Tally {
  const { stats } = playwrightReport.parse(JSON.parse(json));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** Reads a closing line of the form `N passed, N failed, N skipped`. */
export function closingLineTally(output: string): Tally {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const [, passed, failed, skipped = 0] = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?/.exec(line) ?? [];
  return { passed: z.coerce.number().parse(passed), failed: z.coerce.number().parse(failed), skipped: Number(skipped) };
}
