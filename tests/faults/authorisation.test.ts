/**
 * Sends one request for each route of the backend and the site's endpoints as each kind of caller. A difference from
 * authorisation.md means that a caller may do more or less than before.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Teams, Users } from 'node-appwrite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIsStale, DIST } from '../../scripts/build-stamp.ts';
import { backendRoutes, backendRows, soundRequest } from '../attack/cost/backend-rows.ts';
import type { Sent } from '../attack/cost/measure.ts';
import { type MeasuredSite, measuredSite, sessionHeaders } from '../attack/cost/measured-site.ts';
import { pageRows } from '../attack/cost/page-rows.ts';
import type { Writer } from '../e2e/site.ts';

const POSTS = 10;
/** `writer` is the author of the post or draft; `stranger` is another writer; `owner` owns the site. */
const CALLERS = ['guest', 'writer', 'stranger', 'editor', 'owner', 'blocked', 'key'] as const;
type Caller = (typeof CALLERS)[number];

let site: MeasuredSite;
beforeAll(async () => {
  const build = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
  if (buildIsStale()) execFileSync(process.execPath, [build], { stdio: 'inherit' });
  site = await measuredSite(DIST, { posts: POSTS, settings: { TRUSTED_PROXIES: 'loopback' } });
}, 300_000);
afterAll(() => site?.remove());

/** Returns changed data: a caller who may only read a post may send its present data. */
const changed = () => ({
  title: site.serial(),
  content: '<p>a</p>',
  status: 'active',
  featuredImage: '',
  userId: site.owner.id,
});

/** Replaces the ids in paths with unknown ones for the key, which could change what the other callers need. */
function harmless({ method, path, params }: { method: string; path: string; params: object }): Record<string, string> {
  const isOfOne =
    /\/(?:documents|rows|files)\/:/.test(path) || (method === 'POST' && /\/(?:documents|rows|files)$/.test(path));
  if (method === 'GET' || isOfOne) return {};
  return Object.fromEntries(Object.keys(params).flatMap((name) => (path.includes(`:${name}`) ? [[name, 'none']] : [])));
}

/** Creates a new account for each call, so that changes to it affect no other call. */
async function newcomer(caller: Caller): Promise<Writer> {
  const user = await site.freshUser();
  const admin = site.site.admin();
  if (caller === 'editor' || caller === 'owner') {
    await new Teams(admin).createMembership({ teamId: 'site', userId: user.id, roles: [caller] });
  }
  if (caller === 'blocked') await new Users(admin).updateStatus({ userId: user.id, status: false });
  return user;
}

async function headersOf(caller: Caller, isOfAccount: boolean): Promise<Record<string, string>> {
  if (caller === 'guest' || caller === 'key') return site.headers(caller);
  if (caller === 'writer' && !isOfAccount) return sessionHeaders(site.owner);
  return sessionHeaders(await newcomer(caller));
}

/** Counts calls: each comes from another address, because of the rate limits. */
let asked = 0;

async function statusOf({ method, path, headers: given, body }: Sent): Promise<number> {
  asked++;
  const headers = { ...given, 'x-forwarded-for': `10.0.${asked >> 8}.${asked & 255}` };
  const response = await fetch(site.site.url + path, { method, headers, body: body ? new Uint8Array(body) : null });
  await response.arrayBuffer();
  return response.status;
}

/** Sorts by path, deletions last: the other requests need what they delete. */
function byPath(a: { method: string; path: string }, b: { method: string; path: string }): number {
  const key = ({ method, path }: { method: string; path: string }) =>
    `${method === 'DELETE' ? 'z' : 'a'} ${path} ${method}`;
  return key(a).localeCompare(key(b));
}

const JSON_TYPE = { 'content-type': 'application/json' };

interface Endpoint {
  readonly name: string;
  readonly sent: () => Promise<Omit<Sent, 'headers'>>;
}

const DOCUMENTS = '/v1/databases/blog/collections/articles/documents';
const FILES = '/v1/storage/buckets/media/files';

