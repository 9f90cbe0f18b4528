/** Makes the rows of the cost table for each backend route, caller and parameter at its limit. */
import { createEmbeddedBackend, type EmbeddedBackend } from 'embedded-appwrite';
import { BODY_LIMIT, GUEST_BODY, USER_BODY } from 'embedded-appwrite/testing';
import { uploadForm } from '../../bench/data.ts';
import { noise } from '../../e2e/pictures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ARGUMENTS, type Given, TOGETHER } from './arguments.ts';
import type { Sent } from './measure.ts';
import { type CallerName, type MeasuredSite, PROJECT, sessionHeaders } from './measured-site.ts';
import { JSON_TYPE, json, type Row } from './row.ts';
import { prose } from './texts.ts';

type Route = EmbeddedBackend['routes'][number];

const CALLERS: readonly CallerName[] = ['guest', 'user', 'stranger', 'key'];
/** Just under the largest JSON body that the server reads, in bytes. */
const LARGEST_BODY: Readonly<Record<CallerName, number>> = {
  guest: GUEST_BODY - 100,
  user: USER_BODY - 100,
  stranger: USER_BODY - 100,
  key: BODY_LIMIT - 100,
};
const TOO_LARGE = BODY_LIMIT - 100;
/** Size of a long request head in bytes, somewhat below the limit. */
const HEAD = 60_000;

export async function backendRoutes(): Promise<readonly Route[]> {
  using folder = temporaryFolder();
  const backend = createEmbeddedBackend({ directory: folder.path, projectId: PROJECT, keys: [], webOrigins: [] });
  await backend.close();
  return backend.routes;
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const takesFiles = ({ method, path }: Route): boolean => method === 'POST' && path.endsWith('/files');

/** Returns the parameters without an entry in `ARGUMENTS`, as `GET /path: name`. */
export function missingArguments(routes: readonly Route[], isOpen: (route: Route) => boolean): string[] {
  return routes.flatMap((route) =>
    Object.keys(route.params)
      .filter((name) => !(name in ARGUMENTS) && (isOpen(route) || route.path.includes(`:${name}`)))
      .map((name) => `${nameOf(route)}: ${name}`),
  );
}

function queryString(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item, i) => `${name}[${i}]=${encodeURIComponent(String(item))}`)
      : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Returns the caller's headers. Requests that change an account come from a new user. */
async function headersOf(site: MeasuredSite, route: Route, caller: CallerName): Promise<Record<string, string>> {
  const changes = route.method !== 'GET' && route.path.startsWith('/account');
  if (caller === 'user' && changes) return sessionHeaders(await site.freshUser());
  return site.headers(caller);
}

const request = async (
  site: MeasuredSite,
  route: Route,
  caller: CallerName,
  atLimit?: (given: Given) => Readonly<Record<string, unknown>>,
): Promise<Sent> => soundRequest(site, route, await headersOf(site, route, caller), atLimit);

export async function soundRequest(
  site: MeasuredSite,
  route: Route,
  headers: Readonly<Record<string, string>>,
  atLimit: (given: Given) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<Sent> {
  const given = { site, route: nameOf(route), serial: site.serial() };
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(route.params)) {
    const sound = await ARGUMENTS[name]?.sound?.(given);
    if (sound !== undefined) values[name] = sound;
  }
  Object.assign(values, atLimit(given));
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(values[name] ?? 'none'));
    delete values[name];
    return value;
  });
  if (route.method === 'GET') return { method: 'GET', path: `/v1${path}${queryString(values)}`, headers };
  return { method: route.method, path: `/v1${path}`, headers: { ...headers, ...JSON_TYPE }, body: json(values) };
}

/** JSON bodies of a given length, by the property that makes them expensive. */
const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'one text': (bytes) => `{"name":"${'x'.repeat(bytes)}"}`,
  // One character outside Latin-1 makes V8 store the parsed string with two bytes per character.
  'one text with a letter of another script': (bytes) => `{"name":"${'x'.repeat(bytes)}墨"}`,
  'deep lists': (bytes) => `{"name":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
  'deep objects': (bytes) => `{"name":${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}}`,
  'empty lists': (bytes) => `{"name":[${'[],'.repeat(bytes / 3 - 10)}1]}`,
  'many names': (bytes) => `{${Array.from({ length: bytes / 13 }, (_, i) => `"${i.toString(36)}":1`).join(',')}}`,
  'long numbers': (bytes) => `{"name":[${'12345678901234567890,'.repeat(bytes / 21)}1]}`,
};

const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'many cookies': { cookie: 'a=b; '.repeat(HEAD / 5) },
  'a long session': { cookie: `a_session_${PROJECT}=${'a'.repeat(HEAD)}` },
  'a session of per cent signs': { cookie: `a_session_${PROJECT}=${'%41'.repeat(HEAD / 3)}` },
  'deep fallback cookies': { 'x-fallback-cookies': '['.repeat(HEAD) },
  'a long token': { 'x-appwrite-jwt': `${'a'.repeat(HEAD / 3)}.${'b'.repeat(HEAD / 3)}.${'c'.repeat(HEAD / 3)}` },
  'a long origin': { origin: `http://${'a.'.repeat(HEAD / 2)}` },
  'a long agent': { 'user-agent': 'Mozilla/5.0 (X11; '.repeat(HEAD / 20) },
  'many proxies': { 'x-forwarded-for': '1.2.3.4, '.repeat(HEAD / 9) },
  'a long key': { 'x-appwrite-key': 'a'.repeat(HEAD) },
};

