import { defineConfig } from 'vitest/config';

/**
 * These files fill a disk, or have readers whose delay the server would take for silence: each needs the machine for
 * itself.
 */
const ALONE = ['disk-full', 'fuzz', 'kill', 'npm-start', 'shutdown'].map((name) => `${name}.test.ts`);

const timeouts = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    root: import.meta.dirname,
    projects: [
      {
        test: {
          name: 'alone',
          root: import.meta.dirname,
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'together',
          root: import.meta.dirname,
          include: ['*.test.ts'],
          exclude: ALONE,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
    ],
  },
});
