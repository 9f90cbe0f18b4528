/**
 * Compares every page byte for byte with an uncached render, after each kind of change of a post. Pages that a change
 * does not concern are checked as well: an edit of one post must not render all lists again.
 */
import { Databases, Query, Users } from 'node-appwrite';
import { createPublicReader, type PublicReader } from '#backend/server.ts';
import { postPermissions } from '#blog/permissions.ts';
import { storedPaths } from '#blog/routes/table.ts';
import { picture } from './pictures.ts';
import { expect, ownSite, type RunningSite, removeSite, test, type Writer } from './site.ts';

const TOKEN = 'token-of-the-operator';
const IDS = { databaseId: 'blog', collectionId: 'articles' } as const;
/** FULL_YEAR exceeds the posts on one page of a year. */
const POSTS = 240;
const FULL_YEAR = 210;
/** A post with a picture in the middle of the lists and of the full year. */
const SLUG = 'post-100';
const READERS = 8;
/** Each test renders a few hundred pages, which takes long on a busy machine. */
const PATIENCE = { timeout: 120_000 };

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

const dateOf = (n: number): string =>
  new Date(n < FULL_YEAR ? Date.UTC(2024, 11, 30, 0, -n) : Date.UTC(2023 - (n % 4), 5, 1, 0, -n)).toISOString();

test.describe.configure(PATIENCE);
test.beforeAll(async () => {
  site = await ownSite({ environment: { REBUILD_TOKEN: TOKEN } });
  [ada, bob] = [await site.writer('Ada Sample'), await site.writer('Bob Sample')];
  otherPicture = await site.upload(ada, await picture(), 'other.png');
  const shown = await site.upload(ada, await picture(), 'picture.png');
  databases = new Databases(site.admin());
  const documents = Array.from({ length: POSTS }, (_, n) => {
    const { id: userId } = n % 5 === 0 && n !== 100 ? bob : ada;
    return {
      $id: `post-${n}`,
      $createdAt: dateOf(n),
      $permissions: postPermissions('active', userId),
      title: `Title ${n}`,
      content: `<h2>Part</h2><p>Text of post ${n}.</p>`,
      featuredImage: n % 20 === 1 ? '' : shown,
      status: 'active',
      userId,
    };
  });
  for (let at = 0; at < POSTS; at += 80)
    await databases.createDocuments({ ...IDS, documents: documents.slice(at, at + 80) });
  reader = createPublicReader({ endpoint: `${site.url}/v1`, projectId: 'common-ink', ...IDS });
  await expect.poll(async () => [...(await pages()).values()].every(({ isHit }) => isHit), PATIENCE).toBe(true);
});
test.afterAll(() => removeSite(site));

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

/** Reads a page again while it is stale: a write is answered after 20 ms, before slower renders are done. */
async function read(path: string): Promise<Seen> {
  for (;;) {
    const response = await fetch(site.url + path, { redirect: 'manual' });
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    const state = response.headers.get('x-page') ?? '';
    if (!state.startsWith('stale')) return { status: response.status, text, isHit: state.startsWith('hit') };
  }
}

async function rebuild(): Promise<void> {
  const response = await fetch(`${site.url}/api/rebuild`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ all: true }),
  });
  if (!response.ok) throw new Error(`The rebuild was answered ${response.status}: ${await response.text()}`);
}

/** Lists differences in one line each, because two whole pages would fill the screen. */
function differences(one: ReadonlyMap<string, Seen>, other: ReadonlyMap<string, Seen>): string[] {
  return [...one].flatMap(([path, { status, text }]) => {
    const now = other.get(path);
    if (now && now.status === status && now.text === text) return [];
    const at = [...text].findIndex((letter, i) => letter !== now?.text[i]);
    return [`${path}: ${status} "${text.slice(at, at + 60)}" is ${now?.status} "${now?.text.slice(at, at + 60)}"`];
  });
}

const update = (data: object, documentId = SLUG, permissions?: string[]) =>
  databases.updateDocument({ ...IDS, documentId, data, ...(permissions && { permissions }) });

