import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// End-to-end, conformance and fault tests have their own runners.
const files = globSync(
  ['{src,packages/*/src}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/{import,editor,move}/**/*.test.ts'],
  {
    cwd: import.meta.dirname,
  },
);

/** Matches tests that replace globals, change the process, or measure it as a whole. */
const WANTS_OWN_PROCESS = /\bvi\.(?!fn\b|waitFor\b)|\bprocess\.(?!execPath\b|pid\b|getuid\b)|\/proc\/self\b/;
const wantsOwn = (file: string) => WANTS_OWN_PROCESS.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));

export default defineConfig({
  test: {
    // Tests wait for browsers and the disk, so one worker more than there are cores reduces the time by a tenth.
    maxWorkers: availableParallelism() + 1,
    // Stops only tests that hang: on a busy machine, a test may take many times as long.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      { extends: true, test: { name: 'own process', include: files.filter(wantsOwn) } },
      // Sharing a process and its loaded modules between files saves a third of the time.
      { extends: true, test: { name: 'shared', include: files.filter((file) => !wantsOwn(file)), isolate: false } },
    ],
  },
});
