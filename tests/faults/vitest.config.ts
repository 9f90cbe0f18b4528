import { defineConfig } from 'vitest/config';

/** They measure time or memory, or fill a disk: each wants the machine for itself. */
const ALONE = ['cost', 'disk-full', 'flood', 'fuzz', 'kill'].map((name) => `${name}.test.ts`);

const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };

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
