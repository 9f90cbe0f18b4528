/** Prints the checklist's result when the process exits, after Vitest's report of errors outside the tests. */
import { DefaultReporter, type TestModule } from 'vitest/node';
import { CHECKLIST, SECTION_NAMES } from './checklist.ts';
import { readSettings } from './settings.ts';

type Outcome = { state: 'passed' | 'failed' } | { state: 'skipped'; reason: string };

export class ConformanceReporter extends DefaultReporter {
  override onTestRunEnd(...run: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...run);
    const [modules] = run;
    process.once('exit', () => this.#sum(modules));
  }

  #sum(modules: readonly TestModule[]): void {
    const outcomes = collect(modules);
    const { sections, only } = readSettings();
    const rows = sections.map((section) => {
      const ids = CHECKLIST[section].filter((id) => only.length === 0 || only.includes(id));
      const count = (state: string) => ids.filter((id) => (outcomes.get(id)?.state ?? 'failed') === state).length;
      const missing = ids.filter((id) => !outcomes.has(id));
      if (missing.length > 0 && modules.length > 0) this.log(`No result for ${missing.join(' ')}: counted as failed.`);
      return [`${section}  ${SECTION_NAMES[section]}`, count('passed'), count('failed'), count('skipped')] as const;
    });
    for (const [id, outcome] of [...outcomes].sort()) {
      if (outcome.state === 'skipped') this.log(`${id} skipped: ${outcome.reason}`);
    }
    const print = (...[name, ...numbers]: readonly (string | number)[]) =>
      this.log(String(name).padEnd(20) + numbers.map((number) => String(number).padStart(9)).join(''));
    print('\nSection', 'passed', 'failed', 'skipped');
    for (const row of rows) print(...row);
    const sum = (column: 1 | 2 | 3) => rows.reduce((total, row) => total + row[column], 0);
    this.log(`\n${sum(1)} passed, ${sum(2)} failed, ${sum(3)} skipped`);
    if (sum(2) > 0) process.exitCode = 1;
  }
}

/** Returns the worst outcome of each checklist id's tests. Tests skipped without a reason do not count. */
function collect(modules: readonly TestModule[]): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const result = test.result();
      for (const [id] of test.name.matchAll(/(?<=^(?:[A-Z]\d\d )*)[A-Z]\d\d(?= )/g)) {
        if (outcomes.get(id)?.state === 'failed') continue;
        if (result.state === 'passed' || result.state === 'failed') outcomes.set(id, { state: result.state });
        if (result.state === 'skipped' && result.note) outcomes.set(id, { state: 'skipped', reason: result.note });
      }
    }
  }
  return outcomes;
}
