import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from 'playwright/types/testReporter';

interface File {
  readonly name: string;
  readonly tests: number;
  left: number;
  failed: number;
  skipped: number;
  milliseconds: number;
}

export default class FileReporter implements Reporter {
  readonly #files = new Map<Suite, File>();
  readonly #failures: string[] = [];

  onBegin(config: FullConfig, suite: Suite): void {
    for (const project of suite.suites) {
      for (const file of project.suites) {
        const name = `${project.title} ${relative(config.rootDir, file.location?.file ?? file.title)}`;
        const tests = file.allTests().length;
        this.#files.set(file, { name, tests, left: tests, failed: 0, skipped: 0, milliseconds: 0 });
      }
    }
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    let suite: Suite | undefined = test.parent;
    while (suite && suite.type !== 'file') suite = suite.parent;
    const file = suite && this.#files.get(suite);
    if (!file) return;
    file.left--;
    file.milliseconds += result.duration;
    if (test.outcome() === 'skipped') file.skipped++;
    if (test.outcome() === 'unexpected') {
      file.failed++;
      this.#failures.push(failureOf(file, test, result));
    }
    if (file.left > 0) return;
    const notes = [
      `${file.tests} tests`,
      file.failed && `${file.failed} failed`,
      file.skipped && `${file.skipped} skipped`,
    ];
    const seconds = (file.milliseconds / 1000).toFixed(1);
    console.log(` ${file.failed > 0 ? '✗' : '✓'} ${file.name} (${notes.filter(Boolean).join(', ')}) ${seconds} s`);
  }

  onEnd(): void {
    for (const failure of this.#failures) console.log(`\n${failure}`);
  }

  printsToStdio(): boolean {
    return true;
  }
}

function failureOf({ name }: File, test: TestCase, result: TestResult): string {
  const errors = result.errors.map(({ stack, message, value, snippet }) =>
    [stack ?? message ?? value, snippet].filter(Boolean).join('\n'),
  );
  const said = [...result.stdout, ...result.stderr].join('');
  const files = result.attachments.flatMap(({ path }) => path ?? []);
  const lines = [`FAILED ${name}:${test.location.line}: ${test.title}`, ...errors, said, ...files];
  return stripVTControlCharacters(lines.filter(Boolean).join('\n'));
}
