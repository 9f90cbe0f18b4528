import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAdmin } from '#backend/server-key/admin.ts';
import { wholeSite } from '#backend/server-key/whole-site.ts';
import { fileUrl } from '#blog/images.ts';
import { OPTIONAL_FIELD_NAMES, POST_FIELDS } from '#blog/post.ts';
import { parseRedirects } from '#redirects/redirects-file.ts';
import { openImporting, picture } from '../../../tests/support/importing.ts';
import { differences, exportSite, takeExport } from '../../../tests/support/round-trip.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';

const FIXTURES = new URL('../../../tests/import/fixtures', import.meta.url).pathname;
const [here, there] = await Promise.all([sharedSite(), sharedSite()]);

/** Returns a value for any optional field, including fields that are added later. */
const valueFor = (name: (typeof OPTIONAL_FIELD_NAMES)[number]) => {
  const field = POST_FIELDS[name];
  const { kind } = field;
  if (kind === 'choice') return field.choices.at(-1);
  return kind === 'texts' ? ['a: b', '- "c"', '1'] : kind === 'time' ? '2031-02-03T04:05:06.000Z' : ` ${name}: #x`;
};
const OTHERS = Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, valueFor(name)]));

test('all that an imported and a written blog has comes back equal in an empty one, and a second run changes nothing', async () => {
  const admin = createAdmin(here.target);
  const { user } = await admin.createAuthor({ email: 'anna@example.com', name: 'Anna: "A"' });
  const other = (await admin.createAuthor({ email: 'bo@example.com', name: 'Bo' })).user.id;
  await takeExport(here, FIXTURES, { userId: user.id });
  const shown = { status: 'active', userId: other } as const;
  await admin.uploadFile({ id: 'shared', name: 'ä picture.png', bytes: await picture(), ...shown });
  await admin.uploadFile({ id: 'unread', name: 'x.gif', bytes: Buffer.from('GIF89a broken'), ...shown });
  const source = fileUrl(here.site, 'shared', 'view').replaceAll('&', '&amp;');
  const unread = fileUrl(here.site, 'unread', 'view').replaceAll('&', '&amp;');
  const date = '2020-01-02T03:04:05.678+00:00';
  const base = { ...shown, title: ' Two  spaces, --- and: "marks" ', featuredImage: 'shared', createdAt: date };
  await admin.createPost({
    ...base,
    ...OTHERS,
    id: 'unfinished',
    status: 'inactive',
    updatedAt: '2021-01-02T03:04:05.678+00:00',
    content: `<p>{{&lt; youtube x &gt;}} $5 and $6 <a href="/post/written#part">w</a> <a href="/post/gone">g</a> <a href="x.md">x</a></p><p><img src="${source}" alt="a"><img src="${unread}" width="5" height="6"></p><p>Formula <code class="language-math">x_1^2</code></p>`,
  });
  const links = '<p><a href="/unfinished">u</a> <a href="/post/unfinished">v</a></p>';
  await admin.createPost({ ...base, id: 'written', content: `<h2>Part</h2><p><a href="${source}">p</a></p>${links}` });
  await admin.createPost({ ...base, id: 'empty', featuredImage: '', content: '' });
  await admin.createPost({ ...base, id: 'bare', content: 'bare <u>words</u>\n\n<p>a' });
  const lines =
    '/old/written /post/written\n/old/page /unfinished\n/about https://example.com/x\n/old/gone /post/gone\n';
  const out = await exportSite(here, 'out', lines);
  expect(out).toMatchObject({ posts: 13, drafts: 3 });
  expect(out.faults).toEqual([expect.stringContaining('/post/bare contains HTML that cannot be exported exactly')]);
  const results = await takeExport(there, out.folder);
  expect(results.filter(({ outcome }) => outcome !== 'taken').map(({ path }) => path)).toEqual(['README.md']);
  expect(results.flatMap(({ notes, losses = [] }) => [...notes, ...losses])).toEqual([]);
  expect((await differences(here, there, new Set(['bare']))).found).toEqual([]);
  expect((await createAdmin(there.target).post('bare'))?.content).toBe('bare <u>words</u>\n\n<p>a</p>');
  // The picture was imported with a draft, but must be public, because a published post shows it too.
  expect((await fetch(there.site.url + fileUrl(there.site, 'shared', 'view'))).status).toBe(200);
  const { pages } = parseRedirects(await readFile(join(there.folder, 'data', 'redirects'), 'utf8'));
  expect(pages.map(({ from, to }) => `${from} ${to}\n`).sort()).toEqual(lines.match(/.*\n/g)?.sort());
  const accounts = (await wholeSite(there.target).accounts()).map(({ id, name, email }) => `${id} ${name} ${email}`);
  expect(accounts.sort()).toEqual([`${user.id} Anna: "A" anna@example.com`, `${other} Bo bo@example.com`].sort());
  const again = await takeExport(there, out.folder);
  expect(again.every(({ outcome }) => /unchanged|skipped/.test(outcome))).toBe(true);
});

test('a published post that is imported is not sent to subscribers again', async () => {
  const admin = createAdmin(here.target);
  const userId = (await admin.createAuthor({ email: 'di@example.com', name: 'Di' })).user.id;
  const base = { title: 'Sent', content: '<p>a</p>', featuredImage: '', userId, newsletter: 'send' } as const;
  await admin.createPost({ id: 'sent', status: 'active', ...base });
  await admin.createPost({ id: 'not-sent', status: 'inactive', ...base });
  const { folder } = await exportSite(here, 'sent');
  await takeExport(there, folder);
  const back = createAdmin(there.target);
  expect((await back.post('sent'))?.newsletter).toBeUndefined();
  expect((await back.post('not-sent'))?.newsletter).toBe('send');
});

