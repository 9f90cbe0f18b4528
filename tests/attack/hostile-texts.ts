/**
 * A writer publishes 24 texts within the limits that are nothing but markup. Meanwhile a reader has a stored page, another
 * writer publishes a plain post, and programs fetch the three feeds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { type Attack, quantile, residentMebibytes } from './attack.ts';
import { startReader } from './reader.ts';

const some = (count: number, unit: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => unit(i)).join('');
const LANGUAGES = 'cpp emacs-lisp wolfram racket org mdx vue swift angular-ts ahk php ruby scala perl latex'.split(' ');
const code = (lines: number) => (i: number) =>
  `<pre><code class="language-${LANGUAGES[i % LANGUAGES.length]}">${'let a = "1"; // x\n'.repeat(lines)}</code></pre>`;
const quote = (depth: number) => `${'<blockquote>'.repeat(depth)}x${'</blockquote>'.repeat(depth)}`;

/** Twelve kinds, each once with all the markup that fits into 60,000 tags, and once with what fits into 20,000. */
const KINDS: readonly ((share: number) => string)[] = [
  (share) => `<ul>${some(25_000 * share, () => '<li>a</li>')}</ul>`,
  (share) => `<table><tbody><tr>${some(29_000 * share, () => '<td>a</td>')}</tr></tbody></table>`,
  (share) => some(29_000 * share, () => '<h2>a</h2>'),
  (share) =>
    `<p>${some(5_500 * share, (i) => `<sup><a href="#fn-${i}" id="fnref-${i}" data-footnote-ref>${i}</a></sup>`)}</p>` +
    `<section data-footnotes><ol>${some(5_500 * share, (i) => `<li id="fn-${i}">n <a href="#fnref-${i}" data-footnote-backref>b</a></li>`)}</ol></section>`,
  (share) => some(290 * share, () => quote(99)),
  (share) => `<p>${some(28_000 * share, (i) => `<a href="https://a.test/${i}">x</a> `)}</p>`,
  (share) => some(12_000 * share, code(1)),
  (share) => some(90, code(share > 0.5 ? 50 : 20)),
  (share) => `<p>${'&lt;'.repeat(240_000 * share)}</p>`,
  (share) => `<p>${some(20_000 * share, (i) => `<img src="/${i}.png" alt="">`)}</p>`,
  (share) => some(7_000 * share, () => '<table><tbody><tr><td>a</td></tr></tbody></table>'),
  (share) => some(28_000 * share, () => '<p>שלום</p>'),
];
const TEXTS = KINDS.flatMap((kind) => [kind(1), kind(0.33)]);
const LONGEST = 1_000_000;
const FEEDS = ['/feed.xml', '/atom.xml', '/feed.json'];
/** Milliseconds of reading before, which say what the machine adds. */
const QUIET_MS = 3000;
/** Milliseconds between two looks at the memory. */
const LOOK_EVERY = 20;
/** Texts that are on their way at the same time. */
const WRITERS = 3;
/** Milliseconds for the whole attack. */
const MOST_MS = 50_000;

async function publish(site: RunningSite, writer: Writer, slug: string, content: string): Promise<void> {
  await new Databases(site.as(writer)).createDocument({
    databaseId: 'blog',
    collectionId: 'articles',
    documentId: slug,
    data: { title: slug, content, featuredImage: '', status: 'active', userId: writer.id },
    permissions: postPermissions('active', writer.id),
  });
}

async function run(site: RunningSite) {
  const [reader, stranger] = [await site.writer('Ada'), await site.writer('Mallory')];
  await publish(site, reader, 'stored', '<p>Stored.</p>');
  const until = Date.now() + MOST_MS;
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  };
  const get = async (path: string) => {
    const response = await fetch(site.url + path, { signal: AbortSignal.timeout(MOST_MS) });
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };
  for (let i = 0; i < 20; i++) await get('/post/stored');

  const before = await startReader(`${site.url}/post/stored`);
  await sleep(QUIET_MS);
  const quiet = await before.stop();
  const memory: number[] = [];
  const look = setInterval(() => memory.push(residentMebibytes(site.pid ?? 0)), LOOK_EVERY);
  const storedPage = await startReader(`${site.url}/post/stored`);
  const left = [...TEXTS.entries()];
  let refused = 0;
  const writing = Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let next = left.shift(); next && Date.now() < until; next = left.shift()) {
        const [i, text] = next;
        await publish(site, stranger, `hostile-${i}`, text.slice(0, LONGEST)).catch(() => refused++);
      }
    }),
  );
  const published: number[] = [];
  const feeds: number[] = [];
  const statuses = new Set<number>();
  let largest = 0;
  for (let i = 0; i < 6 && Date.now() < until; i++) {
    published.push(
      await timed(async () => {
        await publish(site, reader, `plain-${i}`, `<p>Plain ${i}.</p>`);
        while ((await get(`/post/plain-${i}`)).status !== 200 && Date.now() < until) await sleep(20);
      }),
    );
    for (const path of FEEDS) {
      if (Date.now() > until) break;
      feeds.push(
        await timed(async () => {
          const { status, bytes } = await get(path);
          statuses.add(status);
          largest = Math.max(largest, bytes);
        }),
      );
    }
  }
  await writing;
  const reads = await storedPage.stop();
  clearInterval(look);
  return {
    'longest wait of that reader before, ms': Math.max(...quiet),
    'longest wait of the reader of a stored page, ms': Math.max(...reads),
    'its 99th percentile, ms': quantile(reads, 0.99),
    'publish until visible, median, ms': quantile(published, 0.5),
    'publish until visible, longest, ms': Math.max(...published),
    'a feed, median, ms': quantile(feeds, 0.5),
    'a feed, longest, ms': Math.max(...feeds),
    'hostile texts that were not taken': left.length + refused,
    'statuses of feeds': [...statuses].join(' '),
    'largest feed, KB': largest / 1000,
    'most memory, MiB': Math.max(...memory),
  };
}

export const attack: Attack = {
  title: 'a writer publishes 24 texts within the limits that are nothing but markup',
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      return await run(site);
    } finally {
      await removeSite(site);
    }
  },
};
