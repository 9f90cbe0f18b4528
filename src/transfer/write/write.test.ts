/** Tests imports that are repeated, aborted, or changed between two runs, and the backend's content afterwards. */
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Users } from 'node-appwrite';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { serverClient } from '#backend/target.ts';
import { MOST_TAGS } from '#blog/content/markup-limit.ts';
import { IMAGE_MAX_BYTES } from '#blog/images.ts';
import { lostWords, wordsOfPost, wordsOfSource } from '../../../tests/import/words.ts';
import { openImporting, picture, type TakeOptions } from '../../../tests/support/importing.ts';
import { ghost } from '../testing/ghost.ts';
import { substack } from '../testing/substack.ts';
import { attachment, item, thumbnail, wxr } from '../testing/wordpress.ts';
import { exitCode, reportText } from './report.ts';

const FIXTURES = new URL('../../../tests/import/fixtures', import.meta.url).pathname;
const importing = await openImporting();
const { admin } = importing;
let [userId, folder, run] = ['', '', 0];
beforeEach(async () => {
  run++;
  folder = await importing.folder({});
  await mkdir(folder);
  userId = (await admin.createAuthor({ email: `a${run}@example.com`, name: 'A' })).user.id;
});
afterAll(() => importing.close());

const put = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
};
/** Imports `folder` as Markdown. Returns results and posts; `by` returns the result for a path, with its post. */
async function take(options: TakeOptions = {}) {
  const given = { format: 'markdown', userId, data: `data-${run}`, ...options };
  const { results, posts } = await importing.take(folder, given);
  const by = (path: string) => {
    const at = results.findIndex((result) => result.path === path);
    return { ...(results[at] ?? expect.fail(path)), post: posts[at] };
  };
  return { results, posts, by };
}
/** Imports one file of another format. Returns the posts, and those results that have a post. */
async function takeFile(name: string, content: string, options: TakeOptions = {}) {
  await put(name, content);
  const given = { userId, data: `data-${run}`, ...options };
  const { results, posts } = await importing.take(join(folder, name), given);
  return { results: results.filter(({ slug }) => slug), post: posts.find(Boolean), posts };
}

