/**
 * `npm test`: types, lint, unit, conformance, fault and end-to-end tests, and a journey in each browser; the last line is
 * `N passed, N failed`.
 * `npm test -- unit e2e` runs the named stages alone. In continuous integration a test that fails is tried once more, and
 * named at the end where it passes then.
 */
import './test/without-site-settings.ts';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIsStale } from './build-stamp.ts';
import { browserPath } from './test/browser.ts';
import { runChecks } from './test/checks.ts';
import { installedEngines } from './test/engines.ts';
import { type Output, run } from './test/run.ts';
import { closingLineTally, playwrightTally, type Tally, vitestTally } from './test/tally.ts';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'common-ink-test-'));

/** A runner that ended badly without a report counts as one failure. */
function tallied(ok: boolean, report: string, read: (json: string) => Tally): Tally {
  try {
    const tally = read(readFileSync(report, 'utf8'));
    return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function vitest(name: string, ...args: string[]): Promise<Tally> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const tries = process.env.CI ? ['--retry=1'] : [];
  const ok = await run(ROOT, bin('vitest'), ['run', ...args, ...tries, ...reporters]);
  return tallied(ok, report, vitestTally);
}

async function build(): Promise<boolean> {
  return !buildIsStale() || run(ROOT, process.execPath, [join(ROOT, 'scripts', 'build.ts')]);
}

const STAGES: Readonly<Record<string, (output: Output) => Promise<Tally>>> = {
  checks: async () => {
    const checks = await runChecks();
    const passed = checks.filter((check) => check.passed).length;
    return { passed, failed: checks.length - passed, skipped: 0 };
  },
  conformance: async (output) => {
    const report = join(reports, 'conformance.txt');
    const script = join(ROOT, 'scripts', 'conformance.ts');
    const ok = await run(ROOT, '/bin/sh', ['-c', `"$0" "$1" | tee "$2"`, process.execPath, script, report], { output });
    return tallied(ok, report, closingLineTally);
  },
  unit: () => vitest('unit'),
  faults: async () => {
    if (!(await build())) return { passed: 0, failed: 1, skipped: 0 };
    return vitest('faults', '--config', 'tests/faults/vitest.config.ts');
  },
  e2e: async () => {
    if (!(await build())) return { passed: 0, failed: 1, skipped: 0 };
    const report = join(reports, 'e2e.json');
    const environment = { CHROMIUM_PATH: browserPath(), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const ok = await run(ROOT, bin('playwright'), ['test', '--config', 'tests/e2e/playwright.config.ts'], {
      environment,
    });
    return tallied(ok, report, playwrightTally);
  },
  browsers: async () => {
    if (!(await build())) return { passed: 0, failed: 1, skipped: 0 };
    const { engines, missing } = installedEngines();
    console.log([`The journey runs in ${engines.join(', ')}.`, ...missing].join('\n'));
    const report = join(reports, 'browsers.json');
    const environment = { CHROMIUM_PATH: browserPath(), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const projects = engines.map((engine) => `--project=${engine}`);
    const config = ['--config', 'tests/browsers/playwright.config.ts'];
    const ok = await run(ROOT, bin('playwright'), ['test', ...config, ...projects], { environment });
    const tally = tallied(ok, report, playwrightTally);
    return { ...tally, skipped: tally.skipped + missing.length };
  },
};
/** Stages that begin with another one, since neither of the two has work for more than a core; told in their turn. */
const BESIDE = [['conformance', 'checks']] as const;

interface Outcome {
  readonly tally: Tally;
  readonly seconds: number;
}

async function outcomeOf(name: string, output: Output = 'inherit'): Promise<Outcome> {
  const begun = performance.now();
  let tally: Tally = { passed: 0, failed: 1, skipped: 0 };
  try {
    tally = (await STAGES[name]?.(output)) ?? tally;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  return { tally, seconds: Math.round((performance.now() - begun) / 1000) };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. The stages are: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(1);
}

const names = Object.keys(STAGES).filter((name) => wanted.length === 0 || wanted.includes(name));
const begun = new Map<string, { readonly outcome: Promise<Outcome>; readonly said: string }>();
const total = { passed: 0, failed: 0, skipped: 0 };
const flaky: string[] = [];
for (const name of names) {
  for (const [other, first] of BESIDE) {
    if (first !== name || !names.includes(other)) continue;
    const said = join(reports, `${other}.out`);
    begun.set(other, { outcome: outcomeOf(other, openSync(said, 'w')), said });
  }
  const early = begun.get(name);
  const { tally, seconds } = await (early?.outcome ?? outcomeOf(name));
  if (early) process.stdout.write(readFileSync(early.said));
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  flaky.push(...(tally.flaky ?? []));
  console.log(
    `\n=== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped in ${seconds} s`,
  );
}
rmSync(reports, { recursive: true, force: true });
if (flaky.length > 0) console.log(`\nPassed at a second try alone, and to be mended:\n${flaky.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
