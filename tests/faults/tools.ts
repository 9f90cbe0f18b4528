/** Helpers for the fault tests: sites that are removed after a test, commands, and connections. */
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ownSite, type RunningSite, removeSite, type SiteOptions } from '../e2e/site.ts';
import { startProgram } from '../support/program.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
export const SCRIPTS = join(ROOT, 'scripts');
export const POSTS = { databaseId: 'blog', collectionId: 'articles' } as const;
export type Ended = { readonly code: number | null; readonly said: string };

/** Runs a program until it ends. Sends it SIGTERM once its output matches `until`. */
export async function run(
  program: string,
  args: readonly string[],
  { until, ...options }: SpawnOptions & { readonly until?: RegExp | undefined } = {},
): Promise<Ended> {
  const started = startProgram(program, args, options);
  if (until) void started.until(until).then(() => started.child.kill('SIGTERM'));
  return { code: await started.ended, said: started.said() };
}

export const command = (name: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> =>
  run(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], { env: { ...process.env, ...environment } });

export async function started(options: SiteOptions = {}): Promise<RunningSite> {
  const site = await ownSite(options);
  onTestFinished(() => removeSite(site));
  return site;
}

/**
 * Slightly less than the time in milliseconds for which a server that is shutting down keeps idle connections open. A
 * connection that was idle for longer may be closed before the next request arrives.
 */
export const GRACE_MS = 250;

/**
 * Returns a function that tells the earliest time (`performance.now`) at which a response that has just been read may
 * have arrived. On a busy machine, this process may read a response long after it arrived.
 */
export function watchArrivals(): () => number {
  // A response that is read after `last` was not there when the turn after `former` asked for data.
  let [former, last] = [performance.now(), performance.now()];
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const watch = async () => {
    while (!isOver) {
      await sleep(10);
      await nextTurn();
      [former, last] = [last, performance.now()];
    }
  };
  void watch();
  return () => former;
}

export const textAt = async (address: string): Promise<string> => (await fetch(address)).text();

export async function isOpen(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const opened = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return opened !== undefined;
}
