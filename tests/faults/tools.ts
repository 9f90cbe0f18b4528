/** Helpers for the fault tests: sites that are removed after a test, commands, and connections. */
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
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

export const textAt = async (address: string): Promise<string> => (await fetch(address)).text();

export async function isOpen(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const opened = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return opened !== undefined;
}
