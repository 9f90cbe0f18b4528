/** Counts of a test run, read from the runners' JSON reports. */
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that passed: the names and reasons of those that needed a second try. */
  readonly flaky?: readonly string[];
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly file: string;
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: { readonly message?: string } | undefined }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[] | undefined;
}
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(
    z.object({
      file: z.string(),
      title: z.string(),
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
});

/** One line for the test and one for why it failed at first. */
const flakyLine = (file: string, title: string, reason = ''): string =>
  `${file}: ${title}\n    ${stripVTControlCharacters(reason).split('\n')[0]}`;

function flakyIn({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => flakyLine(file, title, results.find(({ error }) => error)?.error?.message)),
  );
  return [...own, ...suites.flatMap(flakyIn)];
}

/** A file that could not be loaded has no failed test; it counts as one failure. */
export function vitestTally(json: string): Tally {
  const report = vitestReport.parse(JSON.parse(json));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests || (report.numFailedTestSuites > 0 ? 1 : 0),
    skipped: report.numPendingTests,
    flaky: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status, failureMessages }) => status === 'passed' && failureMessages && failureMessages.length > 0)
        .map(({ fullName, failureMessages }) => flakyLine(name, fullName, failureMessages?.[0])),
    ),
  };
}

export function playwrightTally(json: string): Tally {
  const { stats, suites } = playwrightReport.parse(JSON.parse(json));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: suites.flatMap(flakyIn),
  };
}

/** Reads a closing line of the form `N passed, N failed, N skipped`. */
export function closingLineTally(output: string): Tally {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const [, passed, failed, skipped = 0] = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?/.exec(line) ?? [];
  return { passed: z.coerce.number().parse(passed), failed: z.coerce.number().parse(failed), skipped: Number(skipped) };
}