test('a file that somebody adds to is read as other Markdown, and loses no word', async () => {
  const admin = createAdmin(here.target);
  const userId = (await admin.createAuthor({ email: 'cy@example.com', name: 'Cy' })).user.id;
  const base = { title: 'A', content: '<p>a</p>', status: 'active', featuredImage: '', userId } as const;
  await admin.createPost({ id: 'added', ...base });
  const { folder } = await exportSite(here, 'added');
  const file = join(folder, 'posts/added.md');
  await appendFile(file, '\n<details>More</details>\n');
  await takeExport(there, folder);
  expect((await createAdmin(there.target).post('added'))?.content).toMatch(/<p>a<\/p>\s*<p>More<\/p>/);
});

test('takes in a zip file of it, and refuses a single file in words', async () => {
  const importing = await openImporting();
  try {
    const fields = 'title: Zipped\nslug: zipped\ndraft: false\nauthor: { name: A }\ncommonInk: 1 compact';
    const post = `---\n${fields}\n---\n\n- a\n- b\n`;
    const files = { 'out/posts/zipped.md': post, 'out/README.md': 'x', 'out/redirects': '/old /new\n' };
    const { format, posts } = await importing.take(await importing.zip(files), { people: true });
    expect([format, posts.find((each) => each)?.content]).toEqual(['markdown', '<ul><li>a</li><li>b</li></ul>']);
    expect(await readFile(join(importing.site.folder, 'data/redirects'), 'utf8')).toContain('/old /new');
    const file = await importing.file('one.md', post);
    await expect(importing.take(file, { format: 'markdown' })).rejects.toThrow('neither a folder nor a zip file');
  } finally {
    await importing.close();
  }
});

let run = 0;

/** Creates a folder for Markdown in this product's export format, an author for the import, and one picture. */
async function openFolder() {
  run += 1;
  const admin = createAdmin(there.target);
  const [folder, id] = [join(there.folder, `own-${run}`), `picture-${run}`];
  const userId = (await admin.createAuthor({ email: `own${run}@example.com`, name: 'A' })).user.id;
  await mkdir(join(folder, 'posts'), { recursive: true });
  await mkdir(join(folder, 'pictures', id), { recursive: true });
  const bytes = await picture(9, 9, '#00f');
  await writeFile(join(folder, 'pictures', id, 'p.png'), bytes);
  return {
    admin,
    bytes,
    id,
    userId,
    put: (name: string, { draft, words = 'Words.' }: { draft: boolean; words?: string }) =>
      writeFile(
        join(folder, 'posts', `${name}-${run}.md`),
        `---\ntitle: ${name}\ndraft: ${draft}\nfeaturedImage: ../pictures/${id}/p.png\ncommonInk: 1 compact\n---\n\n${words}\n`,
      ),
    async take(options: Parameters<typeof takeExport>[2] = {}) {
      const results = await takeExport(there, folder, { userId, ...options });
      return Object.fromEntries(results.map(({ title, outcome }) => [title, outcome]));
    },
    isPublic: async () => (await fetch(there.site.url + fileUrl(there.site, id, 'view'))).ok,
  };
}

test('a picture that several posts show stays public when a draft that shows it changes, and is hidden with the last published one', async () => {
  const { put, take, isPublic } = await openFolder();
  await put('a', { draft: false });
  await put('b', { draft: true });
  await take();
  expect(await isPublic()).toBe(true);
  await put('b', { draft: true, words: 'Other words.' });
  expect(await take()).toEqual({ a: 'unchanged', b: 'updated' });
  expect(await isPublic()).toBe(true);
  await put('a', { draft: true });
  expect(await take()).toEqual({ a: 'updated', b: 'unchanged' });
  expect(await isPublic()).toBe(false);
});

test('a picture that several posts show becomes public with the published post although a run was ended behind the draft that brought it', async () => {
  const { put, take, isPublic } = await openFolder();
  await put('a', { draft: true });
  await put('b', { draft: false });
  const controller = new AbortController();
  expect(await take({ signal: controller.signal, onResult: () => controller.abort() })).toEqual({ a: 'taken' });
  expect(await isPublic()).toBe(false);
  expect(await take()).toEqual({ a: 'unchanged', b: 'taken' });
  expect(await isPublic()).toBe(true);
});

test('a picture that several posts show becomes public before a draft that is published does, and at the latest with the next run', async () => {
  const { admin, id, userId, put, take, isPublic } = await openFolder();
  await put('a', { draft: true });
  expect([await take(), await take(), await isPublic()]).toEqual([{ a: 'taken' }, { a: 'unchanged' }, false]);
  await put('a', { draft: false });
  const wasPublic: boolean[] = [];
  const updatePost: typeof admin.updatePost = async (...post) => {
    wasPublic.push(await isPublic());
    await admin.updatePost(...post);
  };
  expect(await take({ admin: { ...admin, updatePost } })).toEqual({ a: 'updated' });
  expect(wasPublic).toEqual([true]);
  await admin.shareFile(id, 'inactive', userId);
  expect([await take(), await isPublic()]).toEqual([{ a: 'unchanged' }, true]);
});

test('a picture that several posts show stays private where it is another author’s, whatever is taken', async () => {
  const { admin, bytes, id, put, take, isPublic } = await openFolder();
  const other = (await admin.createAuthor({ email: `other${run}@example.com`, name: 'B' })).user.id;
  await admin.uploadFile({ id, name: 'p.png', bytes, status: 'inactive', userId: other });
  await put('a', { draft: false });
  expect([await take(), await take(), await isPublic()]).toEqual([{ a: 'taken' }, { a: 'unchanged' }, false]);
  await put('a', { draft: false, words: 'Other words.' });
  expect([await take(), await isPublic()]).toEqual([{ a: 'updated' }, false]);
});
