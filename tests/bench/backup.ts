/**
 * `npm run bench -- backup [--posts 10000] [--megabytes 2048] [--folder DIR]`: measures a backup of a large site under
 * reads: seconds, the command's memory, the server's memory growth, and the readers' waits. --folder keeps the site
 * there and reuses it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '@common-ink/http/free-port.ts';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { picture } from '../e2e/pictures.ts';
import { RunningSite, type Writer } from '../e2e/site.ts';
import { quantile } from './figures.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
/** The flags of `scripts/bootstrap.mjs`. */
const FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'];
/** The compile cache of `scripts/bootstrap.mjs`. */
const COMPILED = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');
const MEGABYTE = 1024 * 1024;
/** The largest file that the site accepts. */
const FILE_MEGABYTES = 8;
/** Readers with a pause of `PAUSE` milliseconds, which load the server like a large site without saturating it. */
const READERS = 20;
const PAUSE = 20;
/** Prints the process's peak resident memory in KiB. */
const USAGE = 'data:text/javascript,process.on("exit",()=>console.error("used",process.resourceUsage().maxRSS))';

async function fill(site: RunningSite, writer: Writer, posts: number, megabytes: number): Promise<void> {
  const start = await picture();
  const files: string[] = [];
  for (let n = 0; n < megabytes / FILE_MEGABYTES; n++) {
    const bytes = Buffer.concat([start, randomBytes(FILE_MEGABYTES * MEGABYTE - start.length)]);
    files.push(await site.upload(writer, bytes, `picture-${n}.png`));
  }
  const databases = new Databases(site.admin());
  for (let at = 0; at < posts; at += 100) {
    const documents = Array.from({ length: Math.min(100, posts - at) }, (_, i) => ({
      $id: `post-${at + i}`,
      $permissions: postPermissions('active', writer.id),
      title: `Post ${at + i}`,
      content: `<p>${`Some words of post ${at + i} on paper and ink. `.repeat(120)}</p>`,
      featuredImage: files[(at + i) % files.length] ?? '',
      status: 'active',
      userId: writer.id,
    }));
    await databases.createDocuments({ databaseId: 'blog', collectionId: 'articles', documents });
  }
}

/** Returns the server's resident memory in MiB. */
const residentOf = ({ pid }: RunningSite): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Reads stored pages; returns each wait in milliseconds and the server's peak memory. */
async function reading(site: RunningSite, until: Promise<unknown>) {
  let isOver = false;
  until.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const waits: number[] = [];
  let most = 0;
  let failed = 0;
  const read = async (n: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const begun = performance.now();
      const [response] = await once(get(`${site.url}/post/post-${n}`, { agent }), 'response');
      await text(response);
      if (response.statusCode !== 200) failed++;
      waits.push(performance.now() - begun);
      most = Math.max(most, residentOf(site));
      await sleep(PAUSE);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: READERS }, (_, n) => read(n)));
  return { waits, most, failed };
}

async function backUp(site: RunningSite, file: string) {
  const begun = performance.now();
  const child = spawn(process.execPath, [...FLAGS, '--import', USAGE, join(SCRIPTS, 'backup.ts'), file], {
    env: { NODE_COMPILE_CACHE: COMPILED, MALLOC_ARENA_MAX: '1', ...process.env, DATA_DIR: site.dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complaints, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(`The backup ended with ${status}.\n${said}${complaints}`);
  const [, peak] = /used (\d+)/.exec(complaints) ?? [];
  return { seconds: (performance.now() - begun) / 1000, peak: Number(peak) / 1024, said: said.trim() };
}

function told(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b);
  return `${waits.length} reads, median ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms`;
}

async function bench(posts: number, megabytes: number, kept: string | undefined): Promise<void> {
  if (buildIsStale()) execFileSync(process.execPath, [join(SCRIPTS, 'build.ts')], { stdio: 'inherit' });
  const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'common-ink-bench-backup-'));
  const isFilled = existsSync(join(folder, 'data'));
  const site = new RunningSite(await freePort(), join(folder, 'data'), { environment: { UPLOAD_QUOTA_MB: '0' } });
  await site.start();
  try {
    if (!isFilled) {
      await fill(site, await site.writer(), posts, megabytes);
      // Restarts the server, so that memory left from filling it doesn't count.
      await site.stop();
      await site.start();
    }
    await reading(site, sleep(2000));
    const before = await reading(site, sleep(10_000));
    const file = join(folder, 'backup.zip');
    const backup = backUp(site, file);
    const during = await reading(site, backup);
    const { seconds, peak, said } = await backup;
    console.log(`${said}\n${(statSync(file).size / MEGABYTE).toFixed(0)} MiB in ${seconds.toFixed(1)} s.`);
    const more = peak + during.most - before.most;
    console.log(
      `Memory: the command ${peak.toFixed(0)} MiB at most, the server ${during.most.toFixed(0)} beside ${before.most.toFixed(0)} before: ${more.toFixed(0)} MiB more (bound 150).`,
    );
    console.log(
      `Before: ${told(before.waits)}, ${before.failed} failed.\nMeanwhile: ${told(during.waits)}, ${during.failed} failed.`,
    );
    await rm(file);
  } finally {
    await site.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    posts: { type: 'string', default: '10000' },
    megabytes: { type: 'string', default: '2048' },
    folder: { type: 'string' },
  },
});
await bench(Number(values.posts), Number(values.megabytes), values.folder);
