/** Measures how thirty posts with 20,000 tags each affect later writes, lists and readers of another page. */
import { setTimeout as pause } from 'node:timers/promises';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { quantile } from '../bench/figures.ts';
import { ARTICLES, ownSite, type RunningSite, type Writer } from '../e2e/site.ts';
import type { Attack } from './attack.ts';

const POSTS = 30;
const TAGS = 20_000;
const MIB = 1024 * 1024;
/** Pages and feeds that list posts or tags. */
const LISTS = ['/archive', '/tags.json', '/sitemap.xml', '/feed.xml', '/'];
const READER_PAUSE_MS = 5;

const tagsOf = (post: number) => Array.from({ length: TAGS }, (_, n) => `Tag ${post * TAGS + n}`);

/** Creates a post; ignores a refusal by the backend. */
function write(site: RunningSite, writer: Writer, documentId: string, tags: readonly string[]): Promise<unknown> {
  const text = { title: `Title of ${documentId}`, content: '<p>Short.</p>', status: 'active' };
  const document = { documentId, data: { ...text, tags, userId: writer.id } };
  return new Databases(site.as(writer))
    .createDocument({ ...ARTICLES, ...document, permissions: postPermissions('active', writer.id) })
    .catch(() => undefined);
}

async function largestList(site: RunningSite): Promise<number> {
  const sizes: number[] = [];
  for (const path of LISTS) sizes.push((await (await fetch(site.url + path)).arrayBuffer()).byteLength);
  return Math.max(...sizes) / MIB;
}

async function waitsDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let hasEnded = false;
  const ended = work.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const asked = performance.now();
    await (await fetch(url)).arrayBuffer();
    waits.push(performance.now() - asked);
    await pause(READER_PAUSE_MS);
  }
  await ended;
  return waits;
}

export const attack: Attack = {
  title: `a writer gives ${POSTS} posts ${TAGS.toLocaleString('en')} tags each, with rate limits on`,
  limits: {
    'small write and the lists after it, ms': 4000,
    'largest list, MiB': 1,
    'longest wait of a reader, ms': 2000,
  },
  async run({ build }) {
    await using site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    const writer = await site.writer();
    await write(site, writer, 'short', ['Ink']);
    await largestList(site);
    for (let n = 0; n < POSTS; n++) await write(site, writer, `hoard-${n}`, tagsOf(n));
    const began = performance.now();
    let largest = 0;
    const work = write(site, writer, 'after', ['Ink']).then(async () => {
      largest = await largestList(site);
    });
    const waits = await waitsDuring(`${site.url}/post/short`, work);
    return {
      'small write and the lists after it, ms': performance.now() - began,
      'largest list, MiB': largest,
      'longest wait of a reader, ms': quantile(waits, 1),
    };
  },
};