interface Change {
  readonly of: string;
  readonly make: () => Promise<unknown>;
  /** Pages that the change renders, at the latest on request; absent if it may render any page. */
  readonly renders?: RegExp;
}

/** Pages that the write renders itself, which are ready when it is answered. */
const OF_THE_POST = /^\/post\/post-(?:99|100|101)$|^\/page\/5$|^\/author\/[^/]+\/page\/4$/;
const SITEMAP = /^\/sitemap/;
const either = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'));

const CHANGES: readonly Change[] = [
  {
    of: 'its text',
    make: () => update({ content: '<p>Another text.</p>' }),
    renders: either(OF_THE_POST, SITEMAP, /^\/archive\/2024$/),
  },
  {
    of: 'its title',
    make: () => update({ title: 'Another title' }),
    renders: either(OF_THE_POST, SITEMAP, /^\/archive\/2024$/),
  },
  {
    of: 'the newest post’s title and text',
    make: () => update({ title: 'The newest title', content: '<p>The newest text.</p>' }, 'post-0'),
  },
  { of: 'the title of a post without a picture', make: () => update({ title: 'Drawn title' }, 'post-21') },
  { of: 'nothing', make: () => update({ title: 'Another title' }) },
  { of: 'its picture', make: () => update({ featuredImage: otherPicture }) },
  { of: 'its picture, which is taken away', make: () => update({ featuredImage: '' }) },
  { of: 'its picture, which is set', make: () => update({ featuredImage: otherPicture }) },
  { of: 'its author', make: () => update({ userId: bob.id }, SLUG, postPermissions('active', bob.id)) },
  { of: 'its author, who does not own it', make: () => update({ userId: ada.id }) },
  { of: 'its author and owner', make: () => update({ userId: ada.id }, SLUG, postPermissions('active', ada.id)) },
  { of: 'its day', make: () => update({ $createdAt: '2024-11-11T11:11:11.000+00:00' }) },
  { of: 'its year', make: () => update({ $createdAt: '2021-11-11T11:11:11.000+00:00' }) },
  { of: 'its date of change', make: () => update({ $updatedAt: '2031-01-01T00:00:00.000+00:00' }) },
  { of: 'its status', make: () => update({ status: 'inactive' }) },
  { of: 'its title while it is not public', make: () => update({ title: 'A hidden title' }) },
  { of: 'its status, to public again', make: () => update({ status: 'active' }) },
  { of: 'its permissions', make: () => update({}, SLUG, postPermissions('inactive', ada.id)) },
  { of: 'its permissions, to public again', make: () => update({}, SLUG, postPermissions('active', ada.id)) },
  { of: 'its existence', make: () => databases.deleteDocument({ ...IDS, documentId: SLUG }) },
  {
    of: 'its existence, under another address',
    make: () => {
      const data = { title: 'New', content: '<p>New.</p>', featuredImage: '', status: 'active', userId: ada.id };
      const permissions = postPermissions('active', ada.id);
      return databases.createDocument({ ...IDS, documentId: 'post-new', data, permissions });
    },
  },
  {
    of: 'titles of many posts at once',
    make: () => {
      const data: object = { title: 'One of many' };
      const queries = [Query.startsWith('title', 'Title 1'), Query.limit(100)];
      return databases.updateDocuments({ ...IDS, data, queries });
    },
  },
  { of: 'its author’s name', make: () => new Users(site.admin()).updateName({ userId: ada.id, name: 'Ada Other' }) },
];

for (const { of, make, renders } of CHANGES) {
  test(`no page is old after a change of ${of} @embedded`, async () => {
    const before = await pages();
    expect([...before].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([]);
    await make();
    const shown = await pages(before.keys());
    await rebuild();
    expect(differences(shown, await pages(before.keys()))).toEqual([]);
    if (!renders) return;
    const rendered = [...shown].filter(([, { isHit }]) => !isHit).map(([path]) => path);
    expect(rendered.filter((path) => !renders.test(path))).toEqual([]);
  });
}
