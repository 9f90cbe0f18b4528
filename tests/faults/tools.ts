/** Helpers of the fault tests: sites that are removed after a test, commands, and connections. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ownSite, type RunningSite, removeSite, type SiteOptions } from '../e2e/site.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
export const SCRIPTS = join(ROOT, 'scripts');
export const POSTS = { databaseId: 'blog', collectionId: 'articles' } as const;
export type Ended = { readonly code: number | null; readonly said: string };

/** Runs a program until it ends. Sends it SIGTERM once its output contains `until`. */
export async function run(
  program: string,
  args: readonly string[],
  { until, ...options }: SpawnOptions & { readonly until?: string | undefined } = {},
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const read = (chunk: Buffer) => {
    const had = until !== undefined && said.includes(until);
    said += chunk;
    if (until !== undefined && !had && said.includes(until)) child.kill('SIGTERM');
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
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
