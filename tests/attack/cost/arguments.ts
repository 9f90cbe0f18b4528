/** Valid and extreme values for the parameters of the backend's routes. A test fails if a parameter has no entry. */
import type { MeasuredSite } from './measured-site.ts';
import { DEEP } from './row.ts';
import { LARGEST_TEXTS, LONGEST_TITLE } from './texts.ts';

export interface Given {
  readonly site: MeasuredSite;
  readonly route: string;
  readonly serial: string;
}

export interface Argument {
  /** Returns a valid value. Without this function, requests omit the parameter. */
  readonly sound?: (given: Given) => unknown | Promise<unknown>;
  readonly limits?: Readonly<Record<string, (given: Given) => unknown>>;
}

const constant = (value: unknown) => () => value;
const MEGABYTE = 'x'.repeat(1_000_000);
const LONG_ID = { 'a long id': constant('i'.repeat(30_000)), 'an id of per cent signs': constant('%'.repeat(10_000)) };
const LONG_TEXT = { 'a megabyte of text': constant(MEGABYTE) };
const QUERY = 4096;
/** Maximum bytes of all percent-encoded queries of a request, because they have to fit into the request head. */
const ADDRESS = 60_000;

const id = (sound: (given: Given) => unknown | Promise<unknown>): Argument => ({ sound, limits: LONG_ID });
const fixed = (value: unknown): Argument => ({ sound: constant(value) });
const sometimes = (value: unknown): Argument => ({ limits: { set: constant(value) } });

const creates = ({ route }: Given): boolean => /^POST .*\/(?:documents|rows|files|account)$/.test(route);
const documentId = async (given: Given) => {
  if (creates(given)) return given.serial;
  return given.route.startsWith('DELETE') ? given.site.freshPost('<p>a</p>') : given.site.post;
};

function many(query: (i: number) => object): object[] {
  const queries: object[] = [];
  for (let size = 0, i = 0; i < 100; i++) {
    size += encodeURIComponent(JSON.stringify(query(i))).length + 20;
    if (size > ADDRESS) break;
    queries.push(query(i));
  }
  return queries;
}

const filter = (method: string, attribute: string, ...values: unknown[]) => ({ method, attribute, values });
/** Repeats `piece` as often as fits in one query. */
const longest = (piece: string) => piece.repeat(Math.floor((QUERY - 100) / piece.length));
const nested = (leaf: object) => {
  let at = leaf;
  for (let depth = 0; depth < 29; depth++) at = { method: depth % 2 ? 'and' : 'or', values: [at, leaf] };
  return JSON.stringify(at).length > QUERY ? { method: 'or', values: [leaf, leaf] } : at;
};
const limit = (count: number) => ({ method: 'limit', values: [count] });

/** Builds queries on a short and a long attribute of the route's items, because the server refuses unknown ones. */
const listed = (make: (text: string, long: string) => readonly object[]) => (given: Given) => {
  const [text, long] = /documents|rows/.test(given.route) ? ['title', 'content'] : ['name', 'name'];
  // The server caches lists, so each try sends a different query.
  return [...make(text, long), filter('notEqual', text, given.serial)].map((query) => JSON.stringify(query));
};
/** Builds a filter on the long attribute, followed by the queries in `more`. */
const filtered = (method: string, values: readonly unknown[], ...more: readonly object[]) =>
  listed((_, long) => [filter(method, long, ...values), ...more]);

