/** Q: filters, order, pages, selection and totals of lists (contract 2.3, 2.4). */
import { Query } from 'appwrite';
import { once } from './cleanup.ts';
import { error, invalid, refused } from './expect.ts';
import type { Http } from './http.ts';
import { expect, test } from './kit.ts';
import { guestOf, keyOf } from './people.ts';
import { type Collection, collection, document, index, type Row } from './schema.ts';

const TITLES = [
  ...['100% true', '100 per cent', 'Apples and pears', 'The apple tree', 'An orchard', 'Writing well'],
  ...['Written words', 'Plain text', 'Under_score', 'Underscore', 'Ink', 'Common ink'],
];

/** Creates twelve documents, with `n` from 1 to 12. `ok` is true for odd `n`; the last two lack `ok` and `st`. */
const twelve = once(async (): Promise<Collection> => {
  const made = await collection({ permissions: ['read("any")'] });
  for (const [index, title] of TITLES.entries()) {
    const given = index < 10 ? { ok: index % 2 === 0, st: 'abc'.charAt(index % 3) } : {};
    await document(made, { title, n: index + 1, ...given });
  }
  return made;
});

const thirty = once(async (): Promise<{ rows: Collection; made: Row[] }> => {
  const rows = await collection({ permissions: ['read("any")'] });
  const made: Row[] = [];
  for (const n of range(0, 30))
    made.push(await document(rows, { title: `Title ${n % 7}`, n, st: 'abc'.charAt(n % 3) }));
  return { rows, made };
});

type List = { total: number; documents: Row[] };

/** Returns the list, after checking that raw HTTP and both SDKs return the same one. */
async function listOf({ documents, ids }: Collection, queries: string[]): Promise<List> {
  const raw = await guestOf().http.get(documents, { query: { queries } }).json<List>();
  for (const sdk of [
    await guestOf().web.databases.listDocuments<Row>({ ...ids, queries }),
    await keyOf().node.databases.listDocuments<Row>({ ...ids, queries }),
  ]) {
    expect({ total: sdk.total, documents: sdk.documents.map((row) => ({ ...row })) }).toEqual(raw);
  }
  return raw;
}

const numbers = ({ documents }: List) => documents.map(({ n }) => n);
const found = async (...queries: string[]) => numbers(await listOf(await twelve(), queries));
const list = async (...queries: string[]) => listOf((await thirty()).rows, queries);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

async function finds(...rows: readonly [queries: string | string[], n: number[]][]): Promise<void> {
  for (const [queries, expected] of rows) expect(await found(...[queries].flat()), String(queries)).toEqual(expected);
}

/** Expects each query on the twelve documents to fail with this message and type (default `general_query_invalid`). */
async function faults(...rows: readonly [query: string, message: string | RegExp, type?: string][]): Promise<void> {
  const { documents } = await twelve();
  for (const [query, message, type = 'general_query_invalid'] of rows)
    await refused(error(400, type, message), guestOf().http.get(documents, { query: { queries: [query] } }));
}

const raw = (method: string, attribute: string, ...values: unknown[]) => JSON.stringify({ method, attribute, values });

test('Q03 equal with several values is any of them, 500 at most', async () => {
  const many = range(3, 503);
  await finds([Query.equal('n', [2, 5, 99]), [2, 5]], [Query.equal('n', many), range(3, 13)]);
  await faults(
    [Query.equal('n', [...many, 0]), 'Invalid query: Query on attribute has greater than 500 values: n'],
    [Query.equal('n', []), 'Invalid query: Equal queries require at least one value.'],
  );
});

test('Q04 comparisons, and between with both ends', async () => {
  expect(await found(Query.notEqual('n', 3), Query.lessThan('n', 6))).toEqual([1, 2, 4, 5]);
  await finds(
    [Query.lessThan('n', 3), [1, 2]],
    [Query.lessThanEqual('n', 3), [1, 2, 3]],
    [Query.greaterThan('n', 10), [11, 12]],
    [Query.greaterThanEqual('n', 10), [10, 11, 12]],
    [Query.between('n', 4, 6), [4, 5, 6]],
  );
  await faults(
    [raw('notEqual', 'n', 1, 2), 'Invalid query: NotEqual queries require exactly one value.'],
    [raw('between', 'n', 1), 'Invalid query: Between queries require exactly two values.'],
  );
});

test('Q05 an unset attribute is null', async () => {
  expect(await found(Query.isNull('st'))).toEqual([11, 12]);
  expect(await found(Query.isNotNull('st'), Query.greaterThan('n', 8))).toEqual([9, 10]);
});

test('Q06 startsWith takes % and _ as they are', async () => {
  await finds(
    [Query.startsWith('title', '100%'), [1]],
    [Query.startsWith('title', '100'), [1, 2]],
    [Query.startsWith('title', 'Under_'), [9]],
    [Query.endsWith('title', 'words'), [7]],
  );
});

