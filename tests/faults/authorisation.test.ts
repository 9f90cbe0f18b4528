/**
 * Sends one request to each backend route and each of the site's endpoints as each kind of caller, and compares the
 * statuses with the snapshot authorisation.md. A difference means that the rights of a caller have changed.
 */
import { Databases, Teams, Users } from 'node-appwrite';
import { beforeAll, expect, test } from 'vitest';
import { DIST } from '../../scripts/build-stamp.ts';
import { backendRoutes, missingArguments, soundRequest } from '../attack/cost/backend-rows.ts';
import type { Sent } from '../attack/cost/measure.ts';
import { type MeasuredSite, measuredSite, sessionHeaders } from '../attack/cost/measured-site.ts';
import type { Writer } from '../e2e/site.ts';

const POSTS = 10;
/** `writer` is the author of the post or draft; `stranger` is another writer; `owner` owns the site. */
const CALLERS = ['guest', 'writer', 'stranger', 'editor', 'owner', 'blocked', 'key'] as const;
type Caller = (typeof CALLERS)[number];
let site: MeasuredSite;
beforeAll(async () => {
  site = await measuredSite(DIST, { posts: POSTS, settings: { TRUSTED_PROXIES: 'loopback' } });
  return () => site[Symbol.asyncDispose]();
});

const CHANGED = { content: '<p>a</p>', status: 'active', featuredImage: '' };
/** Returns data that differs from the post's, because anyone who can read a post may send it back unchanged. */
const changed = () => ({ ...CHANGED, title: site.serial(), userId: site.owner.id });
type Named = { method: string; path: string };

/** Returns unknown ids for the path, so requests with the server key change no data that other requests need. */
function harmless({ method, path, params }: Named & { params: object }): Record<string, string> {
  const isOfOne = (method === 'POST' ? /\/(?:documents|rows|files)(?:\/:|$)/ : /\/(?:documents|rows|files)\/:/).test(
    path,
  );
  if (method === 'GET' || isOfOne) return {};
  return Object.fromEntries(Object.keys(params).flatMap((name) => (path.includes(`:${name}`) ? [[name, 'none']] : [])));
}

async function newcomer(caller: Caller): Promise<Writer> {
  const user = await site.freshUser();
  const admin = site.site.admin();
  if (caller === 'editor' || caller === 'owner') {
    await new Teams(admin).createMembership({ teamId: 'site', userId: user.id, roles: [caller] });
  }
  if (caller === 'blocked') await new Users(admin).updateStatus({ userId: user.id, status: false });
  return user;
}

const regulars = new Map<Caller, Promise<Writer>>();

/**
 * Returns the caller's headers. With `isFresh`, they belong to a new user, because the request may change the account
 * or count against its limits. With `isAuthor`, the caller `writer` is the author of the posts.
 */
async function headersOf(caller: Caller, isFresh: boolean, isAuthor = !isFresh): Promise<Record<string, string>> {
  if (caller === 'guest' || caller === 'key') return site.headers(caller);
  if (caller === 'writer' && isAuthor) return sessionHeaders(site.owner);
  if (isFresh) return sessionHeaders(await newcomer(caller));
  if (!regulars.has(caller)) regulars.set(caller, newcomer(caller));
  return sessionHeaders((await regulars.get(caller)) as Writer);
}

/** Number of calls so far; gives each call a different client address, to avoid the rate limits. */
let asked = 0;

async function statusOf({ method, path, headers: given, body }: Sent): Promise<number> {
  asked++;
  const headers = { ...given, 'x-forwarded-for': `10.0.${asked >> 8}.${asked & 255}` };
  const response = await fetch(site.site.url + path, { method, headers, body: body ? new Uint8Array(body) : null });
  await response.arrayBuffer();
  return response.status;
}

/** Returns a sort key: by path, with deletions last, because the other requests need the data that they delete. */
const place = ({ method, path }: Named) => `${method === 'DELETE' ? 'z' : 'a'} ${path} ${method}`;
const byPath = (a: Named, b: Named) => place(a).localeCompare(place(b));

