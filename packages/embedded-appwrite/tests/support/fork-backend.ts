import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EmbeddedBackend, EmbeddedOptions } from '../../src/index.ts';

export interface BackendStart {
  /** 0 picks any free port. */
  readonly port: number;
  readonly options: Omit<EmbeddedOptions, 'log'>;
  /** Seconds by which the process's clock is ahead. */
  readonly ahead?: number;
}

interface ForkedOptions extends ForkOptions {
  /** Milliseconds after the fork at which the process is killed, listening or not. */
  readonly killAfter?: number | undefined;
}

/** Forks a backend and waits until it listens. @throws Error if the process ends first */
export async function forkBackend(start: BackendStart, { killAfter, ...options }: ForkedOptions = {}) {
  const script = join(import.meta.dirname, 'backend-child.ts');
  const child = fork(script, [JSON.stringify(start)], { execArgv: [], env: {}, ...options });
  const ended = once(child, 'exit');
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [told] = await Promise.race([
    once(child, 'message') as Promise<[{ port: number; routes: EmbeddedBackend['routes'] }]>,
    ended.then(([code, signal]) => Promise.reject(new Error(`The backend ended (${code ?? signal}) too early.`))),
  ]);
  return {
    ...told,
    child,
    ended,
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
