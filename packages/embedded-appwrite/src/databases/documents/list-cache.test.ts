import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queries, type Send, startBackend, type TestBackend } from '../../../tests/support/databases.ts';
import { ListCache } from './list-cache.ts';

const LIST = '/databases/d/collections/c/documents';
const PUBLIC = ['read("any")'];

let backend: TestBackend;

beforeAll(async () => {
  backend = await startBackend();
  const { key } = backend;
  await key('POST', '/databases', { databaseId: 'd', name: 'D' });
  await key('POST', '/databases/d/collections', {
    collectionId: 'c',
    name: 'C',
    documentSecurity: true,
    permissions: ['create("users")'],
  });
  await key('POST', '/databases/d/collections/c/attributes/string', { key: 'title', size: 20_000, required: true });
  await key('POST', '/databases/d/collections/c/attributes/integer', { key: 'n', required: false });
});
afterAll(() => backend.close());

const asked = `${LIST}?${queries({ method: 'orderAsc', attribute: '$id' })}`;

/** Asks until the answer is one that was kept: a list is kept when asked for twice. */
async function titles(send: Send, path = asked): Promise<string[]> {
  await send('GET', path);
  await send('GET', path);
  const { body } = await send('GET', path);
  expect(body.total).toBe(body.documents.length);
  return body.documents.map(({ title }: { title: string }) => title);
}

describe('a list that is asked for again and again', () => {
  it('is another one after each kind of write', async () => {
    const { key, guest } = backend;
    expect(await titles(guest)).toEqual([]);
    const add = (id: string, title: string, permissions = PUBLIC) =>
      key('POST', LIST, { documentId: id, data: { title, n: 1 }, permissions });
    await add('a', 'Ink');
    expect(await titles(guest)).toEqual(['Ink']);
    await add('b', 'Päper 紙');
    expect(await titles(guest)).toEqual(['Ink', 'Päper 紙']);
    await key('PATCH', `${LIST}/a`, { data: { title: 'Quill' } });
    expect(await titles(guest)).toEqual(['Quill', 'Päper 紙']);
    await key('PATCH', `${LIST}/b`, { permissions: [] });
    expect(await titles(guest)).toEqual(['Quill']);
    expect(await titles(key)).toEqual(['Quill', 'Päper 紙']);
    await key('PATCH', `${LIST}/b`, { permissions: PUBLIC });
    await key('PATCH', LIST, { data: { title: 'All' } });
    expect(await titles(guest)).toEqual(['All', 'All']);
    await key('PUT', `${LIST}/c`, { data: { title: 'New' }, permissions: PUBLIC });
    expect(await titles(guest)).toEqual(['All', 'All', 'New']);
    await key('DELETE', `${LIST}/a`);
    expect(await titles(guest)).toEqual(['All', 'New']);
    const numbers = async () => (await guest('GET', asked)).body.documents.map(({ n }: { n: number }) => n);
    await titles(guest);
    await key('PATCH', `${LIST}/b/n/increment`, { value: 4 });
    expect(await numbers()).toEqual([5, null]);
    await key('POST', '/databases/d/collections/c/attributes/boolean', { key: 'late', required: false });
    expect((await guest('GET', asked)).body.documents[0]).toHaveProperty('late', null);
    await key('DELETE', LIST);
    expect(await titles(guest)).toEqual([]);
  });

  it('is no other caller’s, nor another selection’s', async () => {
    const { key, guest, user } = backend;
    const [ann, ben] = [await user('ann'), await user('ben')];
    await key('POST', LIST, { documentId: 'open', data: { title: 'Open' }, permissions: PUBLIC });
    await ann('POST', LIST, { documentId: 'own', data: { title: 'Own' } });
    expect(await titles(ann)).toEqual(['Open', 'Own']);
    expect(await titles(ben)).toEqual(['Open']);
    expect(await titles(guest)).toEqual(['Open']);
    const selected = `${asked}&queries[1]=${encodeURIComponent(JSON.stringify({ method: 'select', values: ['n'] }))}`;
    for (let i = 0; i < 3; i++) {
      expect((await guest('GET', selected)).body.documents[0]).not.toHaveProperty('title');
      expect((await guest('GET', `${asked}&total=false`)).body.total).toBe(0);
    }
    await key('DELETE', LIST);
  });

  it('comes whole when it is long, in any script', async () => {
    const { key, guest } = backend;
    const long = ['plain '.repeat(2000), 'größe '.repeat(2000), '漢字 𝒳 '.repeat(2000)];
    for (const [i, title] of long.entries()) {
      await key('POST', LIST, { documentId: `l${i}`, data: { title }, permissions: PUBLIC });
    }
    for (let i = 0; i < 3; i++) {
      const { body, headers, text } = await guest('GET', asked);
      expect(body.documents.map(({ title }: { title: string }) => title)).toEqual(long);
      expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    }
    await key('DELETE', LIST);
  });
});

describe('the cache of lists', () => {
  it('keeps what is asked for twice, and no more than its limit', () => {
    const cache = new ListCache(80);
    for (let i = 0; i < 9; i++) {
      cache.offer(`key${i}`, [Buffer.alloc(4), Buffer.alloc(6)]);
      expect(cache.get(`key${i}`)).toBeUndefined();
      cache.offer(`key${i}`, [Buffer.alloc(4), Buffer.alloc(6)]);
      expect(cache.get(`key${i}`)?.length).toBe(10);
    }
    expect(cache.get('key0')).toBeUndefined();
    expect(cache.get('key1')?.length).toBe(10);
  });

  it('does not take a list that would displace many others', () => {
    const cache = new ListCache(80);
    cache.offer('long', [Buffer.alloc(11)]);
    cache.offer('long', [Buffer.alloc(11)]);
    expect(cache.get('long')).toBeUndefined();
  });
});
