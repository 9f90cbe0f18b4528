import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { type Importing, openImporting } from '../../tests/support/importing.ts';
import { type Collection, textsOf } from './document.ts';
import { withinTime } from './time-limit.ts';
import { writePosts } from './write/write.ts';

/** Allows a busy machine more time than a short text takes. */
const LONGEST_MS = 3000;
const REASON = 'it takes more than 3 seconds to read. Shorten or split it';

const MARKDOWN: readonly (readonly [name: string, text: string])[] = [
  ['items in each other', `${'- '.repeat(20_000)}x`],
  ['runs of backticks', Array.from({ length: 800 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['tags that do not end', '<div '.repeat(20_000)],
  ['links that do not end', '[a]('.repeat(20_000)],
  ['references that do not end', '[a][b'.repeat(20_000)],
];
/** Each paragraph repeats all open elements. */
const HTML = Array.from({ length: 20_000 }, (_, n) => `<font color="${n}"><p>x`).join('');

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const outcomes = async (path: string) =>
  (await importing.take(path, { longestMs: LONGEST_MS })).results.map(({ path, outcome, reason }) =>
    reason ? [path, outcome, reason] : [path, outcome],
  );

it.each(MARKDOWN)('names the file of a text of %s, and takes the others', async (name, text) => {
  const word = name.replace(/\W+/g, '-');
  const files = { [`${word}-1.md`]: 'Words.', [`${word}-2.md`]: text, [`${word}-3.md`]: 'Words.' };
  expect(await outcomes(await importing.folder(files))).toEqual([
    [`${word}-1.md`, 'taken'],
    [`${word}-2.md`, 'failed', REASON],
    [`${word}-3.md`, 'taken'],
  ]);
});

it('names such an item of a WordPress file, and takes the others', async () => {
  const item = (id: number, content: string) =>
    `<item><title>T${id}</title><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`;
  const xml = `<?xml version="1.0"?><rss xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>${item(1, '<p>a</p>')}${item(2, HTML)}${item(3, '<p>b</p>')}</channel></rss>`;
  const found = await outcomes(await importing.file('blog.xml', xml));
  expect(found.map(([, ...rest]) => rest)).toEqual([['taken'], ['failed', REASON], ['taken']]);
});

it('names such a file of Medium, and takes the others', async () => {
  const page = (body: string) =>
    `<html><body><article class="h-entry"><h1 class="p-name">T</h1><section data-field="body" class="e-content">${body}</section></article></body></html>`;
  const files = {
    'posts/1_a.html': page('<p>a</p>'),
    'posts/2_b.html': page(HTML),
    'posts/3_c.html': page('<p>c</p>'),
  };
  const found = await outcomes(await importing.folder(files));
  expect(found).toContainEqual(['posts/2_b.html', 'failed', REASON]);
  expect(found.filter(([, outcome]) => outcome === 'taken')).toHaveLength(2);
});

it('ends between two texts that cannot be read, where it is told to meanwhile', async () => {
  const { admin, site } = importing;
  const heads = Array.from({ length: 100 }, (_, n) => ({
    ...{ path: `${n}`, name: `broken-${n}`, titles: [], date: undefined, updated: undefined },
    ...{ draft: false, addresses: [], image: undefined },
  }));
  const broken = () => {
    throw new Error('It is damaged.');
  };
  const collection: Collection = {
    ...{ posts: heads, others: [], follow: () => ({ kind: 'nowhere' }) },
    texts: () => textsOf(heads, broken),
  };
  const controller = new AbortController();
  const results = await writePosts(collection, {
    ...{ admin, site: site.site, dataDirectory: site.folder, place: 'broken', dryRun: true },
    userId: await importing.userId(),
    signal: controller.signal,
    // A process receives signals between tasks, so this abort comes in one too.
    onResult: () => void setImmediate(() => controller.abort()),
  });
  expect(results.length).toBeLessThan(5);
});

it('returns and throws what the work does, within other work too', () => {
  expect(withinTime(() => withinTime(() => 1) + 1)).toBe(2);
  const error = new Error('of the work');
  expect(() =>
    withinTime(() =>
      withinTime(() => {
        throw error;
      }),
    ),
  ).toThrow(error);
  expect(() =>
    withinTime(() => {
      for (;;);
    }, 20),
  ).toThrow(OperatorError);
});

it('ends at once when the process is interrupted, and its listeners hear of it', async () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { withinTime } from '${import.meta.resolve('./time-limit.ts')}';
    process.once('SIGINT', () => console.log('heard'));
    try {
      withinTime(() => { writeSync(1, 'begun '); for (;;); }, 600_000);
    } catch (error) {
      console.log(error.name);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.once('data', () => child.kill('SIGINT'));
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(said).toBe('begun heard\nOperatorError\n');
});
