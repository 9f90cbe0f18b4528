/** Q: order, pages, selection and totals of lists (contract 2.3, 2.4). Thirty documents n = 0…29. */
import { Query } from 'appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { refused } from './expect.ts';
import { line, server } from './line.ts';
import { admin, guest } from './people.ts';
import { type Collection, collection, database, document, type Row } from './schema.ts';

const thirty = once(async (): Promise<{ rows: Collection; made: Row[] }> => {
  const rows = await collection(server(), await database(server()), { permissions: ['read("any")'] });
  const made: Row[] = [];
  for (let n = 0; n < 30; n += 1) {
    made.push(await document(server(), rows, { title: `Title ${n % 7}`, n, st: 'abc'.charAt(n % 3) }));
  }
  return { rows, made };
});

interface List {
  total: number;
  documents: Row[];
}

/** Returns the list; raw HTTP and the browser SDK must agree. */
async function list(...queries: string[]): Promise<List> {
  const { rows } = await thirty();
  const { http, web } = guest(server());
  const raw = (await http.get(rows.documents, { query: { queries } })).is(200).json<List>();
  const sdk = await web.databases.listDocuments<Row>({ ...rows.ids, queries });
  expect({ total: sdk.total, documents: sdk.documents.map((row) => ({ ...row })) }).toEqual(raw);
  return raw;
}

const numbers = ({ documents }: List) => documents.map(({ n }) => n);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

async function faulty(message: string | RegExp, type: string, ...queries: string[]): Promise<void> {
  const { rows } = await thirty();
  const { http, web } = guest(server());
  await refused(
    { code: 400, type, message },
    http.get(rows.documents, { query: { queries } }),
    web.databases.listDocuments({ ...rows.ids, queries }),
  );
}

line('Q01', 'without queries a list is the 25 oldest, oldest first', async () => {
  const all = await list();
  expect(numbers(all)).toEqual(range(0, 25));
  expect(all.total).toBe(30);
});

line('Q02', 'limit and offset cut a page; a limit of 0 is 400', async () => {
  expect(numbers(await list(Query.limit(5), Query.offset(5)))).toEqual(range(5, 10));
  expect(numbers(await list(Query.limit(101)))).toEqual(range(0, 30));
  expect(numbers(await list(Query.offset(28)))).toEqual([28, 29]);
  await faulty(/^Invalid query: Invalid limit: /, 'general_query_invalid', Query.limit(0));
});

line('Q10', 'lists can be ordered, by several attributes in turn', async () => {
  expect(numbers(await list(Query.orderDesc('n'), Query.limit(3)))).toEqual([29, 28, 27]);
  const { made } = await thirty();
  const value = ({ st }: Row) => st ?? '';
  const expected = [...made].sort((a, b) => value(a).localeCompare(value(b)) || (b.n ?? 0) - (a.n ?? 0));
  const both = await list(Query.orderAsc('st'), Query.orderDesc('n'), Query.limit(30));
  expect(numbers(both)).toEqual(expected.map(({ n }) => n));
});

line('Q11', 'a cursor walks over every row once, forwards and backwards, with ties', async () => {
  for (const order of [[], [Query.orderDesc('n')], [Query.orderAsc('st')], [Query.orderDesc('$createdAt')]]) {
    const whole = (await list(...order, Query.limit(30))).documents.map(({ $id }) => $id);
    expect(new Set(whole).size).toBe(30);
    const forwards: string[] = [];
    for (let page: Row[] = []; forwards.length < 30; forwards.push(...page.map(({ $id }) => $id))) {
      const after = forwards.length > 0 ? [Query.cursorAfter(forwards.at(-1) ?? '')] : [];
      ({ documents: page } = await list(...order, Query.limit(7), ...after));
      expect(page.length).toBeGreaterThan(0);
    }
    expect(forwards).toEqual(whole);
    const last = whole.at(-1) ?? '';
    expect((await list(...order, Query.limit(7), Query.cursorAfter(last))).documents).toEqual([]);
    const before = await list(...order, Query.limit(7), Query.cursorBefore(last));
    expect(before.documents.map(({ $id }) => $id)).toEqual(whole.slice(22, 29));
    const start = await list(...order, Query.limit(7), Query.cursorBefore(whole[3] ?? ''));
    expect(start.documents.map(({ $id }) => $id)).toEqual(whole.slice(0, 3));
  }
});

line('Q12', 'an unknown cursor is 400', async () => {
  await faulty(
    "Document 'nope' for the 'cursor' value not found.",
    'general_cursor_not_found',
    Query.cursorAfter('nope'),
  );
});

