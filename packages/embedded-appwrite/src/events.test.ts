import { beforeEach, expect, test } from 'vitest';
import type { TestBackend } from '../tests/support/backend.ts';
import { backendOfTest } from '../tests/support/use-backend.ts';

const NOTES = '/databases/d/collections/notes/documents';
const reports: string[] = [];
let server: TestBackend;

beforeEach(async () => {
  reports.length = 0;
  server = await backendOfTest({ log: (_level, message) => void reports.push(message) });
  const attributes = [{ key: 'text', type: 'string', size: 100, required: true }];
  await server.collection('notes', { attributes, permissions: ['create("any")', 'read("any")', 'update("any")'] });
});

const ONE = { body: { documentId: 'one', data: { text: 'ink' } } };
const MANY = { asKey: true, body: { documents: ['two', 'one'].map(($id) => ({ $id, text: 'ink' })) } };

test.each([
  ['a document', ONE, 1],
  ['many documents, for each,', MANY, 2],
])('answers a write of %s once its listeners are done; others read it before', async (_what, options, events) => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: listened, resolve } = Promise.withResolvers<void>();
  let told = 0;
  server.backend.events.listen(() => {
    if (++told === events) resolve();
    return done;
  });
  let answered = false;
  const answer = server.request('POST', NOTES, options).then((reply) => {
    answered = true;
    return reply;
  });
  await listened;
  expect((await server.request('GET', `${NOTES}/one`)).body.text).toBe('ink');
  expect(answered).toBe(false);
  finish();
  expect((await answer).status).toBe(201);
});

test('reports a listener that fails, at once or later, and answers the write', async () => {
  server.backend.events.listen(() => {
    throw new Error('at once');
  });
  server.backend.events.listen(() => Promise.reject(new Error('later')));
  expect((await server.request('POST', NOTES, ONE)).status).toBe(201);
  expect(reports.filter((message) => message === 'A listener of the backend failed.')).toHaveLength(2);
});
