import { get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { queries, type Send } from '../../../tests/support/backend.ts';
import { useBackend } from '../../../tests/support/use-backend.ts';

const MEBIBYTE = 1024 * 1024;
/** Nineteen of these documents fit into the maximum size of a list; twenty do not. */
const COUNT = 20;
const LONG = Math.floor((16.4 * MEBIBYTE) / COUNT);

const SCHEMA = {
  attributes: [
    { key: 'text', type: 'string', size: 2_000_000, required: true },
    { key: 'title', type: 'string', size: 100 },
  ],
  indexes: [{ key: 'words', type: 'fulltext', attributes: ['title'] }],
};

let key: Send;
let guest: Send;
let ann: Send;
const backend = useBackend({}, async ({ server }) => {
  [key, guest, ann] = [server.sender('key'), server.sender('guest'), server.sender(await server.user('ann'))];
  const path = await server.collection('c', { ...SCHEMA, permissions: ['read("any")'] });
  for (let n = 0; n < COUNT; n++) {
    const data = { title: `Title ${n % 2 ? 'odd' : 'even'}`, text: 'a'.repeat(LONG) };
    expect((await key('POST', path, { documentId: `d${n}`, data })).status).toBe(201);
  }
});

const list = (send: Send, ...asked: object[]) =>
  send('GET', `/databases/d/collections/c/documents?${queries(...asked)}`);
const statusOf = async (send: Send, ...asked: object[]) => (await list(send, ...asked)).status;
const limit = (count: number) => ({ method: 'limit', values: [count] });
const TITLES = { method: 'select', values: ['title'] };
const text = (method: string, ...values: string[]) => ({ method, attribute: 'text', values });
const title = (method: string, ...values: string[]) => ({ method, attribute: 'title', values });
const SLOW = text('contains', `${'a'.repeat(60)}b`);

it('answers a list of up to 16 MiB whole, and says beyond what to ask for, except to keys', async () => {
  const most = await list(guest, limit(COUNT - 1));
  expect(most.text.length).toBeGreaterThan(15 * MEBIBYTE);
  expect(most.body).toMatchObject({ total: COUNT, documents: { length: COUNT - 1 } });
  for (const count of [COUNT, 1e9]) {
    const { status, body } = await list(guest, limit(count));
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'general_query_limit_exceeded' });
    expect(body.message).toMatch(/more than 16 MiB\. Ask for fewer .* select/);
  }
  expect((await list(key, limit(1e9))).body.documents).toHaveLength(COUNT);
});

it('answers the same whether a list is made at once or in pieces', async () => {
  const [short, long] = [await list(guest, limit(1000), TITLES), await list(guest, limit(1001), TITLES)];
  expect(short.body.documents).toHaveLength(COUNT);
  expect(short.headers.get('content-length')).not.toBeNull();
  expect(long.headers.get('content-length')).toBeNull();
  expect(long.text).toBe(short.text);
});

it('leaves out what was hidden while the list was read', async () => {
  const path = await backend.collection('secured', { ...SCHEMA, documentSecurity: true });
  for (let n = 0; n < 15; n++) {
    const data = { text: 'b'.repeat(MEBIBYTE) };
    await key('POST', path, { documentId: `s${n}`, data, permissions: ['read("any")'] });
  }
  const response = await new Promise<IncomingMessage>((resolve) => {
    get(`${backend.origin}/v1${path}?project=p1&${queries(limit(100))}`, resolve);
  });
  // The client has not read the body yet, so this revokes read access to the last document before it is sent.
  await key('PATCH', `${path}/s14`, { permissions: [] });
  let received = '';
  for await (const chunk of response.setEncoding('utf8')) received += chunk;
  const ids = JSON.parse(received).documents.map(({ $id }: { $id: string }) => $id);
  expect(ids).toEqual(Array.from({ length: 14 }, (_, n) => `s${n}`));
});

// Lists also have a wall-clock limit, so a busy machine may refuse even an allowed filter. The tests then retry.
it('refuses a filter that would take seconds in one text, later for users and never for keys', async () => {
  await expect.poll(() => statusOf(guest, text('contains', 'a'), limit(1))).toBe(200);
  const { status, body } = await list(guest, SLOW, limit(1));
  expect({ status, type: body.type }).toEqual({ status: 408, type: 'database_timeout' });
  await expect.poll(() => statusOf(ann, text('startsWith', `${'a'.repeat(60)}b`), limit(1))).toBe(200);
  expect(await statusOf(ann, text('contains', `${'a'.repeat(300)}b`), limit(1))).toBe(408);
  const wrapped = { method: 'or', values: [SLOW, title('equal', 'x')] };
  expect(await statusOf(guest, wrapped)).toBe(408);
  expect(await statusOf(key, wrapped, TITLES)).toBe(200);
});

it('answers searches and filters on short texts', async () => {
  for (const filter of [title('search', 'odd'), title('contains', 'EVEN'), title('notSearch', '"title even"')])
    await expect.poll(async () => (await list(guest, filter, limit(COUNT), TITLES)).body.total).toBe(COUNT / 2);
});

it('refuses an order by long texts that would all be held to be sorted', async () => {
  const ordered = text('orderAsc');
  expect(await statusOf(guest, ordered, limit(1))).toBe(408);
  const two = { method: 'equal', attribute: '$id', values: ['d1', 'd2'] };
  await expect.poll(() => statusOf(guest, ordered, two, limit(1))).toBe(200);
  expect(await statusOf(key, ordered, limit(1))).toBe(200);
});

it('answers a filter that is slow only for an unreadable document as if there were none', async () => {
  const path = await backend.collection('hidden', { ...SCHEMA, documentSecurity: true });
  const add = async (documentId: string, text: string, permissions: readonly string[]) =>
    expect((await key('POST', path, { documentId, data: { text, title: documentId }, permissions })).status).toBe(201);
  await add('draft', 'c'.repeat(MEBIBYTE), ['read("user:bob")']);
  const answers = () =>
    Promise.all(
      [
        { method: 'equal', attribute: '$id', values: ['draft'] },
        { method: 'greaterThan', attribute: '$createdAt', values: ['2000-01-01'] },
        ...[title('search', 'draft'), title('startsWith', 'dra'), text('startsWith', 'c'), limit(1000)],
      ].map(async (filter) => {
        const { status, body } = await send(guest, path, filter, SLOW);
        return [status, body.total];
      }),
    );
  const send = (by: Send, to: string, ...asked: object[]) => by('GET', `${to}?${queries(...asked)}`);
  await add('public0', 'd', ['read("any")']);
  expect(await answers()).toEqual(Array(6).fill([200, 0]));
  // A list checks access row by row if the caller may read at least 500 documents.
  for (let n = 1; n < 500; n++) await add(`public${n}`, 'd', ['read("any")']);
  expect(await answers()).toEqual(Array(6).fill([200, 0]));
});
