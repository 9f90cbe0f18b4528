/** Q: list filters (contract 2.4). Twelve documents n = 1…12; odd ones are `ok`, the last two lack `ok` and `st`. */
import { Query } from 'appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { invalid, refused } from './expect.ts';
import { line, server } from './line.ts';
import { admin, guest } from './people.ts';
import { available, type Collection, collection, database, document, type Row } from './schema.ts';

const TITLES = [
  ...['100% true', '100 per cent', 'Apples and pears', 'The apple tree', 'An orchard', 'Writing well'],
  ...['Written words', 'Plain text', 'Under_score', 'Underscore', 'Ink', 'Common ink'],
];

const numbers = once(async (): Promise<Collection> => {
  const made = await collection(server(), await database(server()), { permissions: ['read("any")'] });
  for (const [index, title] of TITLES.entries()) {
    const given = index < 10 ? { ok: index % 2 === 0, st: 'abc'.charAt(index % 3) } : {};
    await document(server(), made, { title, n: index + 1, ...given });
  }
  return made;
});

/** Returns the values of `n` in the list; raw HTTP and both SDKs must agree. */
async function found(...queries: string[]): Promise<(number | null)[]> {
  const { documents, ids } = await numbers();
  const { http, web } = guest(server());
  const raw = (await http.get(documents, { query: { queries } })).is(200).json<{ total: number; documents: Row[] }>();
  const seen = [
    raw.documents,
    (await web.databases.listDocuments<Row>({ ...ids, queries })).documents,
    (await admin(server()).node.databases.listDocuments<Row>({ ...ids, queries })).documents,
  ].map((rows) => rows.map(({ n }) => n));
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  return seen[0] ?? [];
}

/** Expects general_query_invalid with this text for each query, by raw HTTP and the SDK. */
async function faulty(message: string | RegExp, ...queries: string[]): Promise<void> {
  const { documents, ids } = await numbers();
  const { http, web } = guest(server());
  await refused(
    { code: 400, type: 'general_query_invalid', message },
    http.get(documents, { query: { queries } }),
    web.databases.listDocuments({ ...ids, queries }),
  );
}

line('Q03', 'equal with several values is any of them, 500 at most', async () => {
  expect(await found(Query.equal('n', [2, 5, 99]))).toEqual([2, 5]);
  const many = Array.from({ length: 500 }, (_, index) => index + 3);
  expect(await found(Query.equal('n', many))).toHaveLength(10);
  await faulty('Invalid query: Query on attribute has greater than 500 values: n', Query.equal('n', [...many, 0]));
  await faulty('Invalid query: Equal queries require at least one value.', Query.equal('n', []));
});

line('Q04', 'comparisons, and between with both ends', async () => {
  expect(await found(Query.notEqual('n', 3), Query.lessThan('n', 6))).toEqual([1, 2, 4, 5]);
  expect(await found(Query.lessThan('n', 3))).toEqual([1, 2]);
  expect(await found(Query.lessThanEqual('n', 3))).toEqual([1, 2, 3]);
  expect(await found(Query.greaterThan('n', 10))).toEqual([11, 12]);
  expect(await found(Query.greaterThanEqual('n', 10))).toEqual([10, 11, 12]);
  expect(await found(Query.between('n', 4, 6))).toEqual([4, 5, 6]);
  const two = JSON.stringify({ method: 'notEqual', attribute: 'n', values: [1, 2] });
  await faulty('Invalid query: NotEqual queries require exactly one value.', two);
  const one = JSON.stringify({ method: 'between', attribute: 'n', values: [1] });
  await faulty('Invalid query: Between queries require exactly two values.', one);
});

line('Q05', 'an unset attribute is null', async () => {
  expect(await found(Query.isNull('st'))).toEqual([11, 12]);
  expect(await found(Query.isNotNull('st'), Query.greaterThan('n', 8))).toEqual([9, 10]);
});

