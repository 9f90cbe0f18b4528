/** Programs that tests are made of. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Where a program's output goes: where ours goes, or into an open file. */
export type Output = 'inherit' | number;

/** Runs a program in `folder` to its end; gives whether it ended well. */
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
