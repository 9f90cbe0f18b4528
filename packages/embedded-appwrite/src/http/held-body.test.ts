/** A right lost between a request's headers and its body doesn't count. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

const NOTES = '/databases/db/collections/notes';
const FILES = '/storage/buckets/pictures/files';
const FILE = [
  '--x\r\nContent-Disposition: form-data; name="fileId"\r\n\r\none',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext',
  '--x--\r\n',
].join('\r\n');

let server: TestBackend;
beforeAll(async () => {
  server = await startTestBackend();
  const make = (path: string, body: object) => server.request('POST', path, { asKey: true, body });
  const permissions = ['create("label:editor")', 'update("label:editor")'];
  await make('/databases', { databaseId: 'db', name: 'db' });
  await make('/databases/db/collections', { collectionId: 'notes', name: 'notes', permissions });
  await make(`${NOTES}/attributes/string`, { key: 'text', size: 100, required: true });
  await make(`${NOTES}/documents`, { documentId: 'one', data: { text: 'before' } });
  await make('/storage/buckets', { bucketId: 'pictures', name: 'pictures', permissions });
});
afterAll(() => server.stop());

let count = 0;
let editor: { userId: string; cookies: string };
const asKey = (method: string, field: string, body?: object) =>
  server.request(method, `/users/${editor.userId}/${field}`, { asKey: true, body });
beforeEach(async () => {
  editor = await server.signUp(`editor${++count}@example.com`);
  await asKey('PUT', 'labels', { labels: ['editor'] });
});

const patch = (text: string) =>
  server.hold('PATCH', `${NOTES}/documents/one`, { cookies: editor.cookies, body: { data: { text } } });
const upload = () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  return server.hold('POST', FILES, { cookies: editor.cookies, headers, body: FILE });
};

test.each([
  ['blocked', () => asKey('PATCH', 'status', { status: false }), 'user_blocked'],
  ['demoted', () => asKey('PUT', 'labels', { labels: [] }), 'user_unauthorized'],
  ['signed out', () => asKey('DELETE', 'sessions'), 'user_unauthorized'],
])('of somebody who is %s meanwhile neither a document nor a file is stored', async (_what, lose, type) => {
  const held = [await patch('after'), await upload()];
  await lose();
  for (const finish of held) expect((await finish()).body).toMatchObject({ type });
  expect(await server.request('GET', `${NOTES}/documents/one`, { asKey: true })).toMatchObject({
    body: { text: 'before' },
  });
  expect(await server.request('GET', FILES, { asKey: true })).toMatchObject({ body: { total: 0 } });
});

test('of an editor both are stored', async () => {
  const held = [await patch('after'), await upload()];
  expect((await held[0]?.())?.status).toBe(200);
  expect((await held[1]?.())?.status).toBe(201);
});