/** A row's name in authorisation.md, and a function that returns its request. */
type Endpoint = readonly [name: string, sent: () => Promise<Omit<Sent, 'headers'>>];
const DOCUMENTS = '/v1/databases/blog/collections/articles/documents';
const FILES = '/v1/storage/buckets/media/files';
const SETTINGS = '/v1/databases/blog/collections/settings/documents';
const get = (path: string) => async () => ({ method: 'GET', path });
const sent = (method: string, path: string, body?: unknown): Omit<Sent, 'headers'> => ({
  ...{ method, path },
  ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
});
/** Returns a row for a POST request with an `action`; `more` returns the rest of its body. */
const act = (path: string, action: string, more: () => Promise<object> = async () => ({}), what = ''): Endpoint => [
  `POST ${path} ${action}${what}`,
  async () => sent('POST', path, { action, ...(await more()) }),
];
const post = (path: string, body: () => object, name = path): Endpoint => [
  `POST ${name}`,
  async () => sent('POST', path, body()),
];

const fresh = async () => ({ userId: (await site.freshUser()).id });
const heir = async () => ({ userId: (await newcomer('editor')).id });
const draft = async () => ({ slug: await site.freshDraft() });
const published = async () => ({ slug: await site.freshPost('<p>a</p>') });

const ofDraft = (method: string, what = 'a draft', body?: () => object): Endpoint => [
  `${method} ${what}`,
  async () => sent(method, `${DOCUMENTS}/${await site.freshDraft()}`, body?.()),
];
const ofPicture = (method: string, way = '', body?: object): Endpoint => [
  `${method} a draft’s picture ${way}`.trim(),
  async () => sent(method, `${FILES}/${await site.freshFile('inactive')}${way}`, body),
];

/** Requests for a draft that `writer` wrote and for the draft's picture. No other user may access either. */
const DRAFTS: readonly Endpoint[] = [
  ofDraft('GET'),
  ofDraft('PATCH', 'a draft to publish it', () => ({ data: { status: 'active' } })),
  ofDraft('PATCH', 'a draft’s permissions', () => ({ permissions: [] })),
  ofDraft('PUT', 'a draft', () => ({ data: changed(), permissions: [] })),
  ofDraft('DELETE'),
  ...['', '/view', '/download', '/preview?width=480&output=webp'].map((way) => ofPicture('GET', way)),
  ofPicture('PUT', '', { permissions: [] }),
  ofPicture('DELETE'),
  act('/api/posts', 'take-back', draft, ' a draft'),
  act('/api/posts', 'delete', draft, ' a draft'),
  act('/api/posts', 'hand-over', async () => ({ ...(await draft()), ...(await heir()) }), ' a draft'),
  act('/api/draft-link', 'find', draft),
  act('/api/draft-link', 'make', async () => ({ ...(await draft()), holds: 'day' })),
  act('/api/draft-link', 'take-back', draft),
  ['POST /api/newsletter/preview a draft', async () => sent('POST', '/api/newsletter/preview', await draft())],
  act('/api/newsletter', 'test', draft, ' a draft'),
];

/** Returns a function that makes rows for a document in `collectionId`, a collection other than the posts'. */
const entryOf =
  (what: string, collectionId: string, data: () => object) =>
  (method: string, body?: () => object): Endpoint => [
    `${method} ${what}`,
    async () => {
      const documentId = `a${site.serial()}`.toLowerCase();
      const documents = `/v1/databases/blog/collections/${collectionId}/documents`;
      if (method === 'POST') return sent(method, documents, { documentId, data: data(), permissions: [] });
      const place = { databaseId: 'blog', collectionId };
      await new Databases(site.site.admin()).createDocument({ ...place, documentId, data: data() });
      return sent(method, `${documents}/${documentId}`, body?.());
    },
  ];
