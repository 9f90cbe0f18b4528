import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Users } from 'node-appwrite';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';
import { formatOf, openCollection } from '../formats.ts';
import { writePosts } from '../write/write.ts';

let site: EmbeddedSite;
let admin: Admin;
let run = 0;

beforeAll(async () => {
  site = await openEmbeddedSite();
  admin = createAdmin(site.target);
});
beforeEach(() => void run++);
afterAll(() => site.close());

const post = (given: object) => ({ id: '1', title: 'A', slug: `g${run}`, status: 'published', ...given });

async function take(data: object | string, media?: string) {
  const path = join(site.folder, `ghost-${run}.json`);
  await writeFile(
    path,
    typeof data === 'string' ? data : JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data }] }),
  );
  const collection = await openCollection('ghost', { path, media });
  const dataDirectory = join(site.folder, `data-${run}`);
  const results = await writePosts(collection, { admin, site: site.site, dataDirectory, place: path });
  const posts = await Promise.all(results.map(({ slug }) => (slug ? admin.post(slug) : undefined)));
  return { path, results, posts };
}
const users = () => [{ id: 'u', name: 'Anna', email: `g${run}@example.com` }];

it('takes posts with their author, and a second run changes nothing', async () => {
  const data = { posts: [post({ html: '<p>a</p>', published_at: '2020-01-02T03:04:05.000Z' })], users: users() };
  const { posts, path } = await take(data);
  expect(await formatOf(path)).toBe('ghost');
  expect(posts[0]).toMatchObject({ content: '<p>a</p>', status: 'active', createdAt: '2020-01-02T03:04:05.000+00:00' });
  expect(posts[0]?.userId).toBe((await admin.authorByEmail(`g${run}@example.com`))?.id);
  expect((await take(data)).results).toMatchObject([{ outcome: 'unchanged' }]);
});

it('takes tags in their order, but none that readers never saw', async () => {
  const { posts } = await take({
    posts: [post({ html: '<p>a</p>' })],
    users: users(),
    tags: [
      { id: 'a', name: 'Second' },
      { id: 'b', name: '#series', visibility: 'internal' },
      { id: 'c', name: 'First', visibility: 'public' },
    ],
    posts_tags: [
      { post_id: '1', tag_id: 'a', sort_order: 2 },
      { post_id: '1', tag_id: 'b', sort_order: 1 },
      { post_id: '1', tag_id: 'c', sort_order: 0 },
    ],
  });
  expect(posts[0]?.tags).toEqual(['First', 'Second']);
});

it('takes the first user of a blog, who has the number 1 in each, for that of no other blog', async () => {
  const blog = (name: string) => ({
    posts: [post({ id: name.padEnd(24, '0'), slug: `${name}${run}`, html: '<p>a</p>', author_id: '1' })],
    users: [{ id: '1', name, email: `${name}${run}@example.com` }],
  });
  for (const name of ['anna', 'ben']) {
    const { posts } = await take(blog(name));
    expect(posts[0]?.userId).toBe((await admin.authorByEmail(`${name}${run}@example.com`))?.id);
  }
});

it('is told from all other exports where a user has a number alone', async () => {
  const id = 'a'.repeat(24);
  const origin = async (user: object) =>
    (await openCollection('ghost', await take({ posts: [post({ id })], users: [{ name: 'Anna', ...user }] }))).origin;
  expect(await origin({ id: '1' })).toBeUndefined();
  expect(await origin({ id: '1', email: `g${run}@example.com` })).toBe('');
  expect(await origin({ id })).toBe('');
});

it.each([
  { visibility: 'members' },
  { visibility: 'paid' },
  { status: 'sent' },
  { status: 'draft' },
  { status: 'scheduled' },
])('makes nothing public of %j', async (given) => {
  const { posts } = await take({ posts: [post({ html: '<p>a</p>', ...given })], users: users() });
  expect(posts[0]?.status).toBe('inactive');
});

