/** Imports the test rows of every format and compares the results. Also tests behaviour that all formats share. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRedirects, REDIRECTS_FILE, readRedirects } from '#redirects/redirects-file.ts';
import { type Files, openImporting, picture, type Taken } from '../../tests/support/importing.ts';
import { formatOf, openCollection } from './formats.ts';
import { atom, BLOGGER, feedOf, takeout } from './testing/blogger.ts';
import { DEVTO } from './testing/devto.ts';
import { FEED } from './testing/feed.ts';
import { GHOST, ghost } from './testing/ghost.ts';
import { HASHNODE } from './testing/hashnode.ts';
import { MARKDOWN } from './testing/markdown.ts';
import { MEDIUM, mediumPost } from './testing/medium.ts';
import type { Gives, Input, Rows } from './testing/rows.ts';
import { SUBSTACK } from './testing/substack.ts';
import { WORDPRESS } from './testing/wordpress.ts';
import { exitCode } from './write/report.ts';

/** Formats with their test rows, and a file name for rows whose input is one file. The first row is a complete blog. */
const FORMATS: readonly (readonly [format: string, file: string, rows: Rows])[] = [
  ['wordpress', 'export.xml', WORDPRESS],
  ['blogger', 'feed.atom', BLOGGER],
  ['substack', '', SUBSTACK],
  ['medium', '', MEDIUM],
  ['hashnode', '', HASHNODE],
  ['devto', '', DEVTO],
  ['ghost', 'ghost.json', GHOST],
  ['feed', 'feed.xml', FEED],
  ['markdown', '', MARKDOWN],
];

const importing = await openImporting();
let count = 0;
afterAll(() => importing.close());

const isFile = (input: Input): input is string | Buffer => typeof input === 'string' || Buffer.isBuffer(input);
const pathOf = (input: Input, file: string) => (isFile(input) ? importing.file(file, input) : importing.folder(input));

const newWriter = async () =>
  (await importing.admin.createAuthor({ email: `writer-${++count}@example.com`, name: 'W' })).user.id;

