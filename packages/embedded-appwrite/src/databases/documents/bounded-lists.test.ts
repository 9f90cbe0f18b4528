import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queries, startTestBackend, type TestBackend } from '../../../tests/support/backend.ts';

const LIST = '/databases/d/collections/c/documents';
const MEBIBYTE = 1024 * 1024;
/** A list may hold nineteen of these documents, but not twenty. */
const COUNT = 20;
const LONG = Math.floor((16.4 * MEBIBYTE) / COUNT);

let backend: TestBackend;
let user: { cookies: string };

beforeAll(async () => {
  backend = await startTestBackend();
  user = await backend.signUp('ann@example.com');
  const make = async (path: string, body: object) => {
    const { status, text } = await backend.request('POST', path, { asKey: true, body });
    if (status >= 300) throw new Error(text);
  };
  await make('/databases', { databaseId: 'd', name: 'D' });
  await make('/databases/d/collections', { collectionId: 'c', name: 'C', permissions: ['read("any")'] });
  await make('/databases/d/collections/c/attributes/string', { key: 'text', size: 2_000_000, required: true });
  await make('/databases/d/collections/c/attributes/string', { key: 'title', size: 100, required: true });
  await make('/databases/d/collections/c/indexes', { key: 'words', type: 'fulltext', attributes: ['title'] });
  for (let n = 0; n < COUNT; n++) {
    await make(LIST, {
      documentId: `d${n}`,
      data: { title: `Title ${n % 2 ? 'odd' : 'even'}`, text: 'a'.repeat(LONG) },
    });
  }
});
afterAll(() => backend.stop());

const list = (options: object, ...asked: object[]) => backend.request('GET', `${LIST}?${queries(...asked)}`, options);
const limit = (count: number) => ({ method: 'limit', values: [count] });
const text = (method: string, ...values: string[]) => ({ method, attribute: 'text', values });
const guest = {};
const key = { asKey: true };

describe('a list of long documents', () => {
  it('is answered whole up to 16 MiB, and says beyond what to ask for', async () => {
    const most = await list(guest, limit(COUNT - 1));
    expect(most.status).toBe(200);
    expect(most.text.length).toBeGreaterThan(15 * MEBIBYTE);
    expect(most.body.documents).toHaveLength(COUNT - 1);
    expect(most.body.total).toBe(COUNT);
    for (const count of [COUNT, 1e9]) {
      const { status, body } = await list(guest, limit(count));
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'general_query_limit_exceeded' });
      expect(body.message).toMatch(/more than 16 MiB\. Ask for fewer .* select/);
    }
  });

  it('has no most for a server key', async () => {
    const { status, body } = await list(key, limit(1e9));
    expect(status).toBe(200);
    expect(body.documents).toHaveLength(COUNT);
  });

  it('is short when it selects what is short', async () => {
    const { status, body, headers } = await list(guest, limit(1000), { method: 'select', values: ['title'] });
    expect(status).toBe(200);
    expect(body.documents).toHaveLength(COUNT);
    expect(headers.get('content-length')).not.toBeNull();
  });

  it('is the same whether it is made at once or in pieces', async () => {
    const selected = { method: 'select', values: ['title'] };
    const [short, long] = [await list(guest, limit(1000), selected), await list(guest, limit(1001), selected)];
    expect(long.headers.get('content-length')).toBeNull();
    expect(long.text).toBe(short.text);
  });

  it('leaves out what was hidden while it was read', async () => {
    const { body } = await backend.request('POST', '/databases/d/collections', {
      asKey: true,
      body: { collectionId: 'secured', name: 'S', documentSecurity: true, permissions: [] },
    });
    expect(body.$id).toBe('secured');
    const path = '/databases/d/collections/secured';
    await backend.request('POST', `${path}/attributes/string`, {
      asKey: true,
      body: { key: 'text', size: 2_000_000, required: true },
    });
    for (let n = 0; n < 15; n++) {
      await backend.request('POST', `${path}/documents`, {
        asKey: true,
        body: { documentId: `s${n}`, data: { text: 'b'.repeat(MEBIBYTE) }, permissions: ['read("any")'] },
      });
    }
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(`${backend.origin}/v1${path}/documents?project=p1&${queries(limit(100))}`, resolve);
    });
    // The client pauses after the first part, until the last document is hidden.
    await backend.request('PATCH', `${path}/documents/s14`, { asKey: true, body: { permissions: [] } });
    let received = '';
    for await (const chunk of response.setEncoding('utf8')) received += chunk;
    const ids = JSON.parse(received).documents.map(({ $id }: { $id: string }) => $id);
    expect(ids).toEqual(Array.from({ length: 14 }, (_, n) => `s${n}`));
  });
});

describe('a filter on long texts', () => {
  it('looks for what is short, and not for what would take seconds in one text', async () => {
    const asked = { ...limit(1) };
    expect((await list(guest, text('contains', 'a'), asked)).status).toBe(200);
    const { status, body } = await list(guest, text('contains', `${'a'.repeat(60)}b`), asked);
    expect({ status, type: body.type }).toEqual({ status: 408, type: 'database_timeout' });
  });

  it('may take longer for who is signed in', async () => {
    const signedIn = { cookies: user.cookies };
    expect((await list(signedIn, text('startsWith', `${'a'.repeat(60)}b`), limit(1))).status).toBe(200);
    expect((await list(signedIn, text('contains', `${'a'.repeat(300)}b`), limit(1))).status).toBe(408);
  });

  it('is bounded however it is wrapped, and not for a server key', async () => {
    const wrapped = {
      method: 'or',
      values: [text('contains', `${'a'.repeat(60)}b`), { method: 'equal', attribute: 'title', values: ['x'] }],
    };
    expect((await list(guest, wrapped)).status).toBe(408);
    expect((await list(key, wrapped, { method: 'select', values: ['title'] })).status).toBe(200);
  });

  it('leaves searches and filters on short texts as they are', async () => {
    const odd = { method: 'search', attribute: 'title', values: ['odd'] };
    const even = { method: 'contains', attribute: 'title', values: ['EVEN'] };
    const selected = { method: 'select', values: ['title'] };
    for (const filter of [odd, even, { method: 'notSearch', attribute: 'title', values: ['"title even"'] }]) {
      expect((await list(guest, filter, limit(COUNT), selected)).body.total).toBe(COUNT / 2);
    }
  });
});

describe('an order by long texts', () => {
  it('is refused when they would all be held to be sorted', async () => {
    const ordered = { method: 'orderAsc', attribute: 'text', values: [] };
    expect((await list(guest, ordered, limit(1))).status).toBe(408);
    const few = { method: 'equal', attribute: '$id', values: ['d1', 'd2'] };
    expect((await list(guest, ordered, few, limit(1))).status).toBe(200);
    expect((await list(key, ordered, limit(1))).status).toBe(200);
  });
});
