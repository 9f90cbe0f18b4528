import { expect, it, onTestFinished, vi } from 'vitest';
import { ARTICLES, contentOf } from '../../tests/support/content.ts';
import { sharedSite } from '../../tests/support/shared-site.ts';
import { createPublicReader } from './server.ts';
import { createAdmin } from './server-key/admin.ts';

const site = await sharedSite();
const admin = createAdmin(site.target);
const reader = createPublicReader(site.target);
const { databases, users } = contentOf(site);
const ann = (await admin.createAuthor({ email: 'ann@example.com', name: 'Ann' })).user.id;

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000+00:00`;
const write = (id: string, n: number, status: 'active' | 'inactive' = 'active') =>
  admin.createPost({ id, title: id, content: '<p>x</p>', featuredImage: '', status, userId: ann, createdAt: day(n) });
await write('first', 1);
await write('second', 2);
await write('hidden', 3, 'inactive');
await write('third', 4);

it('lists active posts, newest first, by pages', async () => {
  const page = await reader.page(1, 2);
  expect(page.posts.map(({ id }) => id)).toEqual(['third', 'second']);
  expect([page.total, page.pages]).toEqual([3, 2]);
  expect((await reader.page(2, 2)).posts.map(({ id }) => id)).toEqual(['first']);
  expect((await reader.page(9, 2)).posts).toEqual([]);
});

it('gives a post with its date, and nothing for an inactive, unknown or impossible slug', async () => {
  const first = { title: 'first', content: '<p>x</p>', userId: ann, createdAt: day(1) };
  expect(await reader.post('first')).toMatchObject(first);
  for (const slug of ['hidden', 'nonesuch', '-bad', 'a'.repeat(37), '../users'])
    expect(await reader.post(slug)).toBeUndefined();
});

it('finds the posts before and after, passing over inactive ones', async () => {
  const { previous, next } = await reader.adjacentPosts('second');
  expect([previous?.id, next?.id]).toEqual(['first', 'third']);
  const last = await reader.adjacentPosts('third');
  expect([last.previous?.id, last.next]).toEqual(['second', undefined]);
});

it('gives a post that is deleted meanwhile no adjacent posts', async () => {
  await write('fleeting', 5);
  await databases.deleteDocument({ ...ARTICLES, documentId: 'fleeting' });
  expect(await reader.adjacentPosts('fleeting')).toEqual({});
});

it('neither lists nor shows a post whose permissions name another author', async () => {
  const data = { title: 'Forged', status: 'active', userId: ann };
  const permissions = ['read("any")', 'update("user:eve")'];
  await databases.createDocument({ ...ARTICLES, documentId: 'forged', data, permissions });
  expect(await reader.post('forged')).toBeUndefined();
  expect((await reader.page(1, 24)).posts.map(({ id }) => id)).not.toContain('forged');
});

it('finds posts by their slugs, but none that is inactive, in another’s name, or gone', async () => {
  const slugs = ['first', 'hidden', 'forged', 'nonesuch', '-bad'];
  expect((await reader.postsBySlug(slugs)).map(({ id, userId }) => [id, userId])).toEqual([['first', ann]]);
  expect(await reader.postsBySlug(['-bad'])).toEqual([]);
});

it('keeps pages out of every list, and finds them by slug, by words and for the sitemap', async () => {
  const page = { title: 'Colophon', content: '<p>colophon</p>', featuredImage: '', tags: ['Site'] };
  const kinds = { colophon: 'page', imprint: 'page-with-byline' } as const;
  for (const [id, kind] of Object.entries(kinds))
    await admin.createPost({ ...page, id, kind, status: 'active', userId: ann, createdAt: day(3) });
  reader.forget();
  expect((await reader.post('colophon'))?.kind).toBe('page');
  const lists = {
    page: (await reader.page(1, 24)).posts,
    summaries: (await reader.summaries(1, 24)).posts,
    recent: await reader.recent(),
    every: await reader.everyPost(),
    ofAuthor: await reader.everyPost({ userId: ann }),
    ofPeriod: await reader.everyPost({ from: day(1), until: day(20) }),
    ofTag: await reader.everyPost({ tag: 'site' }),
  };
  const showing = Object.entries(lists).filter(([, posts]) => posts.some(({ id }) => id in kinds));
  expect(showing.map(([name]) => name)).toEqual([]);
  expect((await reader.summaries(1, 1)).total).toBe(lists.every.length + 1);
  expect((await reader.adjacentPosts('second')).next?.id).toBe('third');
  const all = (await reader.everyPost({ withPages: true })).map(({ id }) => id);
  expect(all).toEqual(expect.arrayContaining(['colophon', 'imprint', 'first']));
  expect((await reader.search(['colophon'])).posts.map(({ id }) => id).sort()).toEqual(Object.keys(kinds));
  expect((await reader.postsBySlug(['imprint', 'first'])).map(({ id }) => id).sort()).toEqual(['first', 'imprint']);
});

it('names authors by key, and nobody without one', async () => {
  expect(await reader.authorName(ann)).toBe('Ann');
  expect(await reader.authorName('nobody')).toBe('');
  expect(await createPublicReader({ ...site.target, apiKey: undefined }).authorName(ann)).toBe('');
});

it('remembers a name until it hears that names changed', async () => {
  // A name is remembered for ten seconds at most, and on a busy machine the test may take longer.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = createPublicReader(site.target);
  expect(await own.authorName(ann)).toBe('Ann');
  await users.updateName({ userId: ann, name: 'Anna' });
  own.forget({ names: false });
  expect(await own.authorName(ann)).toBe('Ann');
  own.forget();
  expect(await own.authorName(ann)).toBe('Anna');
  await users.updateName({ userId: ann, name: 'Ann' });
});

it('says that the backend is unavailable, whatever the reason', async () => {
  const lost = createPublicReader({ ...site.target, endpoint: 'http://127.0.0.1:9/v1' });
  await expect(lost.page(1, 24)).rejects.toMatchObject({ code: 'unavailable', message: 'Failed to fetch posts' });
  const ofPost = { code: 'unavailable', message: 'Failed to fetch post' };
  await expect(lost.post('first')).rejects.toMatchObject(ofPost);
  await expect(lost.adjacentPosts('first')).rejects.toMatchObject(ofPost);
  const wrong = createPublicReader({ ...site.target, databaseId: 'elsewhere' });
  await expect(wrong.post('first')).rejects.toMatchObject({ code: 'unavailable' });
});
