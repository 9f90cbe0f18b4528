import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
/** Returns the path of an installed package's program. */
export const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

export type Output = 'inherit' | number;

/** Runs a program in the checkout. Returns whether it succeeded. */
export async function run(
  program: string,
  args: readonly string[],
  { environment = {}, output = 'inherit' }: { environment?: NodeJS.ProcessEnv; output?: Output } = {},
): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...environment },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}
