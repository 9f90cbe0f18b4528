import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// End-to-end, conformance and fault tests have runners of their own.
const files = globSync(
  ['{src,packages/*/src}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/{import,editor,move}/**/*.test.ts'],
  {
    cwd: import.meta.dirname,
  },
);

/** Stands something in for what is global, changes the process, or measures it as a whole. */
const WANTS_OWN_PROCESS = /\bvi\.(?!fn\b|waitFor\b)|\bprocess\.(?!execPath\b|pid\b|getuid\b)|\/proc\/self\b/;
const wantsOwn = (file: string) => WANTS_OWN_PROCESS.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));

export default defineConfig({
  test: {
    // Tests wait for browsers and the disk: one worker more than cores takes a tenth less time.
    maxWorkers: availableParallelism() + 1,
    // For what never ends: on a machine with other work everything takes many times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'own process', include: files.filter(wantsOwn) } },
      // A process for each file and loading what is tested anew take a third of the time.
      { extends: true, test: { name: 'shared', include: files.filter((file) => !wantsOwn(file)), isolate: false } },
    ],
  },
});
