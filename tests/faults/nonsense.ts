/** Generates requests with values that no correct client sends, and enough valid ones to pass the first checks. */
import type { EmbeddedBackend } from 'embedded-appwrite';
import { KEY, PROJECT } from '../support/backend-process.ts';
import type { Random } from './random.ts';

type AnyRoute = EmbeddedBackend['routes'][number];
export type Credentials = { readonly cookie: string; readonly jwt: string };

export interface Nonsense {
  readonly bytes: Buffer;
  /** True for a complete HTTP request, after which the server closes the connection. */
  readonly isWhole: boolean;
}

const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

const NASTY: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 1e308, 2 ** 53, -(2 ** 63)],
  ...['', ' ', 'a', '0', '-1', 'true', 'null', 'x'.repeat(300), 'x'.repeat(5000), 'a'.repeat(37)],
  ...['\u0000', 'a\u0000b', '\ud800', '😀', 'ß', '../../etc/passwd', '%00', '%', "'; DROP TABLE users; --"],
  ...['"', '\\', '{"', 'unique()', '_a', 'toString', '__proto__', 'constructor', '\r\nX-Evil: 1'],
  ...['9999-99-99T99:99:99Z', '2026-02-30', 'http://', 'http://['],
  ...[[], [[]], [null], {}, { toString: 1, valueOf: 1 }, { length: -1 }, { constructor: { prototype: {} } }],
  ...[deep(500), ['a', 1, null, {}]],
  Array.from({ length: 101 }, (_, i) => i),
  Array.from({ length: 1000 }, () => 'a'),
];

const QUERY_METHODS = [
  ...['equal', 'notEqual', 'lessThan', 'greaterThan', 'between', 'contains', 'search', 'startsWith', 'isNull'],
  ...['orderAsc', 'orderDesc', 'orderRandom', 'cursorAfter', 'cursorBefore', 'limit', 'offset', 'select'],
  ...['and', 'or', 'nonsense'],
];

const ATTRIBUTES = [
  ...['title', 'n', 'st', '$id', '$sequence', '$createdAt', '$permissions', 'tags'],
  ...['nope', '', 'name', 'email', 'a.b'],
];

/** Valid values, so that some requests get far enough to change data. */
const SOUND: Readonly<Record<string, readonly unknown[]>> = {
  ...{ databaseId: ['d'], collectionId: ['c'], tableId: ['c'], bucketId: ['b'], tokenId: ['token'] },
  webhookId: ['hook'],
  ...{ documentId: ['doc', 'doc2', 'unique()'], rowId: ['doc', 'doc2', 'unique()'], fileId: ['file', 'unique()'] },
  ...{ userId: ['user', 'unique()'], sessionId: ['current', 'session'], key: ['title', 'n', 'st', 'byN', 'new'] },
  email: ['user@example.com', 'other@example.com'],
  // These passwords fail the length check, which comes before the deliberately slow hash.
  ...{ password: ['short'], oldPassword: ['short'], name: ['A name'] },
  data: [{ title: 'A title', n: 1 }, { n: 2 }, { title: 'A title', n: 1, st: 'a', tags: ['x'], nope: 1 }],
  documents: [[{ $id: 'doc3', title: 'A title', n: 1 }], [{}]],
  permissions: [['read("any")'], ['write("users")'], ['read("user:user")'], ['nonsense("any")']],
  ...{ attribute: ['n', 'title'], attributes: [['title'], ['n', '$createdAt']], orders: [['ASC'], ['desc']] },
  ...{ lengths: [[10]], type: ['key', 'unique', 'fulltext'], size: [100, 20_000], min: [0, -1e18], max: [10, 1e18] },
  ...{ value: [1, -1], default: [null, 'a', 1], elements: [['a', 'b']], required: [false, true], array: [false, true] },
  ...{ enabled: [true, false], total: [true, false], prefs: [{ theme: 'dark' }], labels: [['vip']] },
  ...{ duration: [60, 900], expire: ['2036-01-01T00:00:00.000+00:00'], url: ['http://127.0.0.1:9/'] },
  ...{ events: [['users.*.create'], ['databases.*']], secret: ['a secret of eight'] },
  ...{ width: [10, 4000], height: [10, 4000], output: ['webp', 'png', 'gif'], quality: [-1, 50, 100] },
  ...{ rotation: [45, -360], borderRadius: [10, 4000], opacity: [0.5], background: ['ff0000', ''] },
};

