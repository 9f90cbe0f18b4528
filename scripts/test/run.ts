import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Output = 'inherit' | number;

export async function run(
  folder: string,
  program: string,
  args: readonly string[],
  { environment = {}, output = 'inherit' }: { environment?: NodeJS.ProcessEnv; output?: Output } = {},
): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...environment },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}
