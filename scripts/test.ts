/**
 * `npm test`: types, lint, unit, conformance, fault and end-to-end tests; the last line is `N passed, N failed`.
 * `npm test -- unit e2e` runs the named stages alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIsStale } from './build-stamp.ts';
import { browserPath } from './test/browser.ts';
import { runChecks } from './test/checks.ts';
import { closingLineTally, playwrightTally, type Tally, vitestTally } from './test/tally.ts';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'common-ink-test-'));

function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean {
  const result = spawnSync(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...environment },
  });
  return result.status === 0;
}

/** A runner that ended badly without a report counts as one failure. */
function tallied(ok: boolean, report: string, read: (json: string) => Tally): Tally {
  try {
    const tally = read(readFileSync(report, 'utf8'));
    return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function vitest(name: string, ...args: string[]): Tally {
  const report = join(reports, `${name}.json`);
  const ok = run(bin('vitest'), ['run', ...args, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]);
  return tallied(ok, report, vitestTally);
}

function build(): boolean {
  return !buildIsStale() || run(process.execPath, [join(ROOT, 'scripts', 'build.ts')]);
}

const STAGES: Readonly<Record<string, () => Tally>> = {
  checks: () => {
    const checks = runChecks();
    const passed = checks.filter((check) => check.passed).length;
    return { passed, failed: checks.length - passed, skipped: 0 };
  },
  unit: () => vitest('unit'),
  conformance: () => {
    const output = join(reports, 'conformance.txt');
    const ok = run('/bin/sh', [
      '-c',
      `"$0" "$1" | tee "$2"`,
      process.execPath,
      join(ROOT, 'scripts', 'conformance.ts'),
      output,
    ]);
    return tallied(ok, output, closingLineTally);
  },
  faults: () => vitest('faults', '--config', 'tests/faults/vitest.config.ts'),
  e2e: () => {
    if (!build()) return { passed: 0, failed: 1, skipped: 0 };
    const report = join(reports, 'e2e.json');
    const ok = run(bin('playwright'), ['test', '--config', 'tests/e2e/playwright.config.ts'], {
      CHROMIUM_PATH: browserPath(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    return tallied(ok, report, playwrightTally);
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. The stages are: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const [name, stage] of Object.entries(STAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const begun = performance.now();
  let tally: Tally = { passed: 0, failed: 1, skipped: 0 };
  try {
    tally = stage();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(
    `\n=== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped in ${seconds} s`,
  );
}
rmSync(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