const version = entryOf('a version of the settings', 'settings', () => ({ settings: '{}', userId: site.owner.id }));
const since = '2026-01-01T00:00:00.000Z';
const subscriber = entryOf('a subscriber', 'subscribers', () => ({
  ...{ address: 'a', state: 'active', since, source: 'form', secret: 'a', failures: 0 },
}));
const issue = entryOf('a newsletter issue', 'newsletter-issues', () => ({
  ...{ slugs: [], state: 'paused', dueAt: since, sent: 0, failed: 0 },
}));
const lock = entryOf('a lock', 'locks', () => ({ holder: 'a', heldUntil: since }));
const passkey = entryOf('a passkey', 'passkeys', () => ({
  ...{ userId: site.owner.id, credentialId: 'a', publicKey: 'a', counter: 0, name: 'a', host: 'a' },
}));
const authenticatorKey = entryOf('a kept authenticator key', 'authenticator-keys', () => ({ key: 'a' }));
const usedChallenge = entryOf('a used challenge', 'used-challenges', () => ({ expiresAt: since }));
/** Refused to guests and users, except that owners may call the `/api` endpoints and add settings versions. */
const OWNERS: readonly Endpoint[] = [
  ['GET /api/settings', get('/api/settings')],
  post('/api/settings', () => ({ base: 0, settings: {} })),
  post('/api/settings/preview', () => ({ settings: {} })),
  ['GET versions of the settings', get(SETTINGS)],
  version('POST'),
  version('GET'),
  version('PATCH', () => ({ data: { settings: '[]' } })),
  version('PUT', () => ({ data: { settings: '[]', userId: site.owner.id }, permissions: [] })),
  version('DELETE'),
  ['GET /api/newsletter', get('/api/newsletter')],
  ['GET /api/newsletter/subscribers', get('/api/newsletter/subscribers')],
  ['GET /api/newsletter/export', get('/api/newsletter/export')],
  act('/api/newsletter', 'remove', async () => ({ id: 'a'.repeat(32) })),
  ...['POST', 'GET', 'DELETE'].flatMap((method) => [subscriber(method), issue(method), lock(method)]),
  ...['POST', 'GET', 'DELETE'].flatMap((method) => [
    ...[passkey(method), authenticatorKey(method), usedChallenge(method)],
  ]),
  passkey('PATCH', () => ({ data: { userId: 'b' } })),
  authenticatorKey('PATCH', () => ({ data: { key: 'b' } })),
  subscriber('PATCH', () => ({ data: { state: 'left' } })),
  issue('PATCH', () => ({ data: { state: 'cancelled' } })),
  lock('PATCH', () => ({ data: { holder: 'b' } })),
];

/** The site's other endpoints, each with a valid body. */
const ENDPOINTS: readonly Endpoint[] = [
  ['GET /api/people', get('/api/people')],
  ['GET /api/people?storage', get('/api/people?storage')],
  act('/api/people', 'invite', async () => ({ email: `${site.serial()}@example.com`, role: 'writer', by: 'link' })),
  act('/api/people', 'role', async () => ({ ...(await fresh()), role: 'writer' })),
  act('/api/people', 'block', async () => ({ ...(await fresh()), isBlocked: true })),
  act('/api/people', 'end-sessions', fresh),
  act('/api/people', 'link', fresh),
  act('/api/people', 'delete', async () => ({ ...(await fresh()), posts: 'delete' })),
  act('/api/posts', 'take-back', published),
  act('/api/posts', 'delete', published),
  act('/api/posts', 'hand-over', async () => ({ ...(await published()), ...(await heir()) })),
  ['GET /api/authors', async () => sent('GET', `/api/authors?posts=${site.post}`)],
  ['GET /api/site', get('/api/site')],
  post('/api/site', () => ({ writers: 'everyone' })),
  ['GET /api/import', get('/api/import')],
  act('/api/import', 'begin', async () => ({ name: 'a.zip', size: 2 ** 40 })),
  act('/api/import', 'start', async () => ({ id: 'a'.repeat(32), isDryRun: true, keepsAuthors: false, oldSite: '' })),
  act('/api/import', 'cancel', async () => ({ id: 'a'.repeat(32) })),
  post('/api/import?upload=a&offset=0', () => ({}), '/api/import?upload'),
  post('/api/claim', () => ({ token: 'not-the-token-of-the-start' })),
  post('/api/recovery', () => ({ email: 'nobody@example.com' })),
  post('/api/account/password', () => ({ password: 'Another-horse-2' })),
  post('/api/account/link', () => ({ userId: 'ada', sealed: 'a'.repeat(80) })),
  post('/api/account/delete', () => ({ password: 'Not-my-horse-2' })),
  ...['use', 'add'].map((what) =>
    post('/api/passkeys/options', () => ({ for: what }), `/api/passkeys/options ${what}`),
  ),
  act('/api/passkeys', 'sign-in', async () => ({ response: { id: 'a' } })),
  act('/api/passkeys', 'code', async () => ({ response: { id: 'a' } })),
  ['GET /api/passkeys', get('/api/passkeys')],
  act('/api/passkeys/own', 'add', async () => ({ response: { id: 'a' }, name: 'a' })),
  act('/api/passkeys/own', 'rename', async () => ({ id: 'a', name: 'a' })),
  act('/api/passkeys/own', 'remove', async () => ({ id: 'a' })),
  act('/api/passkeys/own', 'keep-key', async () => ({ key: 'A'.repeat(32), proof: { password: 'Not-my-horse-2' } })),
  act('/api/passkeys/own', 'change-email', async () => ({
    ...{ email: `${site.serial()}@example.com`, proof: { password: 'Not-my-horse-2' } },
  })),
  act('/api/passkeys/own', 'remove-password', async () => ({ proof: { response: { id: 'a' } } })),
  post('/api/revalidate', () => ({ slug: site.post })),
  post('/api/preview', () => ({ title: 'a', content: '<p>a</p>', featuredImage: '', name: 'Ada' })),
  post('/api/newsletter/preview', () => ({ slug: site.post })),
  post('/api/rebuild', () => ({})),
  post('/api/sync', () => ({})),
  ['GET /api/pages', get('/api/pages?path=/')],
];