/** Endpoints of a draft and its picture, which belong to `writer` alone. */
const DRAFTS: readonly Endpoint[] = [
  ...(
    [
      ['GET', 'a draft'],
      ['PATCH', 'a draft to publish it', () => ({ data: { status: 'active' } })],
      ['PATCH', 'a draft’s permissions', () => ({ permissions: [] })],
      ['PUT', 'a draft', () => ({ data: changed(), permissions: [] })],
      ['DELETE', 'a draft'],
    ] as const
  ).map(([method, what, body]) => ({
    name: `${method} ${what}`,
    sent: async () => ({ method, path: `${DOCUMENTS}/${await site.freshDraft()}`, ...(body && bytes(body())) }),
  })),
  ...(
    [
      ['GET', '', undefined],
      ['GET', '/view', undefined],
      ['GET', '/download', undefined],
      ['GET', '/preview?width=480&output=webp', undefined],
      ['PUT', '', { permissions: [] }],
      ['DELETE', '', undefined],
    ] as const
  ).map(([method, way, body]) => ({
    name: `${method} a draft’s picture ${way}`.trim(),
    sent: async () => ({
      method,
      path: `${FILES}/${await site.freshFile('inactive')}${way}`,
      ...(body && bytes(body)),
    }),
  })),
  ...(['take-back', 'delete', 'hand-over'] as const).map((action) => ({
    name: `POST /api/posts ${action} a draft`,
    sent: async () => {
      const heir = action === 'hand-over' ? { userId: (await newcomer('editor')).id } : {};
      return post('/api/posts', { action, slug: await site.freshDraft(), ...heir });
    },
  })),
  ...(['find', 'make', 'take-back'] as const).map((action) => ({
    name: `POST /api/draft-link ${action}`,
    sent: async () =>
      post('/api/draft-link', {
        action,
        slug: await site.freshDraft(),
        ...(action === 'make' && { holds: 'day' }),
      }),
  })),
];

/** The site's other endpoints, each with a valid body. */
const ENDPOINTS: readonly Endpoint[] = [
  { name: 'GET /api/people', sent: async () => ({ method: 'GET', path: '/api/people' }) },
  { name: 'GET /api/people?storage', sent: async () => ({ method: 'GET', path: '/api/people?storage' }) },
  ...(
    [
      ['invite', async () => ({ email: `${site.serial()}@example.com`, role: 'writer', by: 'link' })],
      ['role', async () => ({ userId: (await site.freshUser()).id, role: 'writer' })],
      ['block', async () => ({ userId: (await site.freshUser()).id, isBlocked: true })],
      ['end-sessions', async () => ({ userId: (await site.freshUser()).id })],
      ['link', async () => ({ userId: (await site.freshUser()).id })],
      ['delete', async () => ({ userId: (await site.freshUser()).id, posts: 'delete' })],
    ] as const
  ).map(([action, more]) => ({
    name: `POST /api/people ${action}`,
    sent: async () => post('/api/people', { action, ...(await more()) }),
  })),
  ...(
    [
      ['take-back', async () => ({})],
      ['delete', async () => ({})],
      ['hand-over', async () => ({ userId: (await newcomer('editor')).id })],
    ] as const
  ).map(([action, more]) => ({
    name: `POST /api/posts ${action}`,
    sent: async () => post('/api/posts', { action, slug: await site.freshPost('<p>a</p>'), ...(await more()) }),
  })),
  { name: 'GET /api/authors', sent: async () => ({ method: 'GET', path: `/api/authors?posts=${site.post}` }) },
  { name: 'GET /api/site', sent: async () => ({ method: 'GET', path: '/api/site' }) },
  { name: 'POST /api/site', sent: async () => post('/api/site', { writers: 'everyone' }) },
  { name: 'GET /api/import', sent: async () => ({ method: 'GET', path: '/api/import' }) },
  {
    name: 'POST /api/import begin',
    sent: async () => post('/api/import', { action: 'begin', name: 'a.zip', size: 2 ** 40 }),
  },
  {
    name: 'POST /api/import start',
    sent: async () =>
      post('/api/import', { action: 'start', id: 'a'.repeat(32), isDryRun: true, keepsAuthors: false, oldSite: '' }),
  },
  {
    name: 'POST /api/import cancel',
    sent: async () => post('/api/import', { action: 'cancel', id: 'a'.repeat(32) }),
  },
  { name: 'POST /api/import?upload', sent: async () => post('/api/import?upload=a&offset=0', {}) },
  { name: 'POST /api/claim', sent: async () => post('/api/claim', { token: 'not-the-token-of-the-start' }) },
  { name: 'POST /api/recovery', sent: async () => post('/api/recovery', { email: 'nobody@example.com' }) },
  {
    name: 'POST /api/account/password',
    sent: async () => post('/api/account/password', { password: 'Another-horse-2' }),
  },
  {
    name: 'POST /api/account/link',
    sent: async () => post('/api/account/link', { userId: 'ada', sealed: 'a'.repeat(80) }),
  },
  { name: 'POST /api/account/delete', sent: async () => post('/api/account/delete', { password: 'Not-my-horse-2' }) },
  { name: 'POST /api/revalidate', sent: async () => post('/api/revalidate', { slug: site.post }) },
  {
    name: 'POST /api/preview',
    sent: async () => post('/api/preview', { title: 'a', content: '<p>a</p>', featuredImage: '', name: 'Ada' }),
  },
  { name: 'POST /api/rebuild', sent: async () => post('/api/rebuild', {}) },
  { name: 'GET /api/pages', sent: async () => ({ method: 'GET', path: '/api/pages?path=/' }) },
];

