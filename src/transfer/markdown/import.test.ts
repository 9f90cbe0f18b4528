/** All tests import into one running backend, which takes longer to start than a test. */
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { MOST_TAGS } from '#blog/content/markup-limit.ts';
import { IMAGE_MAX_BYTES } from '#blog/images.ts';
import { lostWords, wordsOfPost, wordsOfSource } from '../../../tests/import/words.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { exitCode, reportText } from '../write/report.ts';
import type { Result } from '../write/write.ts';
import { importMarkdown } from './import.ts';

const FIXTURES = new URL('../../../tests/import/fixtures', import.meta.url).pathname;

let site: EmbeddedSite;
let admin: Admin;
let userId: string;
let folder: string;
let run = 0;

/** Imports `folder`; a new `data` name forgets earlier imports. */
const take = (data = `data-${run}`) =>
  importMarkdown({ folder, admin, site: site.site, userId, dataDirectory: join(site.folder, data) });
const by = (results: readonly Result[], path: string): Result =>
  results.find((each) => each.path === path) ?? expect.fail(path);
const slugOf = (results: readonly Result[], path: string) => by(results, path).slug ?? '';
const put = async (path: string, text: string | Buffer) => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};

beforeAll(async () => {
  site = await openEmbeddedSite();
  admin = createAdmin(site.target);
});
beforeEach(async () => {
  run++;
  folder = join(site.folder, `posts-${run}`);
  await mkdir(folder);
  userId = (await admin.createAuthor({ email: `a${run}@example.com`, name: 'A' })).user.id;
});
afterAll(() => site.close());