const QUERIES: Argument = {
  limits: {
    'limit 5000': listed(() => [limit(5000)]),
    'limit 2^53': listed(() => [limit(2 ** 53)]),
    'a large offset': listed(() => [limit(25), { method: 'offset', values: [2 ** 53] }]),
    'ids of everything': listed(() => [limit(5000), { method: 'select', values: ['$id'] }]),
    'random order of everything': listed(() => [limit(5000), { method: 'orderRandom', values: [] }]),
    'ordered by text': listed((text, long) => [
      limit(5000),
      { method: 'orderDesc', attribute: long },
      { method: 'orderAsc', attribute: text },
    ]),
    'fifty orders': listed((_, long) => new Array(50).fill({ method: 'orderDesc', attribute: long })),
    'contains in the contents': filtered('contains', ['zzzz']),
    'not contained in the contents': listed((_, long) => many((i) => filter('notContains', long, `zz${i}`))),
    'many values contained': filtered(
      'contains',
      Array.from({ length: 300 }, (_, i) => `zz${i}`),
    ),
    'a long needle': filtered('contains', [longest('ab')]),
    'a needle of wild cards': filtered('startsWith', [longest('%a_')]),
    'search of common words': filtered('search', ['the ink that page was'], limit(5000)),
    'search of many words': listed((_, long) => many((i) => filter('search', long, `word${i} the`)).slice(0, 40)),
    'search of a long text': filtered('search', [longest('the ')]),
    'search for prefixes': filtered('search', ['a* b* c* d* e* t*']),
    'not found by search': filtered('notSearch', ['ink'], limit(5000)),
    'five hundred values': listed((text) => [
      filter('equal', text, ...Array.from({ length: 500 }, (_, i) => i.toString(36))),
    ]),
    'a hundred queries': listed((text) => many((i) => filter('notEqual', text, `a${i}`)).slice(0, 99)),
    'deep queries': listed((_, long) => many(() => nested(filter('contains', long, 'zz')))),
    'deep nonsense': constant(['['.repeat(QUERY)]),
    'wide alternatives': listed((_, long) => [
      { method: 'or', values: Array.from({ length: 60 }, (_, i) => filter('contains', long, `z${i}`)) },
    ]),
    'compared with the contents': filtered('between', ['a', longest('z')], limit(5000)),
  },
};

const PERMISSIONS: Argument = {
  limits: {
    'a hundred permissions': ({ site }) => [
      ...Array.from({ length: 99 }, (_, i) => `read("user:${i}${'u'.repeat(30)}")`),
      `update("user:${site.owner.id}")`,
    ],
    'a long permission': constant([`read("user:${MEGABYTE}")`]),
  },
};

const sane = (site: MeasuredSite) => ({
  title: 'A title',
  content: '<p>Some text.</p>',
  status: 'active',
  featuredImage: site.file,
  userId: site.owner.id,
});
const data =
  (more: object) =>
  // The new title makes each update a real change. Sending a post back unchanged requires only permission to read it.
  ({ site, serial }: Given) => ({ ...sane(site), title: serial, ...more });

const DATA: Argument = {
  sound: ({ site }) => sane(site),
  limits: {
    'the longest title': data({ title: LONGEST_TITLE }),
    ...Object.fromEntries(
      Object.entries(LARGEST_TEXTS).map(([name, content]) => [`the largest content: ${name}`, data({ content })]),
    ),
    'the largest content: three bytes a letter': data({ content: '漢'.repeat(1_000_000) }),
    'the largest content: four bytes a letter': data({ content: '𝕎'.repeat(1_000_000) }),
    'content of as many words': data({ content: Array.from({ length: 140_000 }, (_, i) => i.toString(36)).join(' ') }),
    'a hundred thousand attributes': data(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`a${i}`, 1]))),
    'a deep value': data({ content: DEEP }),
  },
};

const BULK: Argument = {
  limits: {
    'a hundred documents': ({ site, serial }) =>
      Array.from({ length: 100 }, (_, i) => ({ $id: `${serial}-${i}`, ...sane(site), content: 'x'.repeat(30_000) })),
  },
};

const PASSWORD: Argument = {
  sound: constant('Correct-horse-1'),
  limits: { 'the longest password': constant('Aa1-'.repeat(64)), ...LONG_TEXT },
};
const PREFS: Argument = {
  sound: constant({ theme: 'dark' }),
  limits: {
    'the largest preferences': constant(
      Object.fromEntries(Array.from({ length: 5_900 }, (_, i) => [`a${i}`, i % 100])),
    ),
    'preferences too large': constant({ a: 'x'.repeat(5_000_000) }),
    'deep preferences': constant({ a: DEEP }),
  },
};

