import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

const NICE = 10;
const MAX_OUTPUT_CHARACTERS = 2000;

export interface RunningScript {
  readonly child: ChildProcess;
  /** Resolves to the exit code; null if the process was killed or did not start. */
  readonly ended: Promise<number | null>;
  readonly output: () => string;
}

/**
 * Starts Node.js in a child process. By default, its priority is low, so that its work does not slow readers down. Pass
 * `niceness` 0 if a request waits for it.
 */
export function startScript(parameters: readonly string[], stdio: StdioOptions, niceness = NICE): RunningScript {
  const child = spawn(process.execPath, parameters, { stdio });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-MAX_OUTPUT_CHARACTERS);
    });
  }
  // Keeps the message as output, because callers wait for `close`, which a failed start emits as well.
  child.on('error', (error) => {
    said = error.message;
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness);
  } catch {
    // The process has already ended, or this user may not change priorities.
  }
  const ended = once(child, 'close').then(
    ([code]) => code as number | null,
    () => null,
  );
  return { child, ended, output: () => said.trim() };
}