describe('the fixtures', () => {
  it('are taken whole, no word is lost, and a second run changes nothing', async () => {
    await rm(folder, { recursive: true });
    await cp(FIXTURES, folder, { recursive: true });
    const results = await take();
    expect(Object.groupBy(results, ({ outcome }) => outcome)).toMatchObject({
      taken: { length: 9 },
      skipped: { length: 3 },
      failed: [{ path: 'notes/broken.md', reason: expect.stringContaining('YAML front matter') }],
    });
    for (const { path, slug } of results) {
      if (!slug) continue;
      const post = (await admin.post(slug)) ?? expect.fail(slug);
      const source = await readFile(join(folder, path), 'utf8');
      expect(lostWords(wordsOfSource(source), wordsOfPost(post.title, post.content)), path).toEqual([]);
    }
    const second = await take();
    expect(second.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(9);
    expect(second.some(({ outcome }) => outcome === 'taken' || outcome === 'updated')).toBe(false);
    const forgotten = await take('another');
    expect(forgotten.map(({ slug }) => slug)).toEqual(results.map(({ slug }) => slug));
    expect(forgotten.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(9);
  });
});

it('says of a text with too many elements that its words alone were taken, each time, and fails', async () => {
  const list = (items: number) => `<ul>${'<li>a</li>'.repeat(items)}</ul>`;
  // The list counts as an element too.
  await put('most.md', list(MOST_TAGS / 2 - 1));
  const most = await take();
  expect(by(most, 'most.md')).toMatchObject({ outcome: 'taken', notes: [] });
  expect(exitCode(most)).toBe(0);
  await put('more.md', list(MOST_TAGS / 2));
  for (const outcome of ['taken', 'unchanged']) {
    const results = await take();
    expect(by(results, 'more.md')).toMatchObject({ outcome });
    expect(reportText(results)).toMatch(
      /more\.md.*\n +its words alone were taken: it has 10,001 elements, and 10,000 is the most/,
    );
    expect(exitCode(results)).toBe(1);
  }
});

describe('words', () => {
  it('behind a self-closing element are taken, as .md and .mdx', async () => {
    for (const name of ['Video', 'iframe', 'Title'])
      for (const form of ['md', 'mdx'])
        await put(`${name}.${form}`, `Before.\n\n<${name} src="./3.mp4" />\n\nAfter, **words**.`);
    const results = await take();
    expect(exitCode(results)).toBe(0);
    for (const { slug = '' } of results)
      expect((await admin.post(slug))?.content).toContain('<p>After, <strong>words</strong>.</p>');
  });

  it('that are lost are counted, with the line of the first, and the import ends with 1', async () => {
    await put('lost.md', '---\ntitle: T\n---\n\nOne two.\n\n<p>a<title>three</p>\n\nfour &amp; *five*');
    const results = await take();
    expect(by(results, 'lost.md').losses).toEqual(['3 words, from line 7 on: three four five']);
    expect(reportText(results)).toContain('! lost: 3 words, from line 7 on: three four five');
    expect(exitCode(results)).toBe(1);
  });
});

it('takes parts of pages for no posts', async () => {
  await put('_includes/part.md', 'A part.');
  await put('_posts/2020-01-02-includes.md', 'A post.');
  const results = await take();
  expect(by(results, '_includes/part.md')).toMatchObject({
    outcome: 'skipped',
    reason: 'it is a part of pages and no post',
  });
  expect(slugOf(results, '_posts/2020-01-02-includes.md')).toBe('includes');
});

it('names a translation and its original', async () => {
  await put('a/index.md', 'English');
  await put('a/index.zh.md', 'other');
  await put('b.io.md', 'a name');
  const results = await take();
  expect(results.map(({ path, slug, notes }) => [path, slug, ...notes])).toEqual([
    ['a/index.md', expect.stringMatching(/^a(?:-|$)/)],
    [
      'a/index.zh.md',
      expect.stringMatching(/^a-zh/),
      'there is no place for it here yet: translation into zh of a/index.md',
    ],
    ['b.io.md', 'b.io'],
  ]);
});

describe('the data cascade of Eleventy', () => {
  it('says of a folder’s posts what its files of data say, and of each what stands nearer', async () => {
    await put('posts/posts.json', '{"tags":["posts","ink"],"lang":"de","permalink":"/blog/{{ page.fileSlug }}/"}');
    await put('posts/posts.11tydata.json', '{"lang":"fr"}');
    await put('posts/2020-01-02-one.md', '---\ntitle: One\ntags: [paper]\n---\ntext');
    await put('posts/old/two.md', '---\ntitle: Two\nlang: en\n---\n[one](/blog/one/)');
    await put('posts/old/two.json', '{"description":"About two"}');
    await put('other/three.md', '---\ntitle: Three\n---\ntext');
    const results = await take();
    const post = async (path: string) => admin.post(slugOf(results, path));
    expect(await post('posts/2020-01-02-one.md')).toMatchObject({ tags: ['ink', 'paper'], language: 'fr' });
    expect(await post('posts/old/two.md')).toMatchObject({
      tags: ['ink'],
      language: 'en',
      excerpt: 'About two',
      content: expect.stringContaining(`href="/post/${slugOf(results, 'posts/2020-01-02-one.md')}"`),
    });
    expect(await post('other/three.md')).not.toHaveProperty('tags');
  });

  it('knows the address that a post names by its file, without any file of data', async () => {
    await put('2020-01-02-one.md', '---\ntitle: One\npermalink: /blog/{{ page.fileSlug }}/\n---\ntext');
    await put('two.md', '---\ntitle: Two\n---\n[one](/blog/one/)');
    const results = await take();
    expect((await admin.post(slugOf(results, 'two.md')))?.content).toContain(
      `href="/post/${slugOf(results, '2020-01-02-one.md')}"`,
    );
  });

  it('makes nothing public that had no page or was in no list', async () => {
    await put('hidden/hidden.json', '{"eleventyExcludeFromCollections":true}');
    await put('hidden/a.md', '---\ntitle: A\n---\ntext');
    await put('b.md', '---\ntitle: B\npermalink: false\n---\ntext');
    const results = await take();
    for (const path of ['hidden/a.md', 'b.md'])
      expect(await admin.post(slugOf(results, path))).toMatchObject({ status: 'inactive' });
  });

  it('runs no program, and takes a file that is no table for nothing', async () => {
    await put('posts/posts.11tydata.js', 'throw new Error("run")');
    await put('posts/posts.json', '[{"title":"No"}]');
    await put('posts/a.md', '---\ntitle: A\n---\ntext');
    const results = await take();
    expect(by(results, 'posts/posts.11tydata.js')).toMatchObject({
      outcome: 'skipped',
      reason: expect.stringContaining('not run'),
    });
    expect(by(results, 'posts/a.md')).toMatchObject({ outcome: 'taken', title: 'A' });
  });
});

describe('links of the file system', () => {
  it('lead nowhere outside of the folder, and none is taken twice', async () => {
    const outside = join(site.folder, `outside-${run}`);
    await mkdir(outside);
    await writeFile(join(outside, 'diary.md'), 'private');
    const red = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    await writeFile(join(outside, 'private.png'), red);
    await put('inside/red.png', red);
    for (const [from, to] of [
      [outside, 'out'],
      [folder, 'loop'],
      [join(outside, 'diary.md'), 'diary.md'],
      [join(outside, 'private.png'), 'private.png'],
      [join(folder, 'inside', 'red.png'), 'red.png'],
    ] as const)
      await symlink(from, join(folder, to));
    await put('post.md', '![one](private.png) ![two](out/private.png) ![three](red.png)');
    const results = await take();
    expect(results.map(({ path, outcome }) => `${path} ${outcome}`).sort()).toEqual([
      'diary.md skipped',
      'loop skipped',
      'out skipped',
      'post.md taken',
    ]);
    expect(by(results, 'out').reason).toContain('a link');
    const post = await admin.post(slugOf(results, 'post.md'));
    expect(post?.content.replace(/src="[^"]*"/, 'src')).toBe(
      '<p>one two <img src alt="three" width="9" height="9"></p>',
    );
  });
});

it('leaves the description of a drawing that is too large to be drawn, and says of a text without end what is wrong with it', async () => {
  await put(
    'wide.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="10"><path d="M0 0h9v9z"/></svg>',
  );
  await put('wide.md', '![a wide one](wide.svg)');
  await put('deep.md', `${'<div>'.repeat(20_000)}x`);
  const results = await take();
  expect(by(results, 'wide.md')).toMatchObject({
    outcome: 'taken',
    notes: [expect.stringContaining('its description stays: wide.svg')],
  });
  expect(by(results, 'deep.md').reason).toBe('it has too many levels inside of each other');
});

describe('old addresses', () => {
  it('are kept for the server, with those that the operator wrote', async () => {
    await put('2020-01-02-ink.md', '---\ntitle: Ink\naliases: [/old/ink.html, "/a b/"]\n---\ntext');
    await put('broken.md', '---\ntitle: [\nurl: /broken\n---\ntext');
    const file = join(site.folder, `data-${run}`, 'redirects');
    await mkdir(join(file, '..'));
    await writeFile(file, '# mine\n/old/ink /post/mine\n');
    const slug = slugOf(await take(), '2020-01-02-ink.md');
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.slice(0, 2)).toEqual(['# mine', '/old/ink /post/mine']);
    expect(lines).toContain(`/a%20b /post/${slug}`);
    expect(lines).toContain(`/2020/01/02/ink /post/${slug}`);
    expect(lines.join('\n')).not.toContain('broken');
    const before = await readFile(file, 'utf8');
    await take();
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('posts', () => {
  it('keep title, date, status and author', async () => {
    await put('a.md', '---\ntitle: "A: b"\ndate: 2020-01-02T03:04:05Z\ndraft: true\n---\ntext');
    const { slug } = by(await take(), 'a.md');
    const post = (await admin.post(slug ?? '')) ?? expect.fail();
    expect(post).toMatchObject({
      title: 'A: b',
      status: 'inactive',
      userId,
      createdAt: '2020-01-02T03:04:05.000+00:00',
    });
    expect(post.permissions).toEqual([
      `read("user:${userId}")`,
      `update("user:${userId}")`,
      `delete("user:${userId}")`,
    ]);
  });

  it('without a title have their first heading, which then leaves the text, or their file name', async () => {
    await put('b.md', '# From *heading*\n\ntext');
    await put('plain-name.md', 'text');
    const results = await take();
    expect(await admin.post(slugOf(results, 'b.md'))).toMatchObject({ title: 'From heading', content: '<p>text</p>' });
    expect(await admin.post(slugOf(results, 'plain-name.md'))).toMatchObject({ title: 'plain-name' });
  });

  it('link to each other by slug, whatever way they were linked', async () => {
    await put(
      'one.md',
      '[a](two.md) [b](./two.md#part) [c](@/two.md) [d](/old/two/) [e](https://old.test/old/two) [f](https://old.test/x) [g](gone.md)',
    );
    await put('two.md', '---\ntitle: Two\naliases: [/old/two]\n---\ntext');
    const results = await importMarkdown({
      folder,
      admin,
      site: site.site,
      userId,
      dataDirectory: join(site.folder, 'links'),
      oldSite: 'https://old.test',
    });
    const { content } = (await admin.post(slugOf(results, 'one.md'))) ?? expect.fail();
    const to = `/post/${slugOf(results, 'two.md')}`;
    expect(content).toBe(
      `<p><a href="${to}">a</a> <a href="${to}#part">b</a> <a href="${to}">c</a> <a href="${to}">d</a> <a href="${to}">e</a> <a href="https://old.test/x">f</a> g</p>`,
    );
    expect(by(results, 'one.md').notes).toEqual(['link taken off, it leads to nothing that was found: gone.md']);
  });

  it('never overwrite a post of somebody else', async () => {
    const other = (await admin.createAuthor({ email: `other${run}@example.com`, name: 'B' })).user.id;
    const slug = `taken-${run}`;
    await admin.createPost({
      id: slug,
      title: 'Theirs',
      content: '',
      featuredImage: '',
      status: 'active',
      userId: other,
    });
    await put(`${slug}.md`, 'mine');
    const result = by(await take(), `${slug}.md`);
    expect(result).toMatchObject({
      outcome: 'taken',
      slug: expect.stringMatching(new RegExp(`^${slug}-[0-9a-f]{6}$`)),
    });
    expect((await admin.post(slug))?.title).toBe('Theirs');
    expect(by(await take(), `${slug}.md`)).toMatchObject({ outcome: 'unchanged', slug: result.slug });
  });

  it('follow their file, unless they were edited here', async () => {
    await put(`c${run}.md`, '---\ntitle: C\n---\none');
    const slug = slugOf(await take(), `c${run}.md`);
    await put(`c${run}.md`, '---\ntitle: C\n---\ntwo');
    expect(by(await take(), `c${run}.md`).outcome).toBe('updated');
    const post = (await admin.post(slug)) ?? expect.fail();
    expect(post.content).toBe('<p>two</p>');
    await admin.updatePost({ ...post, content: '<p>edited here</p>' });
    expect(by(await take(), `c${run}.md`)).toMatchObject({
      outcome: 'unchanged',
      reason: 'it was edited here since it was imported',
    });
    await put(`c${run}.md`, '---\ntitle: C\n---\nthree');
    expect(by(await take(), `c${run}.md`)).toMatchObject({ outcome: 'skipped' });
    expect((await admin.post(slug))?.content).toBe('<p>edited here</p>');
  });

  it('keep their slug when a file of the same name is added before them', async () => {
    await put(`z/same${run}.md`, '# Z\n\nz');
    expect(slugOf(await take(), `z/same${run}.md`)).toBe(`same${run}`);
    await put(`a/same${run}.md`, '# A\n\na');
    const results = await take();
    expect(slugOf(results, `z/same${run}.md`)).toBe(`same${run}`);
    expect(slugOf(results, `a/same${run}.md`)).toMatch(/-[0-9a-f]{6}$/);
    const forgotten = await take('elsewhere');
    expect(forgotten.map(({ slug }) => slug)).toEqual(results.map(({ slug }) => slug));
  });
});

describe('pictures', () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="red"/></svg>';

  it('are uploaded, converted where the bucket does not take them, sized and shown', async () => {
    await put(
      'p/index.md',
      `---\ntitle: P\n---\n![d](d.svg) <img src="w.webp" width="20px"> [large](w.webp) ![gone](gone.png) ![text](text.png)`,
    );
    await put('p/d.svg', drawing);
    await put(
      'p/w.webp',
      await sharp({ create: { width: 40, height: 20, channels: 3, background: 'blue' } })
        .webp()
        .toBuffer(),
    );
    await put('p/text.png', 'just words');
    const results = await take();
    const post = (await admin.post(slugOf(results, 'p/index.md'))) ?? expect.fail();
    const sources = Array.from(
      post.content.matchAll(/<img src="([^"]+)"[^>]*?(?:width="(\d+)" height="(\d+)")>/g),
      (match) => match.slice(1),
    );
    expect(sources.map(([, width, height]) => [width, height])).toEqual([
      ['60', '30'],
      ['20', '10'],
    ]);
    expect(post.featuredImage).toBe('');
    for (const [source = ''] of sources) {
      const answer = await fetch(site.site.url + source.replaceAll('&amp;', '&'));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
    expect(by(results, 'p/index.md').notes).toEqual([
      'picture not found or not readable, its description stays: gone.png',
      'picture not found or not readable, its description stays: text.png',
    ]);
    expect(post.content).toMatch(/<a href="\/v1\/storage[^"]*">large<\/a> gone text<\/p>$/);
  });

  it.each([
    ['wide enough and of its shape', 960, 640, '', true],
    ['too narrow', 959, 640, '', false],
    ['too high', 960, 820, '', false],
    ['too flat', 1200, 500, '', false],
    ['behind other words', 1200, 800, 'First. ', false],
  ])(
    'that the text begins with are the featured image once, or stay in the text: %s',
    async (_, width, height, before, leads) => {
      const name = `lead-${run}`;
      await put(
        `${name}/a.png`,
        await sharp({ create: { width, height, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      );
      await put(`${name}/index.md`, `${before}![a](a.png)\n\nText.`);
      const post = (await admin.post(slugOf(await take(), `${name}/index.md`))) ?? expect.fail();
      expect(post.featuredImage !== '').toBe(leads);
      expect(post.content.includes('<img')).toBe(!leads);
      if (leads) expect(await admin.hasFile(post.featuredImage)).toBe(true);
    },
  );

  it('are named by the site’s own address, also where browsers go to the backend themselves', async () => {
    await put('p/index.md', '---\ntitle: P\n---\n![dot](dot.png) [large](dot.png)');
    await put(
      'p/dot.png',
      await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const direct = { ...site.site, endpoint: 'https://appwrite.example.com/v1' };
    const dataDirectory = join(site.folder, 'direct');
    const results = await importMarkdown({ folder, admin, site: direct, userId, dataDirectory });
    const post = (await admin.post(slugOf(results, 'p/index.md'))) ?? expect.fail();
    expect(post.content).toMatch(/<img src="\/v1\/storage\//);
    expect(post.content).toMatch(/<a href="\/v1\/storage\//);
    expect(post.content).not.toContain('appwrite.example.com');
  });

  it('over 10 MB are scaled down', async () => {
    const noise = await sharp({
      create: {
        width: 2200,
        height: 2000,
        channels: 3,
        background: 'gray',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(noise.length).toBeGreaterThan(IMAGE_MAX_BYTES);
    await put('q/index.md', '![big](big.png)');
    await put('q/big.png', noise);
    const results = await take();
    expect(by(results, 'q/index.md')).toMatchObject({ outcome: 'taken', notes: [] });
    const post = (await admin.post(slugOf(results, 'q/index.md'))) ?? expect.fail();
    expect(post.featuredImage).toBe('');
    expect(post.content).toContain('width="2200" height="2000"');
  });

  it('that are gone take a link around them along', async () => {
    await put('r.md', 'a [![](gone.png)](https://x.test/) b [![red](gone.png)](https://x.test/)');
    const slug = slugOf(await take(), 'r.md');
    expect((await admin.post(slug))?.content).toBe('<p>a  b <a href="https://x.test/">red</a></p>');
  });

  it('never leave the folder', async () => {
    await put('r.md', '![secret](../../../../../etc/hostname) ![x](%2e%2e/%2e%2e/secret.png)');
    expect(by(await take(), 'r.md').notes).toHaveLength(2);
  });
});