function post(path: string, body: unknown): Omit<Sent, 'headers'> {
  return { method: 'POST', path, ...bytes(body) };
}

function bytes(body: unknown): Pick<Sent, 'body'> {
  return { body: Buffer.from(JSON.stringify(body)) };
}

test('everybody may do what the table says, and nothing else', async () => {
  const rows: string[][] = [];
  for (const route of (await backendRoutes()).toSorted(byPath)) {
    const statuses: string[] = [];
    for (const caller of CALLERS) {
      const headers = await headersOf(caller, route.path.startsWith('/account'));
      const sent = await soundRequest(site, route, headers, () => ({
        ...('data' in route.params && { data: changed() }),
        ...(caller === 'key' && harmless(route)),
      }));
      statuses.push(String(await statusOf(sent)));
    }
    rows.push([`${route.method} ${route.path}`, ...statuses]);
  }
  for (const { name, sent } of [...ENDPOINTS, ...DRAFTS]) {
    const statuses: string[] = [];
    for (const caller of CALLERS) {
      const isOfAccount = !DRAFTS.some((draft) => draft.name === name);
      const headers = { ...(await headersOf(caller, isOfAccount)), ...JSON_TYPE };
      statuses.push(String(await statusOf({ ...(await sent()), headers })));
    }
    rows.push([name, ...statuses]);
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['route', ...CALLERS];
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
  await expect(table).toMatchFileSnapshot('authorisation.md');

  const cell = (name: string, caller: Caller) =>
    Number(rows.find(([each]) => each === name)?.[CALLERS.indexOf(caller) + 1]);
  for (const { name } of DRAFTS) {
    for (const caller of ['guest', 'stranger', 'editor', 'owner', 'blocked'] as const)
      expect(cell(name, caller), `${name}: ${caller}`).toBeGreaterThan(400);
  }
  for (const [name = ''] of rows) {
    // A blocked user may do at most what a guest may: open routes are asked without the session.
    if (cell(name, 'blocked') < 400) expect(cell(name, 'guest'), name).toBeLessThan(400);
    // A stranger may do no more than an editor.
    if (cell(name, 'stranger') < 300 && name.startsWith('POST /api/p'))
      expect(cell(name, 'editor'), name).toBeLessThan(300);
  }
}, 300_000);

// Runs last: it calls every route and changes the site that the table describes.
test('the cost attack has a row for each page, route and parameter', async () => {
  expect(pageRows(site).length + (await backendRows(site)).length).toBeGreaterThan(400);
});