it('takes no password, and nobody signs in with one', async () => {
  const password = '$2a$10$abcdefghijklmnopqrstuuVxS2gT4Z4Jr1v1Q0f0yq0o3ZkF1Yh0K';
  const { posts } = await take({
    posts: [post({ html: '<p>a</p>' })],
    users: users().map((user) => ({ ...user, password })),
  });
  const { endpoint, projectId, apiKey } = site.target;
  const client = new Client().setEndpoint(endpoint).setProject(projectId).setKey(apiKey);
  expect((await new Users(client).get({ userId: posts[0]?.userId ?? '' })).password ?? '').toBe('');
});

it('finds the pictures at __GHOST_URL__ in the content folder', async () => {
  const media = join(site.folder, `media-${run}`);
  await mkdir(join(media, 'content/images/2020'), { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, 'content/images/2020/a.png'), await red.png().toBuffer());
  const html = '<figure><img src="__GHOST_URL__/content/images/size/w600/2020/a.png" alt="r"></figure>';
  const { posts } = await take(
    { posts: [post({ html, feature_image: '__GHOST_URL__/content/images/2020/a.png' })], users: users() },
    media,
  );
  expect(posts[0]?.content).toMatch(/^<figure><img src="\/v1\/storage[^"]*" alt="r" width="9" height="9"><\/figure>$/);
  expect(posts[0]?.content).toContain(posts[0]?.featuredImage);
});

it('renders the Lexical of a draft, and shows a card that it does not know as code', async () => {
  const lexical = JSON.stringify({
    root: {
      children: [
        { type: 'extended-heading', tag: 'h2', children: [{ type: 'extended-text', text: 'H', format: 0 }] },
        { type: 'paragraph', children: [{ type: 'extended-text', text: 'a < b', format: 1 }] },
        { type: 'codeblock', language: 'js', code: 'x' },
        { type: 'strange', word: 'kept' },
      ],
    },
  });
  const { posts, results } = await take({ posts: [post({ html: null, lexical, status: 'draft' })], users: users() });
  expect(posts[0]?.content).toContain(
    '<h2>H</h2>\n<p><strong>a &lt; b</strong></p>\n<pre><code class="language-js">x</code></pre>',
  );
  expect(posts[0]?.content).toContain('"word": "kept"');
  expect(results[0]?.losses).toEqual([expect.stringContaining('"strange"')]);
});

it('renders the Mobiledoc of a draft', async () => {
  const mobiledoc = JSON.stringify({
    version: '0.3.1',
    atoms: [['soft-return', '', {}]],
    cards: [['hr', {}]],
    markups: [['em'], ['a', ['href', 'https://x.test']]],
    sections: [
      [
        1,
        'p',
        [
          [0, [0], 1, 'a'],
          [1, [], 0, 0],
          [0, [1], 1, 'b'],
        ],
      ],
      [10, 0],
      [3, 'ul', [[[0, [], 0, 'c']]]],
    ],
  });
  const { posts } = await take({ posts: [post({ mobiledoc, status: 'draft' })], users: users() });
  expect(posts[0]?.content).toBe('<p><em>a</em><br><a href="https://x.test">b</a></p>\n<hr>\n<ul><li>c</li></ul>');
});

it('refuses what is no JSON, or none of Ghost, in a sentence', async () => {
  await expect(take('{"db":[}')).rejects.toThrow('damaged, or no JSON');
  await expect(take('{"a":1}')).rejects.toThrow('no export of Ghost');
});