it('takes all words of the fixtures, and changes nothing in a second run', async () => {
  await rm(folder, { recursive: true });
  await cp(FIXTURES, folder, { recursive: true });
  const { results, posts } = await take();
  const failed = [{ path: 'notes/broken.md', reason: expect.stringContaining('YAML front matter') }];
  const told = Object.groupBy(results, ({ outcome }) => outcome);
  expect(told).toMatchObject({ taken: { length: 9 }, skipped: { length: 3 }, failed });
  for (const [at, post] of posts.entries()) {
    if (!post) continue;
    const source = await readFile(join(folder, results[at]?.path ?? ''), 'utf8');
    expect(lostWords(wordsOfSource(source), wordsOfPost(post.title, post.content)), post.id).toEqual([]);
  }
  for (const data of [`data-${run}`, 'another']) {
    const again = await take({ data });
    expect(again.results.map(({ slug }) => slug)).toEqual(results.map(({ slug }) => slug));
    expect(again.results.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(9);
    expect(again.posts).toEqual(posts);
  }
});

it('takes the words alone of a text with too many elements, says so each time, and fails', async () => {
  const list = (items: number) => `<ul>${'<li>a</li>'.repeat(items)}</ul>`;
  // The `<ul>` counts as an element too.
  await put('most.md', list(MOST_TAGS / 2 - 1));
  const most = await take();
  expect(most.by('most.md')).toMatchObject({ outcome: 'taken', notes: [] });
  expect(exitCode(most.results)).toBe(0);
  await put('more.md', list(MOST_TAGS / 2));
  for (const outcome of ['taken', 'unchanged']) {
    const { by, results } = await take();
    expect(by('more.md')).toMatchObject({ outcome });
    const words = /more\.md.*\n +only its words were imported: it has 10,001 elements, and at most 10,000 are allowed/;
    expect(reportText(results)).toMatch(words);
    expect(exitCode(results)).toBe(1);
  }
});

it('reports once, with a count and the posts, what is lost in many of them', async () => {
  for (let at = 0; at < 27; at++) await put(`p${at}.md`, `# Post ${at}\n\n![gone](missing.png)`);
  const lines = reportText((await take()).results).match(/.*missing\.png.*/g);
  expect(lines).toEqual([expect.stringMatching(/in 27 posts: .*missing\.png: \/post\/.*, \/post\//)]);
});

it('follows no link of the file system out of the folder, and takes no file twice', async () => {
  const [red, outside] = [await picture(), join(importing.site.folder, `outside-${run}`)];
  await mkdir(outside);
  await writeFile(join(outside, 'diary.md'), 'private');
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
  const { results, by } = await take();
  const outcomes = ['diary.md skipped', 'loop skipped', 'out skipped', 'post.md taken'];
  expect(results.map(({ path, outcome }) => `${path} ${outcome}`).sort()).toEqual(outcomes);
  expect(by('out').reason).toContain('a symbolic link');
  const shown = /^<p>one two <img src="[^"]*" alt="three" width="9" height="9"><\/p>$/;
  expect(by('post.md').post?.content).toMatch(shown);
});

it('keeps old addresses for the server, with those that the operator wrote', async () => {
  await put('2020-01-02-ink.md', '---\ntitle: Ink\naliases: [/old/ink.html, "/a b/"]\n---\ntext');
  await put('broken.md', '---\ntitle: [\nurl: /broken\n---\ntext');
  const file = join(importing.site.folder, `data-${run}`, 'redirects');
  await mkdir(dirname(file));
  await writeFile(file, '# mine\n/old/ink /post/mine\n');
  const { slug } = (await take()).by('2020-01-02-ink.md');
  const before = await readFile(file, 'utf8');
  expect(before).toMatch(/^# mine\n\/old\/ink \/post\/mine\n/);
  for (const line of [`/a%20b /post/${slug}`, `/2020/01/02/ink /post/${slug}`]) expect(before).toContain(`\n${line}\n`);
  expect(before).not.toContain('broken');
  await take();
  expect(await readFile(file, 'utf8')).toBe(before);
});

it('never overwrites a post of another author', async () => {
  const other = (await admin.createAuthor({ email: `other${run}@example.com`, name: 'B' })).user.id;
  const post = { content: '', featuredImage: '', status: 'active', userId: other } as const;
  await admin.createPost({ ...post, id: 'theirs', title: 'Theirs' });
  await put('theirs.md', 'mine');
  const { slug, outcome } = (await take()).by('theirs.md');
  expect([outcome, slug]).toEqual(['taken', expect.stringMatching(/^theirs-[0-9a-f]{6}$/)]);
  expect((await admin.post('theirs'))?.title).toBe('Theirs');
  expect((await take()).by('theirs.md')).toMatchObject({ outcome: 'unchanged', slug });
});

it('follows a changed file, unless the post was edited here', async () => {
  const taken = async (words: string) => {
    await put('followed.md', `---\ntitle: C\n---\n${words}`);
    return (await take()).by('followed.md');
  };
  expect(await taken('one')).toMatchObject({ outcome: 'taken' });
  const { outcome, post = expect.fail() } = await taken('two');
  expect([outcome, post.content]).toEqual(['updated', '<p>two</p>']);
  await admin.updatePost({ ...post, content: '<p>edited here</p>' });
  const reason = 'it has been edited here since it was imported';
  expect(await taken('two')).toMatchObject({ outcome: 'unchanged', reason });
  expect(await taken('three')).toMatchObject({ outcome: 'skipped', post: { content: '<p>edited here</p>' } });
});

it('keeps a slug when a file of the same name is added before its own', async () => {
  await put('z/same.md', '# Z\n\nz');
  expect((await take()).by('z/same.md').slug).toBe('same');
  await put('a/same.md', '# A\n\na');
  const { results, by } = await take();
  expect([by('z/same.md').slug, by('a/same.md').slug]).toEqual(['same', expect.stringMatching(/-[0-9a-f]{6}$/)]);
  expect((await take({ data: 'elsewhere' })).results.map(({ slug }) => slug)).toEqual(results.map(({ slug }) => slug));
});

it('serves converted pictures at the site’s own address, also where browsers go to the backend themselves', async () => {
  await put('p/index.md', '---\ntitle: P\n---\n![dot](dot.webp) [large](dot.webp)');
  const dot = sharp(await picture(4)).webp();
  await put('p/dot.webp', await dot.toBuffer());
  const { site } = importing.site;
  const { post } = (await take({ site: { ...site, endpoint: 'https://appwrite.example.com/v1' } })).by('p/index.md');
  const shown = /^<p><img src="(\/v1\/storage\/[^"]*)"[^>]*> <a href="\1">large<\/a><\/p>$/;
  const [, source = ''] = shown.exec(post?.content ?? '') ?? [];
  const answer = await fetch(site.url + source.replaceAll('&amp;', '&'));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
});

it('scales a picture of more than 10 MB down, and keeps its sizes', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const large = sharp({ create: { width: 2200, height: 2000, channels: 3, background: 'gray', noise } });
  const bytes = await large.png().toBuffer();
  expect(bytes.length).toBeGreaterThan(IMAGE_MAX_BYTES);
  await put('q/index.md', '![big](big.png)');
  await put('q/big.png', bytes);
  expect((await take()).by('q/index.md')).toMatchObject({
    ...{ outcome: 'taken', notes: [] },
    post: { featuredImage: '', content: expect.stringContaining('width="2200" height="2000"') },
  });
});

it('keeps the pictures that it took when a second run cannot have them, and takes new words when it can', async () => {
  await put('media/d.png', await picture(8));
  const media = join(folder, 'media');
  const image = '<p><img src="https://old.test/wp-content/uploads/d.png" alt="red"></p>';
  const taken = (words: string, options?: TakeOptions) => {
    const post = item({ name: 'kept', content: `<p>${words}</p>${image}`, more: thumbnail(9) });
    return takeFile('a.xml', wxr(attachment('d.png'), post), options);
  };
  const { post } = await taken('One.', { media });
  expect(post?.featuredImage).not.toBe('');
  expect(await taken('One.')).toMatchObject({ results: [{ outcome: 'unchanged' }], post });
  expect(await taken('Two.')).toMatchObject({ results: [{ outcome: 'skipped' }], post });
  expect(await taken('Two.', { media })).toMatchObject({
    results: [{ outcome: 'updated' }],
    post: { featuredImage: post?.featuredImage, content: expect.stringContaining('Two.') },
  });
});

it('makes accounts of the authors of posts alone, without a password, once', async () => {
  const [writer, reader] = [`writer-${run}@example.com`, `reader-${run}@example.com`];
  const unused = `<wp:author><wp:author_login>x</wp:author_login><wp:author_email>${reader}</wp:author_email></wp:author>`;
  const xml = wxr(item()).replace('anna@example.com', writer).replace('<wp:author>', `${unused}<wp:author>`);
  const first = await takeFile('a.xml', xml, { people: true });
  const account = await admin.authorByEmail(writer);
  expect(first.post?.userId).toBe(account?.id);
  expect(await admin.authorByEmail(reader)).toBeUndefined();
  expect(await takeFile('a.xml', xml, { people: true })).toMatchObject({ results: [{ outcome: 'unchanged' }] });
  // Ghost's export contains password hashes, but no account may be created with one.
  const password = '$2a$10$abcdefghijklmnopqrstuuVxS2gT4Z4Jr1v1Q0f0yq0o3ZkF1Yh0K';
  const post = { id: '1', title: 'A', slug: 'of-ghost', status: 'published', html: '<p>a</p>' };
  const anna = { id: 'u', name: 'Anna', email: `ghost-${run}@example.com`, password };
  const ofGhost = await takeFile('a.json', ghost([post], { users: [anna] }), { people: true });
  const users = new Users(serverClient(importing.site.target));
  for (const id of [account?.id, ofGhost.post?.userId])
    expect((await users.get({ userId: id ?? '' })).password ?? '').toBe('');
});

it('goes on where a run was interrupted', async () => {
  const path = await importing.zip(substack({}, {}, {}));
  const onResult = (_: unknown, done: number) => {
    if (done === 2) throw new Error('killed');
  };
  await expect(importing.take(path, { userId, onResult })).rejects.toThrow('killed');
  const { results } = await importing.take(path, { userId });
  expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'taken']);
});
