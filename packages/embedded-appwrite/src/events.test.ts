import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../tests/support/backend.ts';

const NOTES = '/databases/d/collections/notes/documents';
const reports: string[] = [];
let server: TestBackend;

beforeEach(async () => {
  reports.length = 0;
  server = await startTestBackend({ log: (_level, message) => void reports.push(message) });
  const made = (path: string, body: object) => server.request('POST', path, { asKey: true, body });
  await made('/databases', { databaseId: 'd', name: 'D' });
  const permissions = ['create("any")', 'read("any")', 'update("any")'];
  await made('/databases/d/collections', { collectionId: 'notes', name: 'Notes', permissions });
  await made('/databases/d/collections/notes/attributes/string', { key: 'text', size: 100, required: true });
});
afterEach(() => server.stop());

const add = (documentId: string) => server.request('POST', NOTES, { body: { documentId, data: { text: 'ink' } } });

test('a write is answered when those who listen have done what they promised; others read it before', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: listened, resolve } = Promise.withResolvers<void>();
  server.backend.events.listen(() => {
    resolve();
    return done;
  });
  let answered = false;
  const answer = add('one').then((reply) => {
    answered = true;
    return reply;
  });
  await listened;
  expect((await server.request('GET', `${NOTES}/one`)).body.text).toBe('ink');
  expect(answered).toBe(false);
  finish();
  expect((await answer).status).toBe(201);
});

test('a listener that fails, at once or later, is reported, and the write is answered', async () => {
  server.backend.events.listen(() => {
    throw new Error('at once');
  });
  server.backend.events.listen(() => Promise.reject(new Error('later')));
  expect((await add('one')).status).toBe(201);
  expect(reports.filter((message) => message === 'A listener of the backend failed.')).toHaveLength(2);
});

test('writes of many documents are answered when those who listen have done what they promised for each', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: listened, resolve } = Promise.withResolvers<void>();
  let told = 0;
  server.backend.events.listen(() => {
    told += 1;
    if (told === 2) resolve();
    return done;
  });
  const documents = ['one', 'two'].map(($id) => ({ $id, text: 'ink' }));
  let answered = false;
  const answer = server.request('POST', NOTES, { asKey: true, body: { documents } }).then((reply) => {
    answered = true;
    return reply;
  });
  await listened;
  expect((await server.request('GET', `${NOTES}/two`)).body.text).toBe('ink');
  expect(answered).toBe(false);
  finish();
  expect((await answer).status).toBe(201);
});
