/** Measures the resident memory of all processes of an idle `npm start`. */
import { readdir, readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { postPath } from '#blog/routes/paths.ts';
import { startProgram } from '../../support/program.ts';
import type { Report } from '../report.ts';
import { ROOT, SITE_URL } from './servers.ts';
import { slugAt } from './texts.ts';

/** Milliseconds between polls of a process group, and ticks (1/100 s) that an idle group may use between them. */
const POLL = 2000;
const IDLE_TICKS = 2;
const MOST_LOOKS = 30;

interface Member {
  readonly command: string;
  readonly residentMiB: number;
  /** Processor ticks in user and system mode. */
  readonly ticks: number;
}

async function membersOf(group: number): Promise<Member[]> {
  const members: Member[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    // The process may have ended in the meantime.
    const files = ['stat', 'status', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8'));
    const [stat, status = '', command = ''] = await Promise.all(files).catch(() => []);
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (Number(fields[2]) !== group) continue;
    members.push({
      command: command.replaceAll('\0', ' ').trim(),
      residentMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      ticks: Number(fields[11]) + Number(fields[12]),
    });
  }
  return members;
}

/** Returns the processes of the group once it is idle. @throws Error if it never is */
async function whenIdle(group: number): Promise<Member[]> {
  let last = Number.NEGATIVE_INFINITY;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const members = await membersOf(group);
    const ticks = members.reduce((sum, member) => sum + member.ticks, 0);
    if (ticks - last <= IDLE_TICKS) return members;
    last = ticks;
    await sleep(POLL);
  }
  throw new Error('What npm start started does not come to rest.');
}

/** Starts the site with `npm start`, as an operator would, in its own process group. */
async function npmStart(directory: string) {
  const port = await freePort();
  // `node_modules/.bin` contains a `node`, which npm itself must not use.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'));
  const env = { ...process.env, PATH: path.join(delimiter), PORT: `${port}`, DATA_DIR: directory, SITE_URL };
  const { child, ended, said, until } = startProgram('npm', ['start'], { cwd: ROOT, detached: true, env });
  const group = child.pid as number;
  await Promise.race([until(/is ready/), ended.then(() => Promise.reject(new Error(said())))]);
  return {
    url: `http://127.0.0.1:${port}`,
    group,
    async stop() {
      process.kill(-group, 'SIGTERM');
      await ended;
    },
  };
}

/** Stores the pages of `posts` posts, then restarts the site in `directory` and measures its memory while idle. */
export async function benchMemory(report: Report, directory: string, posts: number): Promise<void> {
  const first = await npmStart(directory);
  try {
    await (await fetch(`${first.url}/`)).arrayBuffer();
    for (let n = 0; n < posts; n++) await (await fetch(first.url + postPath(slugAt(n)))).arrayBuffer();
  } finally {
    await first.stop();
  }
  const { group, stop } = await npmStart(directory);
  try {
    const members = await whenIdle(group);
    for (const { residentMiB, command } of members)
      report.note(`${residentMiB.toFixed(0)} MiB: ${command.slice(0, 100)}`);
    const sum = members.reduce((mebibytes, { residentMiB }) => mebibytes + residentMiB, 0);
    report.line(`resident, all of npm start, idle with ${posts} posts`, sum, { most: 230 }, 'MiB');
  } finally {
    await stop();
  }
}
