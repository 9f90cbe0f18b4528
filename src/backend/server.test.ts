import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedSite, openEmbeddedSite } from '../../tests/support/embedded-site.ts';
import { BackendUnavailable, createPublicReader, type PublicReader } from './server.ts';
import { type Admin, createAdmin } from './server-key/admin.ts';

let site: EmbeddedSite;
let admin: Admin;
let reader: PublicReader;
let ann: string;

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000+00:00`;
const write = (id: string, n: number, change: object = {}) =>
  admin.createPost({
    id,
    title: id,
    content: '<p>x</p>',
    featuredImage: '',
    status: 'active',
    userId: ann,
    createdAt: day(n),
    ...change,
  });

beforeAll(async () => {
  site = await openEmbeddedSite();
  admin = createAdmin(site.target);
  reader = createPublicReader(site.target);
  ann = (await admin.createAuthor({ email: 'ann@example.com', name: 'Ann' })).user.id;
  await write('first', 1);
  await write('second', 2);
  await write('hidden', 3, { status: 'inactive' });
  await write('third', 4);
});
afterAll(() => site.close());

describe('the public reader', () => {
  it('lists active posts, newest first, by pages', async () => {
    const page = await reader.page(1, 2);
    expect(page.posts.map(({ id }) => id)).toEqual(['third', 'second']);
    expect([page.total, page.pages]).toEqual([3, 2]);
    expect((await reader.page(2, 2)).posts.map(({ id }) => id)).toEqual(['first']);
    expect((await reader.page(9, 2)).posts).toEqual([]);
  });

  it('gives a post with its date, and nothing for an inactive, unknown or impossible slug', async () => {
    expect(await reader.post('first')).toMatchObject({
      title: 'first',
      content: '<p>x</p>',
      userId: ann,
      createdAt: day(1),
    });
    for (const slug of ['hidden', 'nonesuch', '-bad', 'a'.repeat(37), '../users'])
      expect(await reader.post(slug)).toBeUndefined();
  });

  it('finds the posts before and after, passing over inactive ones', async () => {
    const second = (await reader.post('second')) ?? expect.fail();
    const { previous, next } = await reader.adjacentPosts(second.id);
    expect([previous?.id, next?.id]).toEqual(['first', 'third']);
    const third = (await reader.post('third')) ?? expect.fail();
    expect(await reader.adjacentPosts(third.id)).toMatchObject({ previous: { id: 'second' } });
    expect((await reader.adjacentPosts(third.id)).next).toBeUndefined();
  });

  it('gives a post that is deleted meanwhile no adjacent posts', async () => {
    await write('fleeting', 5);
    const { endpoint, apiKey, databaseId, collectionId } = site.target;
    await fetch(`${endpoint}/databases/${databaseId}/collections/${collectionId}/documents/fleeting`, {
      method: 'DELETE',
      headers: { 'x-appwrite-project': 'common-ink', 'x-appwrite-key': apiKey },
    });
    expect(await reader.adjacentPosts('fleeting')).toEqual({});
  });

  it('neither lists nor shows a post whose permissions name another author', async () => {
    const forged = {
      data: { title: 'Forged', status: 'active', userId: ann },
      documentId: 'forged',
      permissions: ['read("any")', 'update("user:eve")'],
    };
    const { endpoint, apiKey, databaseId, collectionId } = site.target;
    const answer = await fetch(`${endpoint}/databases/${databaseId}/collections/${collectionId}/documents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-appwrite-project': 'common-ink', 'x-appwrite-key': apiKey },
      body: JSON.stringify(forged),
    });
    expect(answer.status).toBe(201);
    expect(await reader.post('forged')).toBeUndefined();
    expect((await reader.page(1, 24)).posts.map(({ id }) => id)).not.toContain('forged');
  });

  it('finds posts by their slugs, but none that is inactive, in another’s name, or gone', async () => {
    const slugs = ['first', 'hidden', 'forged', 'nonesuch', '-bad'];
    expect((await reader.postsBySlug(slugs)).map(({ id, userId }) => [id, userId])).toEqual([['first', ann]]);
    expect(await reader.postsBySlug(['-bad'])).toEqual([]);
  });

  it('names authors by key, and nobody without one', async () => {
    expect(await reader.authorName(ann)).toBe('Ann');
    expect(await reader.authorName('nobody')).toBe('');
    expect(await createPublicReader({ ...site.target, apiKey: undefined }).authorName(ann)).toBe('');
  });

  it('remembers a name until it hears that names changed', async () => {
    const { endpoint, apiKey } = site.target;
    const own = createPublicReader(site.target);
    const rename = (name: string) =>
      fetch(`${endpoint}/users/${ann}/name`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-appwrite-project': 'common-ink', 'x-appwrite-key': apiKey },
        body: JSON.stringify({ name }),
      });
    expect(await own.authorName(ann)).toBe('Ann');
    expect((await rename('Anna')).status).toBe(200);
    own.forget({ names: false });
    expect(await own.authorName(ann)).toBe('Ann');
    own.forget();
    expect(await own.authorName(ann)).toBe('Anna');
    await rename('Ann');
  });

  it('says that the backend is unavailable, whatever the reason', async () => {
    const lost = createPublicReader({ ...site.target, endpoint: 'http://127.0.0.1:9/v1' });
    await expect(lost.page(1, 24)).rejects.toThrow(new BackendUnavailable('Failed to fetch posts'));
    await expect(lost.post('first')).rejects.toThrow(new BackendUnavailable('Failed to fetch post'));
    await expect(lost.adjacentPosts('first')).rejects.toThrow(new BackendUnavailable('Failed to fetch post'));
    const wrong = createPublicReader({ ...site.target, databaseId: 'elsewhere' });
    await expect(wrong.post('first')).rejects.toThrow(BackendUnavailable);
  });
});