test('every caller may do what the table says, and nothing else', async () => {
  const rows: string[][] = [];
  const add = async (name: string, requests: readonly Promise<Sent>[]) => {
    const statuses: string[] = [];
    for (const request of await Promise.all(requests)) statuses.push(String(await statusOf(request)));
    rows.push([name, ...statuses]);
  };
  const routes = (await backendRoutes()).toSorted(byPath);
  for (const route of routes) {
    const isOfAccount = route.path.startsWith('/account');
    const requests = CALLERS.map(async (caller) =>
      soundRequest(site, route, await headersOf(caller, isOfAccount), () => ({
        ...('data' in route.params && { data: changed() }),
        ...(caller === 'key' && harmless(route)),
      })),
    );
    await add(`${route.method} ${route.path}`, requests);
  }
  for (const [name, sent] of [...ENDPOINTS, ...OWNERS, ...DRAFTS]) {
    const isOfDraft = DRAFTS.some(([draft]) => draft === name);
    const requests = CALLERS.map(async (caller) => ({
      ...(await sent()),
      headers: { ...(await headersOf(caller, true, isOfDraft)), 'content-type': 'application/json' },
    }));
    await add(name, requests);
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['route', ...CALLERS];
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
  await expect(table).toMatchFileSnapshot('authorisation.md');

  const cell = (name: string, caller: Caller) =>
    Number(rows.find(([each]) => each === name)?.[CALLERS.indexOf(caller) + 1]);
  for (const [name] of DRAFTS) {
    for (const caller of ['guest', 'stranger', 'editor', 'owner', 'blocked'] as const)
      expect(cell(name, caller), `${name}: ${caller}`).toBeGreaterThan(400);
  }
  for (const [name] of OWNERS) {
    for (const caller of ['guest', 'writer', 'stranger', 'editor', 'blocked'] as const)
      expect(cell(name, caller), `${name}: ${caller}`).toBeGreaterThan(400);
  }
  for (const [name = ''] of rows) {
    // A blocked user may do no more than a guest.
    if (cell(name, 'blocked') < 400) expect(cell(name, 'guest'), name).toBeLessThan(400);
    // At the endpoints `POST /api/p…`, a stranger may do no more than an editor.
    if (cell(name, 'stranger') < 300 && name.startsWith('POST /api/p'))
      expect(cell(name, 'editor'), name).toBeLessThan(300);
  }
  // `tests/attack/cost` needs an entry for each parameter of a route that guests or signed-in users may call.
  const isOpen = ({ method, path }: Named) =>
    ['guest', 'stranger'].some((caller) => cell(`${method} ${path}`, caller as Caller) !== 401);
  expect(missingArguments(routes, isOpen)).toEqual([]);
});
