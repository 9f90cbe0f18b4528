import { defineConfig } from 'vitest/config';
import { ConformanceReporter } from './reporter.ts';
import { readSettings } from './settings.ts';

const { sections, only } = readSettings();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: sections.map((section) => `${section.toLowerCase()}-*.test.ts`),
    ...(only.length > 0 && { testNamePattern: new RegExp(`^(${only.join('|')}) `) }),
    globalSetup: './global-setup.ts',
    setupFiles: './after-file.ts',
    reporters: [new ConformanceReporter()],
    // One worker runs the files in sequence: they share servers, and loading the SDKs takes longer than most tests.
    pool: 'threads',
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The SDKs warn at each call about behaviour that the checklist tests on purpose.
    silent: true,
    // Prints one line per file.
    slowTestThreshold: 3_600_000,
  },
});
