/**
 * `npm test [-- STAGE … [FILE …]]`: runs the checks, the conformance, unit, fault and end-to-end tests, and a journey in
 * each browser. If part of a file's path is given, runs only the matching files of the stages unit, faults, e2e and
 * browsers. The packages' tests are left out if the packages have not changed since they passed, except with `CI=true`.
 * The last line is `N passed, N failed`.
 */
import './test/without-site-settings.ts';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildIfStale, packagesStamp } from './build-stamp.ts';
import { browserPath } from './test/browser.ts';
import { runChecks } from './test/checks.ts';
import { installedEngines } from './test/engines.ts';
import { bin, type Output, ROOT, run } from './test/run.ts';

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const reports = mkdtempSync(join(tmpdir(), 'common-ink-test-'));
const FAILURE: Tally = { passed: 0, failed: 1, skipped: 0 };

/** Reads a runner's report. A runner that exits with an error but reports no failure counts as one failure. */
function tallyOf(ok: boolean, report: string, read: (text: string) => Tally): Tally {
  try {
    const tally = read(readFileSync(report, 'utf8'));
    return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  } catch {
    return FAILURE;
  }
}

async function vitest(name: string, ...args: string[]): Promise<Tally> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const quiet = ['--slowTestThreshold=3600000', ...reporters];
  const ok = await run(bin('vitest'), ['run', ...files, ...args, ...quiet], { environment: { NO_COLOR: '1' } });
  return tallyOf(ok, report, (text) => {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(text);
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  });
}

async function playwright(name: string, ...args: string[]): Promise<Tally> {
  const report = join(reports, `${name}.json`);
  const environment = { CHROMIUM_PATH: browserPath(), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const config = join('tests', name, 'playwright.config.ts');
  const ok = await run(bin('playwright'), ['test', '--config', config, ...args, ...files], { environment });
  return tallyOf(ok, report, (text) => {
    const { expected, unexpected, skipped } = JSON.parse(text).stats;
    return { passed: expected, failed: unexpected, skipped };
  });
}

async function conformance(output: Output): Promise<Tally> {
  const report = join(reports, 'conformance.txt');
  const script = join(ROOT, 'scripts', 'conformance.ts');
  const ok = await run('/bin/sh', ['-c', `"$0" "$1" | tee "$2"`, process.execPath, script, report], {
    output,
    environment: { NO_COLOR: '1' },
  });
  return tallyOf(ok, report, (text) => {
    const last = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(text);
    if (!last) return FAILURE;
    const [, passed, failed, skipped = 0] = last;
    return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  });
}

const STAGES: Readonly<Record<string, (output: Output) => Promise<Tally>>> = {
  async checks() {
    const checks = await runChecks();
    const passed = checks.filter(Boolean).length;
    return { passed, failed: checks.length - passed, skipped: 0 };
  },
  conformance,
  unit: () => vitest('unit', ...(arePackagesTested ? ['--exclude', 'packages/**'] : [])),
  async faults() {
    buildIfStale();
    return vitest('faults', '--config', 'tests/faults/vitest.config.ts');
  },
  async e2e() {
    buildIfStale();
    return playwright('e2e');
  },
  async browsers() {
    buildIfStale();
    const { engines, missing } = installedEngines();
    console.log([`The journey runs in ${engines.join(', ')}.`, ...missing].join('\n'));
    const tally = await playwright('browsers', ...engines.map((engine) => `--project=${engine}`));
    return { ...tally, skipped: tally.skipped + missing.length };
  },
};

async function outcomeOf(name: string, output: Output = 'inherit') {
  const begun = performance.now();
  const tally = await STAGES[name]?.(output).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return FAILURE;
  });
  return { tally: tally ?? FAILURE, seconds: Math.round((performance.now() - begun) / 1000) };
}

const wanted = process.argv.slice(2);
const isStage = (name: string) => name in STAGES;
/** Parts of file paths. In the named stages, only test files whose path contains one of them run. */
const files = wanted.filter((name) => !isStage(name));
if (files.length > 0 && !wanted.some(isStage)) {
  console.error(`Name a stage before ${files.join(' ')}: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(1);
}

/** Contains the hash that the packages had when their tests last passed. */
const passedPackages = join(ROOT, 'node_modules', '.cache', 'packages-passed');
const packages = packagesStamp();
const isWhole = wanted.length === 0;
const arePackagesTested =
  isWhole && !process.env.CI && existsSync(passedPackages) && readFileSync(passedPackages, 'utf8') === packages;
if (arePackagesTested) console.log('The packages have not changed since their tests passed, so these are left out.');
const names = Object.keys(STAGES)
  .filter((name) => isWhole || wanted.includes(name))
  .filter((name) => !arePackagesTested || name !== 'conformance');
const total = { passed: 0, failed: 0, skipped: 0 };
// Conformance runs in parallel with the checks, because neither uses two cores fully. Its output is printed later.
const said = join(reports, 'conformance.out');
const isBeside = names.includes('checks') && names.includes('conformance');
const beside = isBeside ? outcomeOf('conformance', openSync(said, 'w')) : undefined;
for (const name of names) {
  const isEarly = beside && name === 'conformance';
  const { tally, seconds } = await (isEarly ? beside : outcomeOf(name));
  if (isEarly) process.stdout.write(readFileSync(said));
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  console.log(
    `\n=== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped in ${seconds} s`,
  );
}
if (isWhole && total.failed === 0) {
  mkdirSync(dirname(passedPackages), { recursive: true });
  writeFileSync(passedPackages, packages);
}
rmSync(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
