import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';
import { openCollection } from '../formats.ts';

let importing: Importing;
let run = 0;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const ID = 'tag:blogger.com,1999:blog-1';
const wrap = (entries: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://purl.org/atom/app#" xmlns:thr="http://purl.org/syndication/thread/1.0" xmlns:blogger="http://schemas.google.com/blogger/2018"><id>${ID}</id><link rel="alternate" href="https://old.blogspot.test/"/>${more}${entries}</feed>`;
const KIND = 'http://schemas.google.com/g/2005#kind';
const old = (name: string, html: string, { kind = 'post', draft = false, more = '' } = {}) =>
  `<entry><id>${ID}.${name}</id><published>2020-01-02T03:04:05.000+01:00</published><category scheme="${KIND}" term="http://schemas.google.com/blogger/2008/kind#${kind}"/><title type="text">T</title><content type="html">${escaped(html)}</content><link rel="alternate" href="https://old.blogspot.test/2020/01/${name}.html"/><author><name>Anna</name><uri>http://blogger.test/anna</uri><email>noreply@blogger.com</email></author>${draft ? '<app:control><app:draft>yes</app:draft></app:control>' : ''}${more}</entry>`;
const takeout = (name: string, html: string, { status = 'LIVE', type = 'POST', more = '' } = {}) =>
  `<entry><id>${ID}.${name}</id><blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status><author><name>Anna</name></author><title>T</title><content type="html">${escaped(html)}</content><blogger:created>2020-01-02T03:04:05Z</blogger:created><published>2020-01-02T03:04:05Z</published><blogger:filename>/2020/01/${name}.html</blogger:filename>${more}</entry>`;
const name = () => `b-${++run}`;
const content = async (html: string, media?: string) => {
  const path = await importing.file('blog-01-02-2020.xml', wrap(old(name(), html)));
  const { posts, results } = await importing.take(path, media ? { media } : {});
  return { html: posts[0]?.content, results };
};

it('takes the old Atom file: kinds by their category, drafts by app:control, addresses by their link', async () => {
  const [one, two] = [name(), name()];
  const entries = [
    old(one, '<p>a</p>', { more: '<category scheme="http://www.blogger.com/atom/ns#" term="ink"/>' }),
    old(two, '<p>b</p>', { draft: true }),
    old('template', 'x', { kind: 'template' }),
    old('c1', 'nice', { kind: 'comment', more: `<thr:in-reply-to ref="${ID}.${one}"/>` }),
  ];
  const { format, posts, results } = await importing.take(
    await importing.file('blog-01-02-2020.xml', wrap(entries.join(''))),
  );
  expect(format).toBe('blogger');
  expect(results.map(({ outcome, slug }) => [outcome, slug])).toEqual([
    ['skipped', undefined],
    ['taken', one],
    ['taken', two],
  ]);
  expect(posts[1]).toMatchObject({ tags: ['ink'], status: 'active', createdAt: '2020-01-02T02:04:05.000+00:00' });
  expect(posts[2]?.status).toBe('inactive');
  expect(results[1]?.notes.join()).toContain('1 comments');
});

it('takes Takeout: type, status and the only address, blogger:filename', async () => {
  const names = [name(), name(), name(), name()];
  const [live = '', draft = '', trashed = '', page = ''] = names;
  const entries = [
    takeout(live, `<a href="https://old.blogspot.test/2020/01/${page}.html">p</a>`, {
      more: '<blogger:metaDescription>About it</blogger:metaDescription>',
    }),
    takeout(draft, 'b', { status: 'DRAFT' }),
    takeout(trashed, 'c', { more: '<blogger:trashed>2021-01-01T00:00:00Z</blogger:trashed>' }),
    takeout(page, 'd', { type: 'PAGE' }),
    takeout('c2', 'e', { type: 'COMMENT', more: `<blogger:parent>${ID}.${live}</blogger:parent>` }),
  ];
  const path = await importing.zip({
    'Takeout/Blogger/Blogs/Mine/feed.atom': wrap(entries.join('')),
    'Takeout/Blogger/Blogs/Mine/settings.csv': 'a,b',
  });
  const { format, posts, results } = await importing.take(path);
  expect(format).toBe('blogger');
  expect(posts.map((post) => post?.status)).toEqual(['active', 'inactive', 'inactive', 'active']);
  expect(posts[0]?.content).toBe(`<p><a href="/post/${page}">p</a></p>`);
  expect(posts[0]?.excerpt).toBe('About it');
  expect(results[2]?.notes.join()).toContain('trashed');
});

it('makes nothing public of what is scheduled', async () => {
  const entry = takeout(name(), 'a', { status: 'SCHEDULED' }).replaceAll('2020-01-02', '2999-01-02');
  const { posts, results } = await importing.take(await importing.file('feed.atom', wrap(entry)));
  expect(posts[0]).toMatchObject({ status: 'inactive', publishAt: '2999-01-02T03:04:05.000Z' });
  expect(results[0]?.notes.join()).toContain('2999-01-02');
});

it('takes the original of a scaled picture, at /s0/, with its caption, once', async () => {
  const media = join(importing.site.folder, 'blogger-pictures');
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, 'a b.png'), await red.png().toBuffer());
  const at = (size: string) => `https://blogger.googleusercontent.com/img/b/R29/AVv/${size}/a%20b.png`;
  const table = `<table class="tr-caption-container"><tbody><tr><td><a href="${at('s1600')}"><img border="0" src="${at('w320-h240')}" alt="red"/></a></td></tr><tr><td class="tr-caption">A sheet</td></tr></tbody></table>`;
  const { html, results } = await content(
    `<p>x</p>${table}<div class="separator"><a href="${at('s1600')}"><img src="${at('s320')}"/></a></div>`,
    media,
  );
  expect(html?.replace(/src="[^"]*"/g, 'src').replace(/\s+/g, ' ')).toBe(
    '<p>x</p><figure><img src alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure><p><img src width="9" height="9"></p>',
  );
  const sources = Array.from(html?.matchAll(/src="([^"]*)"/g) ?? [], ([, source]) => source);
  expect(sources[0]).toMatch(/^\/v1\/storage/);
  expect(new Set(sources).size).toBe(1);
  expect(results[0]?.losses).toBeUndefined();
});

