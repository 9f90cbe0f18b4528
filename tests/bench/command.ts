/** Runs an operator's command beside a running site and measures its duration and peak memory. */
import { join } from 'node:path';
import { startProgram } from '../support/program.ts';

const BOOTSTRAP = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
/** Module that prints a process's peak resident memory in KiB when it exits. */
const USAGE = `data:text/javascript,${encodeURIComponent('process.on("exit",()=>console.error("used",process.resourceUsage().maxRSS))')}`;

/** Starts the command like `npm run`, asynchronously, so that this process can read pages in the meantime. */
export function startCommand(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const env = { ...process.env, ...environment, NODE_OPTIONS: `--import=${USAGE}` };
  return startProgram(process.execPath, [BOOTSTRAP, command, ...args], { env });
}

/** Runs a command to its end. The peak is that of the largest process. @throws Error with the output if it fails */
export async function runCommand(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const begun = performance.now();
  const { ended, said } = startCommand(command, args, environment);
  if ((await ended) !== 0) throw new Error(`${command} failed.\n${said()}`);
  const used = [...said().matchAll(/^used (\d+)$/gm)];
  const peakMiB = Math.max(...used.map(([, kibibytes]) => Number(kibibytes) / 1024));
  return { seconds: (performance.now() - begun) / 1000, peakMiB };
}
