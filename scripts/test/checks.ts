/** The checks that need no server: types, lint with the rules between rooms, the lock file. */
import { join } from 'node:path';
import { run } from './run.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

export interface Check {
  readonly name: string;
  readonly passed: boolean;
}

const CHECKS: readonly [name: string, program: string, ...args: string[]][] = [
  ['types', bin('astro'), 'check', '--minimumFailingSeverity', 'error', '--minimumSeverity', 'warning'],
  ['lint and format', bin('biome'), 'check', '.'],
  ['lock file', process.execPath, join(ROOT, 'scripts', 'complete-lock.mjs'), '--check'],
];

/** Runs each check, its output shown; gives which passed. */
export async function runChecks(): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, program, ...args] of CHECKS) {
    console.log(`\n— ${name}`);
    checks.push({ name, passed: await run(ROOT, program, args) });
  }
  return checks;
}