test('Q07 contains finds a part of a string and is refused on numbers', async () => {
  await finds([Query.contains('title', ['rite']), []], [Query.contains('title', ['ritt', 'per c']), [2, 7]]);
  const message = /^Invalid query: Cannot query contains on attribute "n" because it is not an array, string, or/;
  await faults([Query.contains('n', [1]), message]);
});

test('Q08 search needs a full-text index and finds words by their beginning', async () => {
  await faults([Query.search('title', 'apple'), 'Searching by attribute "title" requires a fulltext index.']);
  await index(await twelve(), 'words', 'fulltext', ['title']);
  expect((await found(Query.search('title', 'apple'))).sort()).toEqual([3, 4]);
  expect((await found(Query.search('title', 'writ'))).sort()).toEqual([6, 7]);
  for (const text of ['+-*"()', '@:~<>', '*']) await found(Query.search('title', text));
});

test('Q09 and / or nest; or needs two', async () => {
  const nested = Query.or([
    Query.and([Query.equal('ok', true), Query.lessThan('n', 4)]),
    Query.equal('n', [8]),
    Query.and([Query.isNull('st'), Query.or([Query.equal('n', 12), Query.equal('n', 1)])]),
  ]);
  await finds([nested, [1, 3, 8, 12]]);
  await faults([Query.or([Query.equal('n', 1)]), 'Invalid query: Or queries require at least two queries']);
});

test('Q14 an unknown attribute, an unknown method and text that is no JSON are 400', async () => {
  await faults(
    [Query.equal('zzz', 1), 'Invalid query: Attribute not found in schema: zzz'],
    [raw('foo', 'n', 1), 'Invalid query method: foo'],
    ['equal("n", [1])', /^Invalid query: Syntax error/],
  );
});

test('Q16 a value of the wrong type is 400', async () => {
  await faults(
    [Query.equal('n', '5'), 'Invalid query: Query value is invalid for attribute "n"'],
    [Query.greaterThan('n', 'x'), 'Invalid query: Query value is invalid for attribute "n"'],
    [Query.equal('ok', 1), 'Invalid query: Query value is invalid for attribute "ok"'],
  );
});

test('Q19 a list takes 100 queries of at most 4096 characters', async ({ guest: { http } }) => {
  const { documents } = await twelve();
  const queries = (count: number) => Array.from({ length: count }, () => Query.greaterThan('n', 10));
  await finds([queries(100), [11, 12]]);
  const tooMuch = [queries(101), [Query.equal('title', 'x'.repeat(4096))]];
  await refused(invalid('queries'), ...tooMuch.map((queries) => http.get(documents, { query: { queries } })));
});

test('Q20 lists can be filtered by $id', async () => {
  const { documents } = await listOf(await twelve(), []);
  const wanted = documents.filter(({ n }) => n === 4 || n === 7).map(({ $id }) => $id);
  await finds([Query.equal('$id', wanted), [4, 7]]);
});

test('Q01 without queries a list is the 25 oldest, oldest first', async () => {
  const all = await list();
  expect([all.total, ...numbers(all)]).toEqual([30, ...range(0, 25)]);
});

test('Q02 limit and offset cut a page; a limit of 0 is 400', async () => {
  expect(numbers(await list(Query.limit(5), Query.offset(5)))).toEqual(range(5, 10));
  expect(numbers(await list(Query.limit(101)))).toEqual(range(0, 30));
  expect(numbers(await list(Query.offset(28)))).toEqual([28, 29]);
  await faults([Query.limit(0), /^Invalid query: Invalid limit: /]);
});

test('Q10 lists can be ordered, by several attributes in turn', async () => {
  expect(numbers(await list(Query.orderDesc('n'), Query.limit(3)))).toEqual([29, 28, 27]);
  const value = ({ st }: Row) => st ?? '';
  const sorted = [...(await thirty()).made].sort((a, b) => value(a).localeCompare(value(b)) || (b.n ?? 0) - (a.n ?? 0));
  const both = await list(Query.orderAsc('st'), Query.orderDesc('n'), Query.limit(30));
  expect(numbers(both)).toEqual(sorted.map(({ n }) => n));
});

const idsOf = ({ documents }: List) => documents.map(({ $id }) => $id);

