/**
 * Compares every page byte for byte with an uncached render after each kind of change to a post. Also checks the pages
 * that a change does not affect: editing one post must not render all lists again.
 */
import { Databases, Query, Users } from 'node-appwrite';
import { createPublicReader, type PublicReader } from '#backend/server.ts';
import { postPermissions } from '#blog/permissions.ts';
import { storedPaths } from '#blog/routes/table.ts';
import { createPosts } from '../support/bulk-posts.ts';
import { picture } from './pictures.ts';
import { ARTICLES, expect, ownSite, type RunningSite, test, type Writer } from './site.ts';

/** FULL_YEAR of the posts are from 2024: more than the 200 that fit on one page of a year's archive. */
const POSTS = 212;
const FULL_YEAR = 204;
/** The post that the tests change. It has a picture and is in the middle of the lists and of the full year. */
const SLUG = 'post-100';
const READERS = 8;

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly isHit: boolean;
}

let site: RunningSite;
let ada: Writer;
let bob: Writer;
let reader: PublicReader;
let databases: Databases;
let otherPicture: string;
/** Every page by path, as rendered after the previous test. */
let before: Map<string, Seen>;

const dateOf = (n: number): string =>
  new Date(n < FULL_YEAR ? Date.UTC(2024, 11, 30, 0, -n) : Date.UTC(2023 - (n % 4), 5, 1, 0, -n)).toISOString();

// Runs the tests in sequence, because each one starts from the pages of the previous one and renders a few hundred.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  site = await ownSite({ environment: { REBUILD_TOKEN: 'token-of-the-operator' } });
  [ada, bob] = [await site.writer('Ada Sample'), await site.writer('Bob Sample')];
  otherPicture = await site.upload(ada, await picture(), 'other.png');
  const shown = await site.upload(ada, await picture(), 'picture.png');
  databases = new Databases(site.admin());
  await createPosts(site.admin(), ada.id, POSTS, (n) => ({
    $createdAt: dateOf(n),
    title: `Title ${n}`,
    content: `<h2>Part</h2><p>Text of post ${n}.</p>`,
    featuredImage: n % 20 === 1 ? '' : shown,
    ...(n % 5 === 0 && n !== 100 && { userId: bob.id }),
  }));
  reader = createPublicReader({ endpoint: `${site.url}/v1`, projectId: 'common-ink', ...ARTICLES });
  const isStored = async () => {
    before = await pages();
    return [...before.values()].every(({ isHit }) => isHit);
  };
  await expect.poll(isStored, { timeout: 600_000 }).toBe(true);
});
test.afterAll(() => site[Symbol.asyncDispose]());

async function pages(more: Iterable<string> = []): Promise<Map<string, Seen>> {
  const paths = [...new Set([...storedPaths(await reader.everyPost()), ...more])];
  const seen = new Map<string, Seen>();
  const left = paths.values();
  const readAll = async () => {
    for (const path of left) seen.set(path, await read(path));
  };
  await Promise.all(Array.from({ length: READERS }, readAll));
  return seen;
}

/**
 * Reads a page until it is up to date: a write waits at most 20 ms for its pages, and a busy site answers 503 if it
 * could not render a page in time.
 */
async function read(path: string): Promise<Seen> {
  for (;;) {
    const response = await fetch(site.url + path, { redirect: 'manual' });
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    const state = response.headers.get('x-page') ?? '';
    if (response.status === 503 || state.startsWith('stale')) continue;
    return { status: response.status, text, isHit: state.startsWith('hit') };
  }
}

/** Returns one line for each page that differs, because two complete pages would fill the screen. */
function differences(one: ReadonlyMap<string, Seen>, other: ReadonlyMap<string, Seen>): string[] {
  return [...one].flatMap(([path, { status, text }]) => {
    const now = other.get(path);
    if (now && now.status === status && now.text === text) return [];
    const at = [...text].findIndex((letter, i) => letter !== now?.text[i]);
    return [`${path}: ${status} "${text.slice(at, at + 60)}" is ${now?.status} "${now?.text.slice(at, at + 60)}"`];
  });
}

const update = (data: object, documentId = SLUG, permissions?: string[]) =>
  databases.updateDocument({ ...ARTICLES, documentId, data, ...(permissions && { permissions }) });