/** Returns the parameters of the most expensive preview in a format. */
const dearest =
  (output: string) =>
  ({ serial }: Given) => ({
    // With its border, the preview has three million pixels, the maximum for callers without a key.
    width: 1960,
    height: 1460,
    rotation: 180,
    borderRadius: 4000,
    borderWidth: 20,
    borderColor: Number.parseInt(serial.slice(1), 36).toString(16).padStart(6, '0'),
    opacity: 0.5,
    background: 'ff0000',
    quality: 100,
    output,
  });

/** Parameters that are sent together, by route. */
export const TOGETHER: Readonly<Record<string, Argument>> = {
  'GET /storage/buckets/:bucketId/files/:fileId/preview': {
    limits: Object.fromEntries(
      ['jpg', 'png', 'gif', 'webp', 'avif'].map((output) => [`the dearest ${output}`, dearest(output)]),
    ),
  },
};

export const ARGUMENTS: Readonly<Record<string, Argument>> = {
  databaseId: id(constant('blog')),
  collectionId: id(constant('articles')),
  tableId: id(constant('articles')),
  documentId: id(documentId),
  rowId: id(documentId),
  bucketId: id(constant('media')),
  fileId: id(({ site, route }) => (route.startsWith('DELETE') ? site.freshFile() : site.largestFile)),
  userId: id((given) => (creates(given) ? given.serial : given.site.owner.id)),
  sessionId: id(constant('current')),
  tokenId: id(constant('none')),
  webhookId: id(constant('none')),
  key: id(constant('title')),
  attribute: id(constant('title')),
  column: id(constant('title')),
  transactionId: { limits: { 'a long text': constant('x'.repeat(50_000)) } },
  project: { limits: {} },
  queries: QUERIES,
  search: { limits: { 'a long search': constant('a '.repeat(128)) } },
  total: sometimes(false),
  phrase: sometimes(true),
  ttl: sometimes(86_400),
  data: DATA,
  documents: BULK,
  rows: BULK,
  permissions: PERMISSIONS,
  name: {
    sound: constant('A name'),
    limits: {
      'the longest name': constant('𝕎'.repeat(128)),
      'a name of tags': constant('<b>'.repeat(42)),
      ...LONG_TEXT,
    },
  },
  email: {
    sound: ({ serial }) => `${serial}@example.com`,
    limits: {
      'the longest address': ({ serial }) => `${serial.padEnd(64, 'a')}@${'b.'.repeat(93)}cc`,
      'an address of hyphens': constant(`a@${'a-'.repeat(120)}`),
      'an address of points': constant(`${'a.'.repeat(500_000)}@`),
      ...LONG_TEXT,
    },
  },
  password: PASSWORD,
  oldPassword: PASSWORD,
  prefs: PREFS,
  secret: { sound: constant('a'.repeat(256)), limits: LONG_TEXT },
  url: {
    sound: constant('http://localhost/recover'),
    limits: { 'a megabyte of address': constant(`http://a/${MEGABYTE}`) },
  },
  duration: fixed(3600),
  teamId: id((given) => (given.route === 'POST /teams' ? given.serial : given.site.team)),
  membershipId: id(constant('none')),
  roles: {
    sound: constant(['writer']),
    limits: { 'a hundred roles': constant(Array.from({ length: 100 }, (_, i) => `role-${i}`)), ...LONG_TEXT },
  },
  phone: { limits: LONG_TEXT },
  type: fixed('totp'),
  mfa: fixed(false),
  factor: fixed('totp'),
  otp: { sound: constant('123456'), limits: LONG_TEXT },
  challengeId: id(constant('none')),
  value: fixed(1),
  min: sometimes(-1e308),
  max: sometimes(1e308),
  token: { limits: { 'a long token': constant('a.'.repeat(15_000)) } },
  ...Object.fromEntries(
    'width height gravity quality borderWidth borderColor borderRadius opacity rotation background output'
      .split(' ')
      .map((name) => [name, {}]),
  ),
};
