import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // End-to-end and conformance tests have runners of their own.
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/{import,editor,move}/**/*.test.ts'],
    // For what never ends: on a machine with other work everything takes many times as long.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