function* bodyRows(site: MeasuredSite, route: Route, caller: CallerName): Generator<Row> {
  const row = (what: string, body: () => string) =>
    changedRow([site, route, caller], what, () => ({ body: Buffer.from(body()) }));
  for (const [shape, body] of Object.entries(BODIES))
    yield row(`the largest body: ${shape}`, () => body(LARGEST_BODY[caller]));
  yield row('a body too large', () => `{"name":"${'x'.repeat(TOO_LARGE)}"}`);
}

function* uploadRows(site: MeasuredSite, route: Route, caller: CallerName): Generator<Row> {
  const upload = async (bytes: Buffer, permissions: readonly string[] = []): Promise<Sent> => {
    const { body, type } = await uploadForm(bytes, site.serial(), permissions);
    const path = `/v1${route.path.replace(':bucketId', 'media')}`;
    return { method: 'POST', path, headers: { ...site.headers(caller), 'content-type': type }, body };
  };
  const largest = (length: number) => upload(Buffer.alloc(length, 'ink '));
  const permitting = (count: number, permission: (i: number) => string) =>
    upload(
      Buffer.alloc(100, 'a'),
      Array.from({ length: count }, (_, i) => permission(i)),
    );
  const kinds: Readonly<Record<string, () => Promise<Sent>>> = {
    'the largest picture': () => largest(9_990_000),
    'a picture too large': () => largest(11_900_000),
    'a picture of noise': async () => upload(await noise(9_900_000)),
    'a picture of SVG': () => upload(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(1_000_000)}`)),
    'a prolog that does not end': () => upload(Buffer.from(`<?xml version="1.0"?>${'<!--'.repeat(2_000_000)}`)),
    'a hundred permissions': () => permitting(100, (i) => `read("user:u${i}")`),
    'as many fields as a form has': () => permitting(254, () => 'x'.repeat(40_000)),
  };
  for (const [what, sent] of Object.entries(kinds)) yield { route: nameOf(route), caller, what, sent };
}

function* limitRows(site: MeasuredSite, route: Route, caller: CallerName): Generator<Row> {
  const sent = (values: (given: Given) => Readonly<Record<string, unknown>>) => () =>
    request(site, route, caller, values);
  const common = { route: nameOf(route), caller };
  for (const name of Object.keys(route.params)) {
    for (const [what, value] of Object.entries(ARGUMENTS[name]?.limits ?? {}))
      yield { ...common, what: `${name}, ${what}`, sent: sent((given) => ({ [name]: value(given) })) };
  }
  for (const [what, values] of Object.entries(TOGETHER[nameOf(route)]?.limits ?? {}))
    yield { ...common, what, sent: sent((given) => values(given) as Readonly<Record<string, unknown>>) };
}

/** Returns a row whose request is the plain request with `change` applied. */
const changedRow = (
  [site, route, caller]: readonly [MeasuredSite, Route, CallerName],
  what: string,
  change: (plain: Sent) => Partial<Sent>,
): Row => ({
  ...{ route: nameOf(route), caller, what },
  async sent() {
    const plain = await request(site, route, caller);
    return { ...plain, ...change(plain) };
  },
});

function* headerRows(...on: [MeasuredSite, Route, CallerName]): Generator<Row> {
  for (const [what, more] of Object.entries(HEADERS))
    yield changedRow(on, what, ({ headers }) => ({ headers: { ...headers, ...more } }));
  const queries: Readonly<Record<string, string>> = {
    'a thousand pairs': Array.from({ length: 1000 }, (_, i) => `a[${i}][b][c]=${'d'.repeat(40)}`).join('&'),
    'a thousand brackets': `a${'[b]'.repeat(HEAD / 3)}=1`,
    'as many pairs as fit': 'a&'.repeat(HEAD / 2),
  };
  for (const [what, query] of Object.entries(queries))
    yield changedRow(on, what, ({ path }) => ({ path: `${path}?${query}` }));
}

function* fileRows(...on: [MeasuredSite, Route, CallerName]): Generator<Row> {
  const ranges = { 'many ranges': `bytes=${'0-1,'.repeat(HEAD / 4)}2-3`, 'a range': 'bytes=1000-4000000' };
  for (const [what, range] of Object.entries(ranges))
    yield changedRow(on, what, ({ headers }) => ({ headers: { ...headers, range } }));
}

function* socketRows(site: MeasuredSite, caller: CallerName): Generator<Row> {
  const channel = 'databases.blog.collections.articles.documents';
  const subscribe = (count: number, queries: readonly string[]) =>
    JSON.stringify({
      type: 'subscribe',
      data: Array.from({ length: count }, (_, i) => ({ subscriptionId: `s${i}`, channels: [channel], queries })),
    });
  const query = (words: number) => JSON.stringify({ method: 'equal', attribute: 'title', values: [prose(words)] });
  const said: Readonly<Record<string, readonly string[]>> = {
    nothing: [],
    'a hundred subscriptions': [subscribe(100, [query(3000)])],
    'as many subscriptions as fit': [subscribe(3500, [])],
    'the largest frame, deep': ['['.repeat(500_000)],
    'a hundred frames': Array.from({ length: 100 }, () => subscribe(10, [query(100)])),
    'a long session': [JSON.stringify({ type: 'authentication', data: { session: 'a'.repeat(500_000) } })],
  };
  const row = (what: string, frames: readonly string[], query = ''): Row => ({
    ...{ route: 'WebSocket /realtime', caller, what },
    sent: () => ({
      ...{ method: 'GET', path: `/v1/realtime?project=${PROJECT}${query}` },
      ...{ headers: site.headers(caller), frames },
    }),
  });
  for (const [what, frames] of Object.entries(said)) yield row(`says ${what}`, frames);
  const address = Array.from({ length: 900 }, (_, i) => `&channels[${i}]=${channel}`).join('');
  yield row('channels up to the address’s limit', [], address);
}

/** Returns whether the route refuses this caller for a missing scope. */
async function isRefused(site: MeasuredSite, route: Route, caller: CallerName): Promise<boolean> {
  const { path, headers, method, body } = await request(site, route, caller);
  const response = await fetch(site.site.url + path, { method, headers, body: body ? new Uint8Array(body) : null });
  const text = await response.text();
  return response.status === 401 && text.includes('general_unauthorized_scope');
}

/** Returns all rows. @throws Error with the parameters that have no entry in `arguments.ts` */
export async function backendRows(site: MeasuredSite): Promise<Row[]> {
  const routes = await backendRoutes();
  const refused = new Map<Route, ReadonlySet<CallerName>>();
  const asked = routes.map(async (route) => {
    const callers = new Set<CallerName>();
    for (const caller of ['guest', 'user'] as const) if (await isRefused(site, route, caller)) callers.add(caller);
    refused.set(route, callers);
  });
  await Promise.all(asked);
  const isOpen = (route: Route) => (refused.get(route)?.size ?? 0) < 2;
  const missing = missingArguments(routes, isOpen);
  if (missing.length > 0) throw new Error(`Give tests/attack/cost/arguments.ts a line for: ${missing.join('; ')}`);
  const rows: Row[] = [];
  for (const route of routes) {
    for (const caller of CALLERS) {
      const isClosed = refused.get(route)?.has(caller === 'guest' ? 'guest' : 'user');
      // Measures the key only on open routes, for comparison with the other callers.
      if (caller === 'key' && (!isOpen(route) || route.method === 'DELETE')) continue;
      rows.push({ route: nameOf(route), caller, what: 'plain', sent: () => request(site, route, caller) });
      if (isClosed && caller !== 'key') continue;
      if (caller === 'stranger' && !/:documentId|:rowId|:fileId/.test(route.path)) continue;
      rows.push(...limitRows(site, route, caller));
      if (takesFiles(route)) rows.push(...uploadRows(site, route, caller));
      else if (route.method !== 'GET' && caller !== 'stranger') rows.push(...bodyRows(site, route, caller));
      if (/\/(?:view|download)$/.test(route.path)) rows.push(...fileRows(site, route, caller));
      if (nameOf(route).endsWith('GET /databases/:databaseId/collections/:collectionId/documents/:documentId')) {
        rows.push(...headerRows(site, route, caller));
      }
    }
  }
  for (const caller of ['guest', 'user'] as const) rows.push(...socketRows(site, caller));
  return rows;
}