/** Matches the post's page, its neighbours' pages and the pages of the home and author lists that show the post. */
const OF_THE_POST = /^\/post\/post-(?:99|100|101)$|^\/page\/5$|^\/author\/[^/]+\/page\/4$/;
const SITEMAP = /^\/sitemap/;
const OF_AN_EDIT = new RegExp([OF_THE_POST, SITEMAP, /^\/archive\/2024$/].map(({ source }) => source).join('|'));

const ONE_OF_MANY = {
  data: { title: 'One of many' } as object,
  queries: [Query.startsWith('title', 'Title 1'), Query.limit(100)],
};

/** Each change and the pages it may cause to be re-rendered, at once or on request (default: any page). */
const CHANGES: readonly (readonly [of: string, make: () => Promise<unknown>, renders?: RegExp])[] = [
  ['its text', () => update({ content: '<p>Another text.</p>' }), OF_AN_EDIT],
  ['its title', () => update({ title: 'Another title' }), OF_AN_EDIT],
  ['the newest post’s title and text', () => update({ title: 'The newest', content: '<p>Newest text.</p>' }, 'post-0')],
  ['the title of a post without a picture', () => update({ title: 'Drawn title' }, 'post-21')],
  ['nothing', () => update({ title: 'Another title' })],
  ['its picture', () => update({ featuredImage: otherPicture })],
  ['its picture, to none', () => update({ featuredImage: '' })],
  ['its picture, from none', () => update({ featuredImage: otherPicture })],
  ['its author', () => update({ userId: bob.id }, SLUG, postPermissions('active', bob.id))],
  ['its author to a user who does not own it', () => update({ userId: ada.id })],
  ['its author and owner', () => update({ userId: ada.id }, SLUG, postPermissions('active', ada.id))],
  ['its day', () => update({ $createdAt: '2024-11-11T11:11:11.000+00:00' })],
  ['its year', () => update({ $createdAt: '2021-11-11T11:11:11.000+00:00' })],
  ['its date of change', () => update({ $updatedAt: '2031-01-01T00:00:00.000+00:00' })],
  ['its status', () => update({ status: 'inactive' })],
  ['its title while it is not public', () => update({ title: 'A hidden title' })],
  ['its status, to public again', () => update({ status: 'active' })],
  ['its permissions', () => update({}, SLUG, postPermissions('inactive', ada.id))],
  ['its permissions, to public again', () => update({}, SLUG, postPermissions('active', ada.id))],
  ['its existence', () => databases.deleteDocument({ ...ARTICLES, documentId: SLUG })],
  ['its existence, under another address', () => site.publishText(ada, 'New', 'post-new')],
  ['titles of many posts at once', () => databases.updateDocuments({ ...ARTICLES, ...ONE_OF_MANY })],
  ['its author’s name', () => new Users(site.admin()).updateName({ userId: ada.id, name: 'Ada Other' })],
];

/**
 * If a post names an author who does not own it, lists leave it out. They then either take a post from the next page or
 * have one fewer, depending on the server's cache. Both are up to date.
 */
const FORGERY = 'its author to a user who does not own it';
const FILLED = /^\/(?:page|author)\//;

for (const [of, make, renders] of CHANGES) {
  test(`no page is old after a change of ${of} @embedded`, async () => {
    await make();
    const shown = await pages(before.keys());
    // A busy site answers 503 if it could not render a page in time.
    await expect.poll(async () => (await site.rebuild()).status, { timeout: 600_000 }).toBe(200);
    const fresh = await pages(before.keys());
    const current = new Set(storedPaths(await reader.everyPost()));
    before = new Map([...fresh].filter(([path]) => current.has(path)));
    const isForged = of === FORGERY;
    expect(differences(isForged ? new Map([...shown].filter(([path]) => !FILLED.test(path))) : shown, fresh)).toEqual(
      [],
    );
    if (isForged) {
      const showing = [...shown].filter(([path, { text }]) => FILLED.test(path) && text.includes(`/post/${SLUG}"`));
      expect(showing.map(([path]) => path)).toEqual([]);
    }
    expect([...before].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([]);
    if (!renders) return;
    const rendered = [...shown].filter(([, { isHit }]) => !isHit).map(([path]) => path);
    expect(rendered.filter((path) => !renders.test(path))).toEqual([]);
  });
}
