/** Runs an operator's command beside a running site and measures the command's process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const BOOTSTRAP = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
/** Prints the peak resident KiB when a process exits. */
const USAGE = `data:text/javascript,${encodeURIComponent('process.on("exit",()=>console.error("used",process.resourceUsage().maxRSS))')}`;

/** Starts the command like `npm run`, asynchronously, so that this process can read from the site meanwhile. */
export function startCommand(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  return spawn(process.execPath, [BOOTSTRAP, command, ...args], {
    env: { ...process.env, ...environment, NODE_OPTIONS: `--import=${USAGE}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @throws Error with the command's output if it fails */
export async function runCommand(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const begun = performance.now();
  const child = startCommand(command, args, environment);
  const [said, complaints, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(`${command} ended with ${status}.\n${said}${complaints}`);
  const used = [...complaints.matchAll(/^used (\d+)$/gm)];
  return {
    seconds: (performance.now() - begun) / 1000,
    peakMiB: Math.max(...used.map(([, kibibytes]) => Number(kibibytes) / 1024)),
    said: said.trim(),
  };
}
