import { defineConfig } from 'vitest/config';

/** Tests that run one at a time: they fill a disk, or their clients, if slowed, would look idle to the server. */
const ALONE = ['disk-full', 'fuzz', 'kill', 'npm-start', 'shutdown'].map((name) => `${name}.test.ts`);
const SHARED = {
  // Running each file in its own process would take a second longer per file.
  isolate: false,
  ...{ root: import.meta.dirname, include: ['*.test.ts'] },
  ...{ testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 120_000 } } },
};

export default defineConfig({
  test: {
    root: import.meta.dirname,
    projects: [
      { test: { ...SHARED, name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 0 } } },
      { test: { ...SHARED, name: 'together', exclude: ALONE, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
