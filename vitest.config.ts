import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // End-to-end and conformance tests have runners of their own.
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/{import,editor,move}/**/*.test.ts'],
    // Password hashing and image work are slow on purpose or by nature.
    testTimeout: 20_000,
    // A browser may have to wait for its turn.
    hookTimeout: 60_000,
  },
});