line('Q06', 'startsWith takes % and _ as they are', async () => {
  expect(await found(Query.startsWith('title', '100%'))).toEqual([1]);
  expect(await found(Query.startsWith('title', '100'))).toEqual([1, 2]);
  expect(await found(Query.startsWith('title', 'Under_'))).toEqual([9]);
  expect(await found(Query.endsWith('title', 'words'))).toEqual([7]);
});

line('Q07', 'contains finds a part of a string and is refused on numbers', async () => {
  expect(await found(Query.contains('title', ['rite'])), 'rite').toEqual([]);
  expect(await found(Query.contains('title', ['ritt', 'per c']))).toEqual([2, 7]);
  await faulty(
    'Invalid query: Cannot query contains on attribute "n" because it is not an array, string, or object.',
    Query.contains('n', [1]),
  );
});

line('Q08', 'search needs a full-text index and finds words by their beginning', async () => {
  const { path } = await numbers();
  await faulty('Searching by attribute "title" requires a fulltext index.', Query.search('title', 'apple'));
  const { http } = admin(server());
  (await http.post(`${path}/indexes`, { key: 'words', type: 'fulltext', attributes: ['title'] })).is(202);
  await available(http, `${path}/indexes`);
  expect((await found(Query.search('title', 'apple'))).sort()).toEqual([3, 4]);
  expect((await found(Query.search('title', 'writ'))).sort()).toEqual([6, 7]);
  for (const text of ['+-*"()', '@:~<>', '*']) await found(Query.search('title', text));
});

line('Q09', 'and / or nest; or needs two', async () => {
  const nested = Query.or([
    Query.and([Query.equal('ok', true), Query.lessThan('n', 4)]),
    Query.equal('n', [8]),
    Query.and([Query.isNull('st'), Query.or([Query.equal('n', 12), Query.equal('n', 1)])]),
  ]);
  expect(await found(nested)).toEqual([1, 3, 8, 12]);
  await faulty('Invalid query: Or queries require at least two queries', Query.or([Query.equal('n', 1)]));
});

line('Q14', 'an unknown attribute, an unknown method and text that is no JSON are 400', async () => {
  await faulty('Invalid query: Attribute not found in schema: zzz', Query.equal('zzz', 1));
  await faulty('Invalid query method: foo', JSON.stringify({ method: 'foo', attribute: 'n', values: [1] }));
  await faulty(/^Invalid query: Syntax error/, 'equal("n", [1])');
});

line('Q16', 'a value of the wrong type is 400', async () => {
  await faulty('Invalid query: Query value is invalid for attribute "n"', Query.equal('n', '5'));
  await faulty('Invalid query: Query value is invalid for attribute "n"', Query.greaterThan('n', 'x'));
  await faulty('Invalid query: Query value is invalid for attribute "ok"', Query.equal('ok', 1));
});

line('Q19', 'a list takes 100 queries of at most 4096 characters', async () => {
  const { documents, ids } = await numbers();
  const { http, web } = guest(server());
  const query = Query.greaterThan('n', 10);
  expect(await found(...Array.from({ length: 100 }, () => query))).toEqual([11, 12]);
  const tooMany = Array.from({ length: 101 }, () => query);
  const tooLong = [Query.equal('title', 'x'.repeat(4096))];
  await refused(
    invalid('queries'),
    http.get(documents, { query: { queries: tooMany } }),
    http.get(documents, { query: { queries: tooLong } }),
    web.databases.listDocuments({ ...ids, queries: tooMany }),
  );
});

line('Q20', 'lists can be filtered by $id', async () => {
  const { documents } = await numbers();
  const { documents: all } = (await guest(server()).http.get(documents)).is(200).json<{ documents: Row[] }>();
  const wanted = all.filter(({ n }) => n === 4 || n === 7);
  expect(wanted).toHaveLength(2);
  expect(
    await found(
      Query.equal(
        '$id',
        wanted.map(({ $id }) => $id),
      ),
    ),
  ).toEqual([4, 7]);
});
