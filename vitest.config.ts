import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    // Password hashing and image work are slow on purpose or by nature.
    testTimeout: 20_000,
  },
});
