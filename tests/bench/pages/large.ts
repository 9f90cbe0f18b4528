/**
 * A site with a hundred thousand posts whose pages are all stored: how it starts, what it weighs, whether hits suffer.
 * The stored pages are files as the store leaves them, under one post's bytes, because rendering them all would take
 * longer than what is measured.
 */
import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { checksum } from '#publishing/store/bodies.ts';
import { fileOf } from '#publishing/store/disk.ts';
import { madeSite } from './posts.ts';
import { median, type Report } from './report.ts';
import { type Server, startSite } from './servers.ts';
import { type Load, wrk } from './wrk.ts';

const ROUNDS = 3;
/** A hundred thousand pages are 5 GB, more than the store takes by itself. */
const env = { PAGES_DISK_MB: '16384' };
/** A short text: the size of an archive in bytes is the disk's business. */
const SHORT = '<p>Ink spreads along the fibres until it meets the size.</p>';

/** File systems allow some 65,000 names of one file. */
const MOST_LINKS = 50_000;

/** Stores the page of every post, as if each had been asked for. */
async function storeAll(directory: string, posts: number): Promise<void> {
  const site = await startSite(directory, { env });
  const page = Buffer.from(await (await fetch(`${site.url}/post/post-1`)).arrayBuffer());
  await fetch(`${site.url}/`);
  await site.stop();
  const bodies = { '': page, '.gz': gzipSync(page), '.br': brotliCompressSync(page) };
  const journal = join(directory, 'pages', 'journal');
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  const example = lines.map((line) => JSON.parse(line)).findLast(({ t, p }) => t === 'page' && p === '/post/post-1');
  if (!example) throw new Error('The page of a post was not stored.');
  const [identity, gzip, br] = Object.values(bodies);
  const sums = [identity, gzip, br].map((body) => checksum(body as Buffer)).join('');
  const added: string[] = [];
  for (let i = 0; i < posts; i++) {
    const path = `/post/post-${i}`;
    const file = join(directory, 'pages', 'public', fileOf(path, true) as string);
    const source = join(directory, `one-${Math.floor(i / MOST_LINKS)}`);
    if (i % MOST_LINKS === 0)
      for (const [suffix, body] of Object.entries(bodies)) await writeFile(source + suffix, body);
    if (i !== 1) {
      await mkdir(dirname(file), { recursive: true });
      for (const suffix of Object.keys(bodies)) await link(source + suffix, file + suffix);
      const tags = ['author:writer', `post:post-${i}`, `post:post-${i + 1}`, `post:post-${Math.max(0, i - 1)}`];
      const lengths = [identity, gzip, br].map((body) => body?.length);
      added.push(JSON.stringify({ ...example, p: path, g: [...new Set(tags)].sort(), s: sums, n: lengths }));
    }
  }
  await writeFile(journal, `${[...lines, ...added].join('\n')}\n`);
}

async function rate(site: Server, seconds: number, loads: Load[]): Promise<void> {
  loads.push(await wrk(`${site.url}/`, seconds));
}

/** `small` is the data folder of a site with few posts, to compare with. */
export async function benchLarge(report: Report, folder: string, small: string, posts: number, seconds: number) {
  const directory = await madeSite(join(folder, 'large'), posts, SHORT);
  await storeAll(directory, posts);
  const few = await startSite(small, { core: 0 });
  const site = await startSite(directory, { core: 0, env });
  try {
    const page = await fetch(`${site.url}/post/post-${posts - 1}`);
    if (!page.headers.get('x-page')?.startsWith('hit'))
      throw new Error(`A stored page was no hit: ${page.status} ${page.headers.get('x-page')}`);
    report.line(`start with ${posts} stored posts`, site.readyAfter, { most: 2000 }, 'ms');
    report.line('resident after the start', await site.residentMiB(), { most: 300 }, 'MiB');
    const [one, other]: [Load[], Load[]] = [[], []];
    for (const each of [few, site]) await wrk(`${each.url}/`, 1);
    for (let round = 0; round < ROUNDS; round++) {
      await rate(few, seconds, one);
      await rate(site, seconds, other);
    }
    const speed = (loads: readonly Load[]) => median(loads.map(({ perSecond }) => perSecond));
    report.line(`hits with ${posts} posts beside few`, speed(other) / speed(one), { least: 0.95 });
    for (let i = 0; i < posts; i += Math.ceil(posts / 2000)) await (await fetch(`${site.url}/post/post-${i}`)).text();
    report.line('resident after reads', await site.residentMiB(), { most: 300 }, 'MiB');
  } finally {
    await few.stop();
    await site.stop();
  }
}
