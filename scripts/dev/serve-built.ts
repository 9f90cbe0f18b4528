/** Serves the built site during development, because Astro's own server stores no pages. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildIsStale, ROOT } from '../build-stamp.ts';

/** Milliseconds to wait after a change, because an editor may write several times for one save. */
const SAVING = 200;

const run = (...args: string[]) => spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

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
