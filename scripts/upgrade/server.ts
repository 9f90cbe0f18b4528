import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentHolder } from 'embedded-appwrite';
import type { Finding } from '#operations/doctor/site.ts';
import { runRestart } from './as-owner.mjs';
import { ROOT } from './releases.ts';

/** Milliseconds to wait, after SIGTERM, for the server to complete its pending requests and disk writes. */
const ENDS_WITHIN = 40_000;
/** Seconds to wait for a started server to be ready. */
const READY_WITHIN = 90;
const MOST_FAILURES = 3;
const OF_THE_RELEASE = /^(?:process|build|data|backend|pages)\./;

export function pidOf(lockFolder: string): number | undefined {
  const holder = currentHolder(lockFolder);
  return holder === undefined || holder === 'unknown' ? undefined : holder.pid;
}

/** Stops the server if it is running. @throws Error if it does not exit in time */
export async function stopServer(lockFolder: string): Promise<void> {
  const pid = pidOf(lockFolder);
  if (pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  const until = Date.now() + ENDS_WITHIN;
  while (currentHolder(lockFolder) !== undefined) {
    if (Date.now() > until) throw new Error(`The server (pid ${pid}) does not stop.`);
    await sleep(100);
  }
}

/** Starts the server. The returned function reports whether it has exited; with `command`, always returns false. */
export function startServer(command: string | undefined): () => boolean {
  if (command) {
    runRestart(command);
    return () => false;
  }
  const log = openSync(join(ROOT, 'server.log'), 'a', 0o600);
  const child = spawn('sh', ['scripts/start.sh'], { cwd: ROOT, detached: true, stdio: ['ignore', log, log] });
  child.unref();
  return () => child.exitCode !== null || child.signalCode !== null;
}

const isReady = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export function doctorsFindings(): Finding[] {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'doctor.ts'), '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  try {
    return (JSON.parse(stdout) as Finding[]).filter(({ id }) => OF_THE_RELEASE.test(id));
  } catch {
    // The installed release may be too old to have the `doctor` command.
    return [];
  }
}

/** Waits for the server, then watches it for `seconds`. Returns the first problem. @param known findings to ignore */
export async function watchServer(
  address: string,
  hasEnded: () => boolean,
  seconds: number,
  known: readonly Finding[],
): Promise<string | undefined> {
  const readyBy = Date.now() + READY_WITHIN * 1000;
  while (!(await isReady(address))) {
    if (hasEnded()) return 'The server stops as soon as it starts; server.log says why.';
    if (Date.now() > readyBy) return `The server was not ready after ${READY_WITHIN} seconds.`;
    await sleep(200);
  }
  let failures = 0;
  for (const until = Date.now() + seconds * 1000; Date.now() < until; ) {
    await sleep(Math.min(1000, seconds * 100));
    failures = (await isReady(address)) ? 0 : failures + 1;
    if (failures >= MOST_FAILURES) return 'The server was ready but no longer is.';
  }
  const found = doctorsFindings().find(({ id }) => !known.some((each) => each.id === id));
  return found && `The doctor found a problem: ${found.sentence} ${found.evidence}.`;
}