line('Q13', 'select leaves the named attributes and the $ fields', async () => {
  const { documents } = await list(Query.select(['title']), Query.limit(1));
  const fields = [
    '$collectionId',
    '$createdAt',
    '$databaseId',
    '$id',
    '$permissions',
    '$sequence',
    '$updatedAt',
    'title',
  ];
  expect(Object.keys(documents[0] ?? {}).sort()).toEqual(fields);
  const { rows, made } = await thirty();
  const { http, web } = guest(server());
  const query = { queries: [Query.select(['n'])] };
  const one = (await http.get(rows.document(made[4]?.$id ?? ''), { query })).is(200).json<Row>();
  expect(one.n).toBe(4);
  expect(one).not.toHaveProperty('title');
  const sdk = await web.databases.getDocument({ ...rows.ids, documentId: one.$id, ...query });
  expect({ ...sdk }).toEqual(one);
  await faulty('Invalid query: Attribute not found in schema: zzz', 'general_query_invalid', Query.select(['zzz']));
});

line('Q17', 'lists can be filtered by the time of creation and of change', async () => {
  const { made } = await thirty();
  const middle = made[14]?.$createdAt ?? '';
  const newer = made.filter(({ $createdAt }) => Date.parse($createdAt) > Date.parse(middle)).map(({ n }) => n);
  const older = made.filter(({ $updatedAt }) => Date.parse($updatedAt) < Date.parse(middle)).map(({ n }) => n);
  expect(numbers(await list(Query.createdAfter(middle)))).toEqual(newer);
  expect(numbers(await list(Query.updatedBefore(middle)))).toEqual(older);
  expect(newer.length + older.length).toBeGreaterThan(0);
  expect(numbers(await list(Query.createdBetween(middle, middle)))).toContain(14);
});

line('Q18', 'a total counts up to 5000; total=0 does not count', async () => {
  const { rows } = await thirty();
  const { http, node } = admin(server());
  const asked = (total: string | number) =>
    http.get(rows.documents, { query: { total } }).then((answer) => answer.is(200).json<List>());
  expect(await asked(0)).toMatchObject({ total: 0, documents: { length: 25 } });
  expect([0, 30]).toContain((await asked('false')).total);
  expect((await asked('true')).total).toBe(30);
  const sdk = await node.databases.listDocuments({ ...rows.ids, total: false });
  expect([0, 30]).toContain(sdk.total);
  const many = await collection(server(), rows.databaseId, { permissions: ['read("any")'] });
  for (let page = 0; page < 51; page += 1) {
    const documents = range(page * 100, page * 100 + 100).map((n) => ({ title: 'One of many', n }));
    (await http.post(many.documents, { documents })).is(201);
  }
  const limited = (await guest(server()).http.get(many.documents)).is(200).json<List>();
  expect(limited).toMatchObject({ total: 5000, documents: { length: 25 } });
});

line('Q21', 'random order gives the same set', async () => {
  const { rows, made } = await thirty();
  const queries = [Query.orderRandom(), Query.limit(30)];
  const expected = made.map(({ $id }) => $id).sort();
  const { http, web } = guest(server());
  const raw = (await http.get(rows.documents, { query: { queries } })).is(200).json<List>();
  const sdk = await web.databases.listDocuments<Row>({ ...rows.ids, queries });
  for (const { documents } of [raw, sdk]) expect(documents.map(({ $id }) => $id).sort()).toEqual(expected);
});

line(
  'Q22',
  'queries of the older form are taken of documents with a response format of 1.4 or lower, and nowhere else',
  async () => {
    const { rows, made } = await thirty();
    const { http } = guest(server());
    const list = (format: string | undefined, ...queries: string[]) =>
      http.get(rows.documents, { query: { queries }, headers: format ? { 'x-appwrite-response-format': format } : {} });
    for (const format of ['1.4.0', '1.0.0', '0.15.0']) {
      const answer = await list(format, 'orderDesc("n")', 'limit(1)', 'notEqual("n", [29])');
      expect(
        answer
          .is(200)
          .json<List>()
          .documents.map(({ $id }) => $id),
        format,
      ).toEqual([made.at(-2)?.$id]);
      expect((await list(format, '{"method":"limit","values":[1]}')).is(200).json<List>().documents).toHaveLength(1);
    }
    const headers = { 'x-appwrite-response-format': '1.4.0' };
    (await admin(server()).http.get('/users', { query: { queries: ['limit(1)'] }, headers })).is(400);
    for (const format of [undefined, '1.5.0', '1.9.5']) (await list(format, 'limit(1)')).is(400);
    (await list('1.4.0', 'limit(')).is(400);
  },
);
