/** Serves the built site while its sources are worked on: Astro's development server keeps no page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildIsStale } from '../build-stamp.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Milliseconds that an editor may take to save several files. */
const SAVING = 200;

const run = (...args: string[]) => spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Builds and serves; does both again whenever a source has changed. A build that fails leaves the server as it is. Ends with the process. */
export async function serveBuilt(): Promise<never> {
  let server: ChildProcess | undefined;
  let changed = Promise.withResolvers<void>();
  const onChange = () => changed.resolve();
  for (const folder of ['src', 'packages', 'public']) watch(join(ROOT, folder), { recursive: true }, onChange);
  watch(ROOT, onChange);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      server?.kill(signal);
      if (server) await ended(server);
      process.exit(0);
    });
  }
  for (;;) {
    const isBuilt = !buildIsStale() || (await ended(run('scripts/build.ts'))) === 0;
    if (isBuilt) {
      server?.kill();
      if (server) await ended(server);
      server = run('dist/server/entry.mjs');
    }
    do {
      await changed.promise;
      await sleep(SAVING);
      changed = Promise.withResolvers();
    } while (!buildIsStale());
  }
}
