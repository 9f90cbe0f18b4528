/** No request, however malformed, causes a server error. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Send } from '../../tests/support/backend.ts';
import { useBackend } from '../../tests/support/use-backend.ts';

const COLLECTION = '/databases/d/collections/c';
let key: Send;

useBackend({}, async ({ server }) => {
  key = server.sender('key');
  const path = await server.collection('c', {
    attributes: [
      { key: 's', type: 'string', size: 50 },
      { key: 'n', type: 'integer' },
      { key: 'at', type: 'datetime' },
      { key: 'tags', type: 'string', size: 9, array: true },
    ],
    indexes: [{ key: 'f', type: 'fulltext', attributes: ['s'] }],
  });
  await key('POST', path, { documentId: 'x', data: { s: 'a', n: 1 } });
});

const WRITES: [method: string, path: string, names: string[]][] = [
  ['POST', '/documents', ['documentId', 'data', 'permissions', 'documents']],
  ['PATCH', '/documents/x', ['data', 'permissions']],
  ['PUT', '/documents/x', ['data', 'permissions']],
  ['PUT', '/documents', ['documents']],
  ['PATCH', '/documents', ['data', 'queries', 'permissions']],
  ['PATCH', '/documents/x/n/increment', ['value', 'max']],
  ['POST', '/attributes/string', ['key', 'size', 'required', 'default', 'array']],
  ['POST', '/attributes/integer', ['key', 'required', 'min', 'max', 'default', 'array']],
  ['POST', '/attributes/enum', ['key', 'elements', 'required', 'default']],
  ['PATCH', '/attributes/string/s', ['required', 'default', 'size']],
  ['POST', '/indexes', ['key', 'type', 'attributes', 'orders', 'lengths']],
];
const METHODS = [
  ...['equal', 'notEqual', 'lessThan', 'between', 'isNull', 'startsWith', 'contains', 'containsAll', 'search'],
  ...['and', 'or', 'select', 'orderAsc', 'orderDesc', 'orderRandom', 'limit', 'offset', 'cursorAfter', 'createdBefore'],
];

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('s', 'n', 'x', 'unique()', 'read("any")', '\u0000', '__proto__', 'key', 'fulltext', '2026-01-01', ''),
  fc.record({ s: fc.string(), n: fc.double(), tags: fc.array(fc.jsonValue({ maxDepth: 1 })) }),
  fc.array(fc.constantFrom('s', 'n', 'tags', '$id', '$createdAt', 'ASC')),
);
const query = fc.record({
  method: fc.constantFrom(...METHODS),
  attribute: fc.oneof(fc.constantFrom('s', 'n', 'at', 'tags', '$id', '$sequence', '$createdAt'), fc.string()),
  values: fc.oneof(
    fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double(), value)),
    fc.array(
      fc.record({ method: fc.constantFrom(...METHODS), attribute: fc.constant('s'), values: fc.array(fc.string()) }),
    ),
  ),
});

const isAnswered = (status: number): boolean => status < 500 || status === 501;

it('to a write', async () => {
  const write = fc.constantFrom(...WRITES).chain(([method, path, names]) => {
    const body = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
    return fc.tuple(fc.constant(method), fc.constant(path), body);
  });
  await fc.assert(
    fc.asyncProperty(write, async ([method, path, body]) => {
      const reply = await key(method, COLLECTION + path, body);
      expect(isAnswered(reply.status), reply.text).toBe(true);
    }),
    { numRuns: 600 },
  );
});

it('to a list, with or without sense', async () => {
  const text = query.map((each) => JSON.stringify(each));
  const raw = fc.oneof(text, fc.string());
  await fc.assert(
    fc.asyncProperty(fc.array(raw, { maxLength: 4 }), async (list) => {
      const path = `${COLLECTION}/documents?${list.map((each, i) => `queries[${i}]=${encodeURIComponent(each)}`).join('&')}`;
      const reply = await key('GET', path);
      expect(isAnswered(reply.status), reply.text).toBe(true);
    }),
    { numRuns: 1500 },
  );
});