/** Returns each result together with its post, in the form that `Gives` describes. */
function seen({ results, posts }: Taken) {
  const files: string[] = [];
  const nameOf = (id: string) => {
    if (!files.includes(id)) files.push(id);
    return `picture ${files.indexOf(id) + 1}`;
  };
  const places = new Map(results.flatMap(({ slug }, at) => (slug ? [[slug, at + 1]] : [])));
  return results.map((result, at) => {
    const { content = '', featuredImage = '', ...post } = posts[at] ?? {};
    const plain = content
      .replace(/(?<=>)\n+|\n+(?=<)/g, '')
      .replace(/(?<=")\/v1\/storage\/[^"]*\/files\/([\w-]+)\/[^"]*(?=")/g, (_, id: string) => nameOf(id))
      .replace(/(?<="\/post\/)[\w.-]+/g, (slug) => String(places.get(slug) ?? slug));
    return {
      ...{ tags: undefined, publishAt: undefined, kind: undefined, ...post, ...result },
      ...{ losses: result.losses ?? [], notes: result.notes.join('\n') },
      ...(posts[at] && { content: plain, featuredImage: featuredImage && nameOf(featuredImage) }),
    };
  });
}

async function check(taken: Taken, gives: readonly Gives[], data: string): Promise<void> {
  const all = seen(taken);
  expect(all.map(({ path, outcome, reason }) => `${path} ${outcome} ${reason ?? ''}`)).toHaveLength(gives.length);
  const redirects = join(importing.site.folder, data, REDIRECTS_FILE);
  for (const [at, each] of gives.entries()) {
    const given: Exclude<Gives, string> = typeof each === 'string' ? { content: each } : each;
    const { notes = [], noNote, losses = [], address, leadsTo, email, ...others } = given;
    const [one, lost] = [all[at] ?? expect.fail(), losses.map((loss) => expect.stringContaining(loss))];
    expect(one).toMatchObject({ outcome: 'taken', ...others, losses: lost });
    for (const note of [notes].flat()) expect(one.notes).toContain(note);
    if (noNote) expect(one.notes).not.toContain(noNote);
    if (email) expect((await importing.admin.authorByEmail(email))?.id).toBe(taken.posts[at]?.userId);
    if (!address) continue;
    const warn = (sentence: string) => expect.fail(sentence);
    const server = openRedirects(redirects, { siteUrl: 'https://new.test', isPublished: async () => true, warn });
    const target = leadsTo ?? `/post/${one.slug}`;
    expect(await server.targetOf(address)).toBe(target);
    // A static export takes its redirects from this file, so the file must contain the target too.
    expect((await readRedirects(redirects)).map(({ to }) => to)).toContain(target);
  }
  const isWhole = all.every(({ outcome, losses }) => outcome !== 'failed' && losses.length === 0);
  expect(exitCode(taken.results)).toBe(isWhole ? 0 : 1);
  if (all.every(({ outcome }) => outcome !== 'failed')) expect(exitCode(taken.results, true)).toBe(0);
}

describe.each(FORMATS)('%s', (format, file, rows) => {
  it.each(Object.entries(rows))('%s', async (_, [input, gives, { pictures = [], ...options } = {}]) => {
    const data = `data-${++count}`;
    const media = join(importing.site.folder, `media-${count}`);
    for (const name of pictures) {
      await mkdir(dirname(join(media, name)), { recursive: true });
      await writeFile(join(media, name), await picture());
    }
    const taking = importing.take(await pathOf(input, file), {
      ...{ format, data, userId: await newWriter(), ...(pictures.length > 0 && { media }) },
      ...options,
    });
    if (gives instanceof Error) await expect(taking).rejects.toThrow(gives.message);
    else await check(await taking, [gives].flat() as Gives[], data);
  });

  it('is told by its content, plans what it does, and changes nothing in a second run', async () => {
    const [input, , options] = Object.values(rows)[0] ?? expect.fail();
    const path = await pathOf(input, file);
    const files: Files = isFile(input) ? { [file]: input } : input;
    for (const place of [path, await importing.zip(files)]) expect(await formatOf(place)).toBe(format);
    const how = { ...options, people: false, userId: await newWriter() };
    const planned = await importing.take(path, { ...how, dryRun: true });
    expect(planned.posts.filter(Boolean)).toEqual([]);
    const first = await importing.take(path, how);
    expect(planned.results).toEqual(first.results);
    const { posts, results } = await importing.take(path, how);
    expect(posts).toEqual(first.posts);
    expect(results.every(({ outcome }) => /unchanged|skipped/.test(outcome))).toBe(true);
  });
});

const PROFILE = { 'profile/profile.html': '<p>Email address: anna@example.com</p>' };
const [[path = '', html = ''] = []] = Object.entries(mediumPost('<p>x</p>'));
const nameless = { [path]: html.replace('href="https://medium.com/@anna" ', '') };
const ghostOf = (user: object) => ghost([{ id: 'a'.repeat(24), title: 'A' }], { users: [{ name: 'Anna', ...user }] });

it.each([
  ['blogger', 'feed.atom', feedOf(takeout('a', 'a')), ''],
  ['blogger', 'feed.atom', feedOf(takeout('a', 'a')).replaceAll('tag:blogger.com,1999:blog-1', 'urn:1'), undefined],
  ['medium', '', mediumPost('<p>x</p>'), ''],
  ['medium', '', { ...nameless, ...PROFILE }, ''],
  ['medium', '', nameless, undefined],
  ['ghost', 'ghost.json', ghostOf({ id: '1' }), undefined],
  ['ghost', 'ghost.json', ghostOf({ id: '1', email: 'g@example.com' }), ''],
  ['ghost', 'ghost.json', ghostOf({ id: 'a'.repeat(24) }), ''],
])('tells a blog of %s by its origin where its people are not unique', async (format, file, input, origin) =>
  expect((await openCollection(format, { path: await pathOf(input, file) })).origin).toBe(origin),
);

it('tells a format although one of its files is damaged', async () => {
  const files = { 'a.md': '---\ntitle: A\n---\nText', 'b.md': `---\ntitle: B\n---\n${'Text '.repeat(100)}` };
  const path = await importing.zip(files);
  const zip = await readFile(path);
  // Damages the second file: overwrites its compressed data, which follows the file name in the header.
  const data = zip.indexOf('b.md') + 4;
  await writeFile(path, zip.fill(0xff, data, data + 10));
  expect(await formatOf(path)).toBe('markdown');
});

it('takes an author without an address for the same one in a newer export, and never for one of another blog', async () => {
  const first = takeout('owner-a', 'a');
  const owners = async (feed: string) => {
    const options = { people: true, place: 'every blog' };
    const { posts } = await importing.take(await importing.file('feed.atom', feed), options);
    return posts.map((post) => post?.userId);
  };
  const [anna] = await owners(feedOf(first));
  expect(anna).toBeTruthy();
  expect(await owners(feedOf(takeout('owner-b', 'b')).replaceAll('blog-1', 'blog-2'))).not.toContain(anna);
  expect(await owners(feedOf(first, takeout('owner-c', 'c')))).toEqual([anna, anna]);
  expect(await owners(feedOf(atom('owner-hidden', 'd')))).toEqual([expect.stringMatching(/./)]);
  expect(await importing.admin.authorByEmail('noreply@blogger.com')).toBeUndefined();
});