const ODD_HEADERS = [
  ...['range: bytes=5-1', 'range: bytes=0-', 'range: items=0-1', 'content-range: bytes 0-5/6'],
  ...['content-range: bytes 9-1/3', 'content-range: nonsense', 'x-appwrite-id: unique()', 'x-appwrite-id: file'],
  ...['x-appwrite-timestamp: never', 'x-appwrite-timestamp: 2020-01-01', 'x-appwrite-response-format: 9.9.9'],
  ...['x-appwrite-response-format: x', 'origin: http://evil.test', 'origin: nonsense', 'origin: http://localhost:5173'],
  ...['x-forwarded-for: , ,x', 'accept: */*;q=x', `x-long: ${'y'.repeat(9000)}`],
  'cookie: ;;;=;a_session_p1=%E0%A4%A',
];

/** Drops lone surrogates, for which encodeURIComponent throws. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Creates a generator of malformed requests. It calls `credentials` for each request, because they expire. */
export function createNonsense(random: Random, routes: readonly AnyRoute[], credentials: () => Credentials) {
  const nasty = () => random.pick(NASTY);
  /** Share of malformed values in the current request. Varies, because many at once would hide the effect of one. */
  let nastiness = 0.3;

  function filter(depth = 0): unknown {
    const method = random.pick(QUERY_METHODS);
    if ((method === 'and' || method === 'or') && depth < 6) {
      return { method, values: Array.from({ length: random.integer(0, 4) }, () => filter(depth + 1)) };
    }
    const values = random.chance(0.5)
      ? [random.pick([1, 'a', 'doc', 25, true, null])]
      : random.pick([[nasty()], nasty()]);
    return { method, attribute: random.pick(ATTRIBUTES), values };
  }

  function bent(text: string): string {
    const at = random.integer(0, Math.max(0, text.length - 1));
    const put = random.pick(['', '"', '{', '\u0000', '}', text.charAt(at).repeat(2), '\\', ',']);
    return text.slice(0, at) + put + text.slice(at + 1);
  }

  const sometimesBent = (text: string, share: number) => (random.chance(share) ? bent(text) : text);
  const queryText = () => sometimesBent(JSON.stringify(filter()), 0.2);

  function valueFor(name: string): unknown {
    if (name === 'queries' && random.chance(0.85)) return Array.from({ length: random.integer(0, 4) }, queryText);
    const sound = SOUND[name];
    return sound && !random.chance(nastiness) ? random.pick(sound) : nasty();
  }

  function segment(name: string): string {
    if (!random.chance(nastiness / 2) && SOUND[name]) return encodeURIComponent(String(random.pick(SOUND[name])));
    const text = String(JSON.stringify(nasty()) ?? '').slice(0, 400);
    // Leaves a fifth of the segments without percent-encoding.
    return random.chance(0.8) ? encoded(text) : text.replaceAll(/[^\x21-\x7e]/g, '%');
  }

  function queryString(names: readonly string[]): string {
    const pairs = names.flatMap((name) => {
      if (random.chance(0.4)) return [];
      const value = valueFor(name);
      const items = Array.isArray(value)
        ? value.slice(0, 40).map((item, i) => [`${name}[${random.chance(0.8) ? i : ''}]`, item])
        : [[name, value]];
      return items.map(([key, item]) => {
        const text = encoded(textOf(item));
        return `${key}=${random.chance(0.05) ? bent(text).replaceAll(/[^\x21-\x7e]/g, '') : text}`;
      });
    });
    return pairs.length > 0 || random.chance(0.1) ? `?${pairs.join('&')}` : '';
  }

  function jsonBody(names: readonly string[]): Buffer {
    if (random.chance(0.03)) return random.bytes(random.integer(0, 3000));
    if (random.chance(0.03)) return Buffer.from(JSON.stringify(nasty()) ?? '');
    if (random.chance(0.01)) return Buffer.from(`${'{"a":'.repeat(50_000)}1`);
    const entries = names.filter(() => random.chance(0.75)).map((name) => [name, valueFor(name)]);
    return Buffer.from(sometimesBent(JSON.stringify(Object.fromEntries(entries)), 0.08));
  }

  function form(): { body: Buffer; type: string } {
    const boundary = random.pick(['simple', '-'.repeat(70), 'with space', '']);
    const shown = random.chance(0.9) ? boundary : random.pick(['other', `${boundary}x`, '"']);
    const part = (head: string, body: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
    const field = (name: string, value: unknown) => part(`name="${name}"`, textOf(value));
    const name = random.pick(['a.png', '', '../../a', 'x'.repeat(3000), 'a"b', 'ä.gif']);
    const file = `name="${random.pick(['file', 'file', 'files', ''])}"; filename="${name}"\r\nContent-Type: image/png`;
    const text = [
      random.chance(0.8) ? field('fileId', valueFor('fileId')) : '',
      random.chance(0.5) ? field('permissions[]', random.pick(['read("any")', 'nonsense', ''])) : '',
      random.chance(0.1) ? Array.from({ length: 300 }, (_, i) => field(`f${i}`, 'x')).join('') : '',
      random.chance(0.8) ? part(file, 'x'.repeat(random.pick([0, 1, 100, 70_000]))) : '',
      random.chance(0.85) ? `--${boundary}--\r\n` : '',
    ].join('');
    return { body: Buffer.from(sometimesBent(text, 0.1)), type: `multipart/form-data; boundary=${shown}` };
  }

  /** Prefers credentials that the server rarely refuses: a user's cookie for account routes, the key for others. */
  function authorisation(path: string): string[] {
    const { cookie, jwt } = credentials();
    const kind = path.startsWith('/account') && random.chance(0.7) ? 0.7 : random.next();
    if (kind < 0.6) return [`x-appwrite-key: ${KEY}`];
    if (kind < 0.75) return [`cookie: ${cookie}`];
    if (kind < 0.8) return [`x-appwrite-jwt: ${jwt}`];
    if (kind < 0.9) return [];
    return random.pick([
      ['x-appwrite-key: wrong'],
      [`cookie: ${bent(cookie).replaceAll(/[^\x20-\x7e]/g, '')}`],
      ['x-appwrite-session: eyJpZCI6IngiLCJzZWNyZXQiOiJ5In0='],
      ['x-fallback-cookies: {"a_session_p1":1}'],
      [`cookie: ${cookie}`, `x-appwrite-jwt: ${jwt}`],
    ]);
  }

  function request(): Buffer {
    let route = random.pick(routes);
    // Picks DELETE routes rarely, because the other requests need the data.
    if (route.method === 'DELETE' && random.chance(0.8)) route = random.pick(routes);
    nastiness = random.pick([0.03, 0.1, 0.3, 0.8]);
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
    const method = random.chance(0.96) ? route.method : random.pick(others);
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => segment(name));
    const names = Object.keys(route.params).filter((name) => !route.path.includes(`:${name}`));
    const json = () => ({ body: jsonBody(names), type: random.chance(0.95) ? 'application/json' : 'text/plain' });
    const uploads = route.path.endsWith('/files') && method === 'POST';
    const sent = method === 'GET' || method === 'HEAD' ? undefined : uploads ? form() : json();
    const query = queryString(method === 'GET' || random.chance(0.1) ? [...names, 'project'] : []);
    const lines = [
      `${method} /v1${path}${query} HTTP/1.1`,
      'host: localhost\r\nconnection: close',
      ...(random.chance(0.97) ? [`x-appwrite-project: ${PROJECT}`] : []),
      ...authorisation(route.path),
      ...(random.chance(0.3) ? [random.pick(ODD_HEADERS)] : []),
      ...(sent ? [`content-type: ${sent.type}`, `content-length: ${sent.body.length}`] : []),
    ];
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), sent?.body ?? Buffer.alloc(0)]);
  }

  function notHttp(): Buffer {
    const path = `/v1/databases/d/collections/c/documents`;
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nx-appwrite-project: ${PROJECT}\r\ncontent-type: application/json\r\n`;
    return random.pick([
      () => random.bytes(random.integer(1, 500)),
      () => Buffer.from('GET /v1/ping\r\n\r\n'),
      () => Buffer.from(`GET ${path} HTTP/9.9\r\n\r\n`),
      () => Buffer.from(`GET /v1/${'a'.repeat(70_000)} HTTP/1.1\r\nhost: a\r\n\r\n`),
      () => Buffer.from(`${head}content-length: 5\r\ncontent-length: 6\r\n\r\n{}`),
      () => Buffer.from(`${head}content-length: -1\r\n\r\n{}`),
      () => Buffer.from(`${head}content-length: 100\r\n\r\n{}`),
      () => Buffer.from(`${head}transfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`),
      () => Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
      () => Buffer.from(`${head}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
      () => Buffer.from(`${head}expect: 100-continue\r\ncontent-length: 2\r\n\r\n`),
      () => Buffer.from(`${head}expect: nonsense\r\ncontent-length: 2\r\n\r\n{}`),
      () => Buffer.from(`${head}: x\r\n\r\n`),
    ])();
  }

  function socketTalk(): Buffer {
    const project = random.pick([PROJECT, 'nope', '']);
    const upgrade = [
      `GET /v1/realtime?project=${project}${random.chance(0.3) ? '&channels[]=documents' : ''} HTTP/1.1`,
      'host: localhost\r\nconnection: upgrade\r\nupgrade: websocket',
      `sec-websocket-version: ${random.pick([13, 13, 13, 9])}`,
      `sec-websocket-key: ${random.pick(['dGhlIHNhbXBsZSBub25jZQ==', 'x'])}\r\n\r\n`,
    ].join('\r\n');
    const frame = (): Buffer => {
      if (random.chance(0.2)) return random.bytes(random.integer(1, 60));
      const said = random.pick([
        { type: 'subscribe', data: [{ subscriptionId: 's', channels: ['documents'], queries: [queryText()] }] },
        ...['subscribe', 'unsubscribe', 'ping'].map((type) => ({ type, data: nasty() })),
        { type: 'authentication', data: { session: nasty() } },
        nasty(),
      ]);
      const text = Buffer.from(sometimesBent(JSON.stringify(said) ?? '', 0.2));
      const length = text.length < 126 ? [0x80 | text.length] : [0xfe, (text.length >> 8) & 255, text.length & 255];
      const kind = random.pick([0x81, 0x81, 0x81, 0x82, 0x83, 0xc1]);
      // A mask of zeros leaves the text unchanged.
      return Buffer.concat([Buffer.from([kind, ...length, 0, 0, 0, 0]), text]);
    };
    return Buffer.concat([Buffer.from(upgrade), ...Array.from({ length: random.integer(0, 6) }, frame)]);
  }

  function next(): Nonsense {
    if (random.chance(0.95)) return { bytes: request(), isWhole: true };
    return { bytes: random.chance(0.6) ? notHttp() : socketTalk(), isWhole: false };
  }

  return { next };
}
