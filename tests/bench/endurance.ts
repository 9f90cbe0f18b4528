/**
 * `npm run bench -- endurance [--posts 12000] [--at-once 100]`: a bulk of posts comes in while people read, so many posts a
 * call: how long it takes, what they notice of it, how much memory. Then whether lists, feeds, archive and sitemap are
 * right, although the backend's own totals end at 5,000.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { type Reading, startReaders } from '../e2e/load.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { table } from './figures.ts';

const PER_PAGE = 24;
const READERS = 8;
const place = { databaseId: 'blog', collectionId: 'articles' } as const;
const CONTENT = Array.from({ length: 20 }, (_, i) => `<p>Paragraph ${i} of ink on paper, and of the margin.</p>`).join(
  '',
);

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

function residentMiB(site: RunningSite): { now: number; most: number } {
  const status = readFileSync(`/proc/${site.pid}/status`, 'utf8');
  const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** People read while `work` is done. */
async function readWhile(site: RunningSite, paths: readonly string[], work: () => Promise<void>): Promise<string[]> {
  const took: number[] = [];
  const faults: Reading[] = [];
  const readers = startReaders(
    site.url,
    paths,
    (reading) => {
      took.push(performance.now() - reading.begun);
      if (reading.status !== 200) faults.push(reading);
    },
    READERS,
  );
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  await readers.end();
  for (const { path, status, text } of faults.slice(0, 3)) console.log(`${path} ${status} ${text.slice(0, 200)}`);
  const shown = [0.5, 0.99, 1].map((part) => percentile(took, part).toFixed(1));
  return [seconds.toFixed(1), (took.length / seconds).toFixed(0), ...shown, `${faults.length}`];
}

async function addPosts(site: RunningSite, writer: Writer, count: number, atOnce: number): Promise<void> {
  const databases = new Databases(site.admin());
  for (let at = 0; at < count; at += atOnce) {
    const documents = Array.from({ length: Math.min(atOnce, count - at) }, (_, i) => ({
      $id: `bulk-${at + i}`,
      $permissions: postPermissions('active', writer.id),
      ...{ title: `Post ${at + i}`, content: CONTENT, featuredImage: 'none', status: 'active', userId: writer.id },
    }));
    const [first, ...others] = documents;
    if (first && others.length === 0) {
      const { $id: documentId, $permissions: permissions, ...data } = first;
      await databases.createDocument({ ...place, documentId, permissions, data });
    } else {
      await databases.createDocuments({ ...place, documents });
    }
  }
}

/** Compares what pages show with what there is; gives a line for each that is wrong. */
async function wrongPages(site: RunningSite, writer: Writer, count: number): Promise<string[]> {
  const wrong: string[] = [];
  const expectEqual = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push(`${what}: ${found}, not ${wanted}`);
  };
  const read = async (path: string) => {
    const response = await fetch(site.url + path);
    return { status: response.status, text: await response.text() };
  };
  const posts = (text: string) => new Set(text.match(/\/post\/[a-z0-9-]+/g));
  const last = Math.ceil(count / PER_PAGE);
  const rest = count - (last - 1) * PER_PAGE;
  expectEqual('posts on /', posts((await read('/')).text).size, PER_PAGE);
  expectEqual(`posts on /page/${last}`, posts((await read(`/page/${last}`)).text).size, rest);
  expectEqual(`/page/${last + 1}`, (await read(`/page/${last + 1}`)).status, 404);
  expectEqual('the last page of the author', (await read(`/author/${writer.id}/page/${last}`)).status, 200);
  expectEqual('after it', (await read(`/author/${writer.id}/page/${last + 1}`)).status, 404);
  expectEqual(
    'the author counts',
    (await read(`/author/${writer.id}`)).text.replaceAll(',', '').includes(`${count} `),
    true,
  );
  const index = (await read('/sitemap.xml')).text;
  const parts = index.includes('<sitemapindex') ? (index.match(/\/sitemap-\d+\.xml/g) ?? []) : ['/sitemap.xml'];
  const listed = await Promise.all(parts.map(async (part) => [...posts((await read(part)).text)]));
  expectEqual('posts in the sitemap', new Set(listed.flat()).size, count);
  expectEqual('/feed.xml', (await read('/feed.xml')).text.includes(`/post/bulk-${count - 1}<`), true);
  const year = new Date().getUTCFullYear();
  const archive = (await read('/archive')).text.replaceAll(',', '');
  expectEqual('the archive counts', archive.includes(`${count} `), true);
  expectEqual('its last page', (await read(`/archive/${year}/page/${Math.ceil(count / 200)}`)).status, 200);
  return wrong;
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { posts: { type: 'string', default: '12000' }, 'at-once': { type: 'string', default: '100' } },
});
const [count, atOnce] = [Number(values.posts), Number(values['at-once'])];
const site = await ownSite();
try {
  const writer = await site.writer();
  const first = await site.post(writer, { title: 'There before' });
  const paths = ['/', `/post/${first.id}`, '/feed.xml'];
  for (const path of paths) await fetch(site.url + path);
  const before = residentMiB(site);
  const rows = [
    ['before', ...(await readWhile(site, paths, () => new Promise((resolve) => setTimeout(resolve, 3000))))],
  ];
  rows.push([`${count} posts come in`, ...(await readWhile(site, paths, () => addPosts(site, writer, count, atOnce)))]);
  const after = residentMiB(site);
  // The one that was there before is taken away: what is left are the numbered ones.
  await new Databases(site.admin()).deleteDocument({ ...place, documentId: first.id });
  console.log(table([['', 's', 'reads/s', 'median ms', 'p99 ms', 'worst ms', 'failed'], ...rows]));
  console.log(
    `Resident MiB: ${before.now.toFixed(0)} before, ${after.now.toFixed(0)} after, ${after.most.toFixed(0)} at most.`,
  );
  const wrong = await wrongPages(site, writer, count);
  console.log(
    wrong.length === 0 ? `Lists, feed, archive, author and sitemap of ${count} posts are right.` : wrong.join('\n'),
  );
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  await removeSite(site);
}