test('Q11 Q12 a cursor walks over every row once, forwards and backwards, with ties', async () => {
  const { orderAsc, orderDesc } = Query;
  const single = [orderDesc('n'), orderAsc('st'), orderDesc('$createdAt'), orderDesc('$id')];
  const several = [orderDesc('st'), orderAsc('title'), orderDesc('n')];
  for (const order of [[], ...single.map((one) => [one]), [orderAsc('st'), orderDesc('$createdAt')], several]) {
    const whole = idsOf(await list(...order, Query.limit(30)));
    expect(new Set(whole).size).toBe(30);
    const page = async (...cursor: string[]) => idsOf(await list(...order, Query.limit(7), ...cursor));
    const forwards = await page();
    while (forwards.length < 30) {
      const next = await page(Query.cursorAfter(forwards.at(-1) ?? ''));
      expect(next.length).toBeGreaterThan(0);
      forwards.push(...next);
    }
    expect(forwards).toEqual(whole);
    const last = whole[29] ?? '';
    expect(await page(Query.cursorAfter(last))).toEqual([]);
    expect(await page(Query.cursorBefore(last))).toEqual(whole.slice(22, 29));
    expect(await page(Query.cursorBefore(whole[3] ?? ''))).toEqual(whole.slice(0, 3));
    expect(await page(Query.cursorBefore(whole[0] ?? ''))).toEqual([]);
  }
  const message = "Document 'nope' for the 'cursor' value not found.";
  await faults([Query.cursorAfter('nope'), message, 'general_cursor_not_found']);
});

test('Q13 select leaves the named attributes and the $ fields', async ({ guest: { http, web } }) => {
  const { documents } = await list(Query.select(['title']), Query.limit(1));
  const fields = '$collectionId $createdAt $databaseId $id $permissions $sequence $updatedAt title';
  expect(Object.keys(documents[0] ?? {}).sort()).toEqual(fields.split(' '));
  const { rows, made } = await thirty();
  const query = { queries: [Query.select(['n'])] };
  const one = await http.get(rows.document(made[4]?.$id ?? ''), { query }).json<Row>();
  expect(one.n).toBe(4);
  expect(one).not.toHaveProperty('title');
  expect({ ...(await web.databases.getDocument({ ...rows.ids, documentId: one.$id, ...query })) }).toEqual(one);
  await faults([Query.select(['zzz']), 'Invalid query: Attribute not found in schema: zzz']);
});

test('Q17 lists can be filtered by the time of creation and of change', async () => {
  const { made } = await thirty();
  const middle = made[14]?.$createdAt ?? '';
  const newer = made.filter(({ $createdAt }) => Date.parse($createdAt) > Date.parse(middle)).map(({ n }) => n);
  const older = made.filter(({ $updatedAt }) => Date.parse($updatedAt) < Date.parse(middle)).map(({ n }) => n);
  expect(numbers(await list(Query.createdAfter(middle)))).toEqual(newer);
  expect(numbers(await list(Query.updatedBefore(middle)))).toEqual(older);
  expect(newer.length + older.length).toBeGreaterThan(0);
  expect(numbers(await list(Query.createdBetween(middle, middle)))).toContain(14);
});

test('Q18 a total counts up to 5000; total=0 does not count', async ({ guest, key: { http, node } }) => {
  const { rows } = await thirty();
  const asked = (total: string | number) => http.get(rows.documents, { query: { total } }).json<List>();
  expect(await asked(0)).toMatchObject({ total: 0, documents: { length: 25 } });
  expect([0, 30]).toContain((await asked('false')).total);
  expect((await asked('true')).total).toBe(30);
  expect([0, 30]).toContain((await node.databases.listDocuments({ ...rows.ids, total: false })).total);
  const many = await collection({ permissions: ['read("any")'] }, rows.databaseId);
  for (let page = 0; page < 51; page += 1) {
    const documents = range(page * 100, page * 100 + 100).map((n) => ({ title: 'One of many', n }));
    await http.post(many.documents, { documents }).is(201);
  }
  expect(await guest.http.get(many.documents).json()).toMatchObject({ total: 5000, documents: { length: 25 } });
});

test('Q21 random order gives the same set', async ({ guest: { http, web } }) => {
  const { rows, made } = await thirty();
  const queries = [Query.orderRandom(), Query.limit(30)];
  for (const answer of [
    await http.get(rows.documents, { query: { queries } }).json<List>(),
    await web.databases.listDocuments<Row>({ ...rows.ids, queries }),
  ]) {
    expect(idsOf(answer).sort()).toEqual(made.map(({ $id }) => $id).sort());
  }
});

test('Q22 queries in the older form need response format 1.4 or lower, on documents', async ({ guest, key }) => {
  const { rows, made } = await thirty();
  const as = (by: Http, format?: string) => (format ? by.with({ 'x-appwrite-response-format': format }) : by);
  const list = (format: string | undefined, ...queries: string[]) =>
    as(guest.http, format).get(rows.documents, { query: { queries } });
  for (const format of ['1.4.0', '1.0.0', '0.15.0']) {
    const answer = await list(format, 'orderDesc("n")', 'limit(1)', 'notEqual("n", [29])').json<List>();
    expect(idsOf(answer), format).toEqual([made[28]?.$id]);
    expect((await list(format, '{"method":"limit","values":[1]}').json<List>()).documents).toHaveLength(1);
  }
  await as(key.http, '1.4.0')
    .get('/users', { query: { queries: ['limit(1)'] } })
    .is(400);
  for (const format of [undefined, '1.5.0', '1.9.5']) await list(format, 'limit(1)').is(400);
  await list('1.4.0', 'limit(').is(400);
});
