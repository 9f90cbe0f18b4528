import { defineConfig } from 'vitest/config';
import { CHECKLIST } from './checklist.ts';
import { ConformanceReporter } from './reporter.ts';
import { readSettings } from './settings.ts';

const { sections, only } = readSettings();
const wanted = only.length > 0 ? only : sections.flatMap((section) => CHECKLIST[section]);

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // A test's name begins with its checklist ids.
    testNamePattern: new RegExp(`^(?:[A-Z]\\d\\d )*(?:${wanted.join('|')}) `),
    globalSetup: './global-setup.ts',
    setupFiles: './after-file.ts',
    reporters: [new ConformanceReporter()],
    // One worker runs the files in sequence: they share servers, and loading the SDKs takes longer than most tests.
    pool: 'threads',
    fileParallelism: false,
    isolate: false,
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    // Hides the SDKs' warnings about behaviour that the checklist tests on purpose.
    silent: true,
    // No test counts as slow, so that only one line is printed per file.
    slowTestThreshold: 3_600_000,
  },
});
