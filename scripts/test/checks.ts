/** The checks that need no server: types, lint with the rules between rooms, the lock file. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
export function runChecks(): Check[] {
  return CHECKS.map(([name, program, ...args]) => {
    console.log(`\n— ${name}`);
    const result = spawnSync(program, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    });
    return { name, passed: result.status === 0 };
  });
}
