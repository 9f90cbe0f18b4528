/** An embedded backend in a process of its own, which tests can measure and kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedBackend, EmbeddedOptions } from 'embedded-appwrite';

export const PROJECT = 'p1';
export const KEY = 'standard_key_of_the_tests';

export interface BackendStart {
  readonly port: number;
  readonly options: Omit<EmbeddedOptions, 'log'>;
}

export interface BackendProcess {
  readonly port: number;
  /** Ends in `/v1`. */
  readonly endpoint: string;
  readonly routes: EmbeddedBackend['routes'];
  /** Milliseconds from the fork until the server listens. */
  readonly readyAfter: number;
  /** Memory of the process after a garbage collection. */
  memory(): Promise<NodeJS.MemoryUsage>;
  /** Resident memory in bytes, as the system counts it: now and at its peak. */
  resident(): { readonly now: number; readonly most: number };
  /** Processor time used, in milliseconds. */
  processorTime(): number;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

function residentOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (field: string) => 1024 * Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: bytes('VmRSS'), most: bytes('VmHWM') };
}

/** Node's flags and environment, as `scripts/bootstrap.mjs` sets them for the server. */
export const SERVICE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

const CHILD = join(import.meta.dirname, 'backend-child.ts');

interface StartOptions {
  /** 0, the default, picks any free port. */
  readonly port?: number;
  readonly options?: Partial<BackendStart['options']>;
  /** Module that is forked instead of `backend-child.ts`. */
  readonly child?: string;
  /** Milliseconds after the fork at which the process is killed, listening or not. */
  readonly killAfter?: number;
}

/** Milliseconds in user and system mode; the system counts in hundredths of a second. */
function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Starts a backend on `directory`, without rate limits and with one key unless `options` say otherwise. */
export async function startBackendProcess(
  directory: string,
  { port = 0, options = {}, killAfter, child: module = CHILD }: StartOptions = {},
): Promise<BackendProcess> {
  const start: BackendStart = {
    port,
    options: {
      directory,
      projectId: PROJECT,
      keys: [{ secret: KEY }],
      webOrigins: ['localhost'],
      rateLimits: false,
      ...options,
    },
  };
  const begun = performance.now();
  const child: ChildProcess = fork(module, [JSON.stringify(start)], {
    execArgv: ['--expose-gc', ...SERVICE_FLAGS],
    env: SERVICE_ENVIRONMENT,
  });
  const ended = once(child, 'exit');
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [told] = await Promise.race([
    once(child, 'message') as Promise<[Pick<BackendProcess, 'port' | 'routes'>]>,
    ended.then(([code, signal]) =>
      Promise.reject(new Error(`The backend ended (${code ?? signal}) before it listened.`)),
    ),
  ]);
  const readyAfter = performance.now() - begun;
  return {
    ...told,
    endpoint: `http://127.0.0.1:${told.port}/v1`,
    readyAfter,
    async memory() {
      const answer = once(child, 'message') as Promise<[{ memory: NodeJS.MemoryUsage }]>;
      child.send('memory');
      return (await answer)[0].memory;
    },
    processorTime: () => processorTimeOf(child.pid as number),
    resident: () => residentOf(child.pid as number),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