it('takes the zip file or the folder of a backup, with its pictures', async () => {
  const importing: Importing = await openImporting();
  try {
    const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
    const html = '<p>x</p><figure><img src="__GHOST_URL__/content/images/2020/a.png" alt="r"></figure>';
    const data = { posts: [post({ html, feature_image_alt: 'f' })], users: users() };
    const files = {
      'backup/data/my-blog.ghost.2020-01-02.json': JSON.stringify({ db: [{ meta: {}, data }] }),
      'backup/content/images/2020/a.png': await red.png().toBuffer(),
      'backup/content/themes/x/package.json': '{"name":"x"}',
    };
    for (const path of [await importing.zip(files), await importing.folder(files)]) {
      const { format, posts, results } = await importing.take(path, { place: 'backup' });
      expect(format).toBe('ghost');
      expect(posts[0]?.content).toMatch(
        /^<p>x<\/p><figure><img src="\/v1\/storage[^"]*" alt="r" width="9" height="9">/,
      );
      expect(results[0]?.losses).toBeUndefined();
    }
  } finally {
    await importing.close();
  }
});

it('names a picture as lost that is neither in the export nor to be had', async () => {
  const html = '<img src="__GHOST_URL__/content/images/gone.png" alt="the gone one">';
  const { posts, results } = await take({ posts: [post({ html })], users: users() });
  expect(posts[0]?.content).toBe('<p>the gone one</p>');
  expect(results[0]?.losses).toEqual([expect.stringContaining('gone.png')]);
});

it('makes nothing public by the clock that was for members', async () => {
  const soon = { status: 'scheduled', published_at: '2999-01-02T03:04:05.000Z', html: '<p>a</p>' };
  const all = [post(soon), post({ ...soon, id: '2', slug: `m${run}`, visibility: 'members' })];
  const { posts } = await take({ posts: all, users: users() });
  expect(posts.map((one) => [one?.status, one?.publishAt ?? ''])).toEqual([
    ['inactive', '2999-01-02T03:04:05.000Z'],
    ['inactive', ''],
  ]);
});

it('reads the Markdown of Ghost 0 and 1 and of cards, with times in milliseconds', async () => {
  const mobiledoc = JSON.stringify({
    version: '0.3.1',
    cards: [['markdown', { markdown: '- *b*' }]],
    sections: [[10, 0]],
  });
  const { posts } = await take({
    posts: [
      post({ html: null, markdown: 'a **c**', published_at: 1577934245000 }),
      post({ id: '2', slug: `card${run}`, mobiledoc, status: 'draft' }),
    ],
    users: users(),
  });
  expect(posts[0]).toMatchObject({
    content: '<p>a <strong>c</strong></p>',
    createdAt: '2020-01-02T03:04:05.000+00:00',
  });
  expect(posts[1]?.content.replace(/\n/g, '')).toBe('<ul><li><em>b</em></li></ul>');
});

it('takes cards without the controls of their players, and names what has no place', async () => {
  const html = [
    '<figure class="kg-card kg-video-card"><div class="kg-video-container"><video src="https://s.test/v.mp4"></video><div class="kg-video-overlay"><button><svg></svg></button></div><div class="kg-video-player-container"><div class="kg-video-player"><span>0:00</span><button>1×</button><svg></svg></div></div></div></figure>',
    '<div class="kg-card kg-audio-card"><img class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-thumbnail placeholder"><svg></svg></div><div class="kg-audio-player-container"><audio src="https://s.test/a.mp3"></audio><div class="kg-audio-title">A song</div><div class="kg-audio-player"><span>0:00</span><svg></svg></div></div></div>',
    '<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4>Why</h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>Because.</p></div></div>',
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://b.test/"><div class="kg-bookmark-metadata"><span class="kg-bookmark-author">Ann</span><span class="kg-bookmark-publisher">Press</span></div></a></figure>',
  ].join('');
  const caption = { feature_image_caption: 'By <a href="https://p.test">Ben</a>' };
  const { posts, results } = await take({ posts: [post({ html, ...caption })], users: users() });
  expect(results[0]?.losses).toBeUndefined();
  expect(results[0]?.notes.join()).toContain('the caption of the featured picture: By Ben');
  for (const words of ['https://s.test/v.mp4', 'A song', 'https://s.test/a.mp3', 'Why', 'Because.', 'Ann Press'])
    expect(posts[0]?.content).toContain(words);
  expect(posts[0]?.content).not.toMatch(/0:00|1×/);
});