it('makes paragraphs of texts whose paragraphs are two line breaks', async () => {
  const { html } = await content('one<br />two<br /><br />three <b>four</b><br /><br /><div>five<br/><br/>six</div>');
  expect(html?.replace(/\n/g, '')).toBe('<p>one<br>two</p><p>three <strong>four</strong></p><p>five</p><p>six</p>');
});

it('keeps the byline of an author who hides their address behind noreply@blogger.com', async () => {
  const path = await importing.file('blog-01-02-2020.xml', wrap(old(name(), 'a')));
  const { posts } = await importing.take(path, { people: true });
  expect(posts[0]?.userId).toBeTruthy();
  expect(await importing.admin.authorByEmail('noreply@blogger.com')).toBeUndefined();
  expect((await importing.take(path, { people: true })).results).toMatchObject([{ outcome: 'unchanged' }]);
});

it('takes an author without an address for the same one in a newer export, and never for one of another blog', async () => {
  const first = takeout(name(), 'a');
  const other = wrap(takeout(name(), 'b')).replaceAll('blog-1', 'blog-2');
  const owners = async (feed: string) => {
    const options = { people: true, place: 'every blog' };
    const { posts } = await importing.take(await importing.file('feed.atom', feed), options);
    return posts.map((post) => post?.userId);
  };
  const [anna] = await owners(wrap(first));
  expect(anna).toBeTruthy();
  expect(await owners(other)).not.toContain(anna);
  expect(await owners(wrap(first + takeout(name(), 'c')))).toEqual([anna, anna]);
});

it('is told from all other exports where its entries do not name their blog', async () => {
  const origin = async (feed: string) =>
    (await openCollection('blogger', { path: await importing.file('feed.atom', feed) })).origin;
  expect(await origin(wrap(takeout(name(), 'a')))).toBe('');
  expect(await origin(wrap(takeout(name(), 'a')).replaceAll(ID, 'urn:1'))).toBeUndefined();
});
