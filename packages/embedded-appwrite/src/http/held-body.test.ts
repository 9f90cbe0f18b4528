/** A request is refused if the user loses access after its headers have arrived but before its body has. */
import { beforeEach, expect, test } from 'vitest';
import { useBackend } from '../../tests/support/use-backend.ts';

const NOTE = '/databases/d/collections/notes/documents/one';
const FILES = '/storage/buckets/pictures/files';
const FILE = [
  '--x\r\nContent-Disposition: form-data; name="fileId"\r\n\r\none',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext',
  '--x--\r\n',
].join('\r\n');

const server = useBackend({}, async () => {
  const permissions = ['create("label:editor")', 'update("label:editor")'];
  const attributes = [{ key: 'text', type: 'string', size: 100 }];
  const path = await server.collection('notes', { attributes, permissions });
  await server.request('POST', path, { asKey: true, body: { documentId: 'one', data: { text: 'before' } } });
  await server.bucket('pictures', { permissions });
});

let count = 0;
let editor: { userId: string; cookies: string };
const asKey = (method: string, field: string, body?: object) =>
  server.request(method, `/users/${editor.userId}/${field}`, { asKey: true, body });
beforeEach(async () => {
  editor = await server.signUp(`editor${++count}@example.com`);
  await asKey('PUT', 'labels', { labels: ['editor'] });
});

async function held() {
  const { cookies } = editor;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const change = { cookies, body: { data: { text: 'after' } } };
  return [await server.hold('PATCH', NOTE, change), await server.hold('POST', FILES, { cookies, headers, body: FILE })];
}

test.each([
  ['blocked', () => asKey('PATCH', 'status', { status: false }), 'user_blocked'],
  ['demoted', () => asKey('PUT', 'labels', { labels: [] }), 'user_unauthorized'],
  ['signed out', () => asKey('DELETE', 'sessions'), 'user_unauthorized'],
])('stores neither document nor file of a user who is %s meanwhile', async (_what, lose, type) => {
  const begun = await held();
  await lose();
  for (const finish of begun) expect((await finish()).body).toMatchObject({ type });
  expect((await server.request('GET', NOTE, { asKey: true })).body).toMatchObject({ text: 'before' });
  expect(await server.request('GET', FILES, { asKey: true })).toMatchObject({ body: { total: 0 } });
});

test('stores both for an editor', async () => {
  const statuses: number[] = [];
  for (const finish of await held()) statuses.push((await finish()).status);
  expect(statuses).toEqual([200, 201]);
});
