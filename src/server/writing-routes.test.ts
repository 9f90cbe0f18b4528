/** Compares each route that writes, its limit and its stored data's bound with `docs/limits-of-writes.md`. */
import { type RateLimit, startTestBackend, USER_SCOPES } from 'embedded-appwrite/testing';
import { expect, test } from 'vitest';
import { createApiLimits } from '#api/limits.ts';
import { ROUTES } from '#api/routes.ts';

const NOTHING = 'nothing stays';
const REMOVES = 'removes';
const USER = 'one user row: name 128 characters, prefs 65,535';
const SESSION = 'the newest 500 sessions of a user';
const TOKEN = 'an hour at most; expired ones go when another is made';
const DOCUMENT = 'quota: its texts and permissions and 512 bytes';
const TEAM = '50 teams of a user; quota: name, prefs and 512 bytes, 64 bytes for the id of a deleted one';
const MEMBERS = '50 memberships of a team that a user made, 1,000 roles of a user';
const OF_KEYS = 'refused to users: server keys only';

/** Bounds on the data that each write stores. */
const KEPT: Readonly<Record<string, string>> = {
  'POST /account': `an account: ${USER}`,
  'PATCH /account/name': USER,
  'PATCH /account/email': USER,
  'PATCH /account/password': USER,
  'PATCH /account/prefs': USER,
  'PATCH /account/status': USER,
  'PATCH /account/mfa': USER,
  'DELETE /account': `${REMOVES}; the id stays`,
  'POST /account/sessions/email': SESSION,
  'POST /account/sessions/anonymous': `an account, where anonymous sessions are on; ${SESSION}`,
  'POST /account/sessions/token': SESSION,
  'PUT /account/sessions/magic-url': SESSION,
  'PUT /account/sessions/phone': SESSION,
  'PATCH /account/sessions/:sessionId': SESSION,
  'DELETE /account/sessions/:sessionId': REMOVES,
  'DELETE /account/sessions': REMOVES,
  'POST /account/jwts': NOTHING,
  'POST /account/tokens/email': `${TOKEN}; an account for an address without one`,
  'POST /account/tokens/magic-url': `${TOKEN}; an account for an address without one`,
  'POST /account/recovery': TOKEN,
  'PUT /account/recovery': USER,
  'POST /account/verifications/email': TOKEN,
  'PUT /account/verifications/email': USER,
  'POST /account/mfa/authenticators/:type': 'one authenticator of a user',
  'PUT /account/mfa/authenticators/:type': 'one authenticator of a user',
  'DELETE /account/mfa/authenticators/:type': REMOVES,
  'POST /account/mfa/challenges': 'an hour; expired ones go when another is made',
  'PUT /account/mfa/challenges': REMOVES,
  'POST /account/mfa/recovery-codes': 'six codes of a user',
  'PATCH /account/mfa/recovery-codes': 'six codes of a user',
  'POST /teams': TEAM,
  'PUT /teams/:teamId': TEAM,
  'PUT /teams/:teamId/prefs': TEAM,
  'DELETE /teams/:teamId': TEAM,
  'POST /teams/:teamId/memberships': `${MEMBERS}; an account for an address without one`,
  'PATCH /teams/:teamId/memberships/:membershipId': MEMBERS,
  'PATCH /teams/:teamId/memberships/:membershipId/status': MEMBERS,
  'DELETE /teams/:teamId/memberships/:membershipId': `${REMOVES}; a user's team with its last member`,
  'POST …/documents': DOCUMENT,
  'PUT …/documents': OF_KEYS,
  'PATCH …/documents': OF_KEYS,
  'DELETE …/documents': OF_KEYS,
  'PUT …/documents/:documentId': DOCUMENT,
  'PATCH …/documents/:documentId': DOCUMENT,
  'PATCH …/documents/:documentId/:attribute/increment': DOCUMENT,
  'PATCH …/documents/:documentId/:attribute/decrement': DOCUMENT,
  'DELETE …/documents/:documentId': REMOVES,
  'POST …/files': 'quota: its size and at least 4,096 bytes',
  'PUT …/files/:fileId': 'quota: its permissions; a name of 128 characters',
  'DELETE …/files/:fileId': REMOVES,
};

/** Data stored by the site's own POST routes. */
const KEPT_BY_API: Readonly<Record<string, string>> = {
  'account/delete': REMOVES,
  'account/link': 'one session',
  'account/password': USER,
  claim: 'one owner',
  'draft-link': 'one link of a post',
  import: 'one import at a time; for owners only',
  peers: NOTHING,
  people: 'accounts and roles; for owners only',
  'pictures/copy': NOTHING,
  posts: "changes others' posts; for owners and editors only",
  preview: NOTHING,
  rebuild: NOTHING,
  recovery: TOKEN,
  revalidate: NOTHING,
  site: 'one setting; for owners only',
  'webhooks/appwrite': NOTHING,
};
const KEPT_BY_HANDLER: Readonly<Record<string, string>> = {
  claim: '; 10 wrong links in ten minutes for a network',
  peers: '20 wrong signatures in ten minutes for a network',
  rebuild: '10 wrong tokens in ten minutes for a network',
  recovery: ', 3 an hour for an account',
  'webhooks/appwrite': '20 wrong signatures in ten minutes for a network',
};

const WINDOWS: Readonly<Record<number, string>> = {
  60: 'a minute',
  600: 'in ten minutes',
  3600: 'an hour',
  86400: 'a day',
};

/** Returns a limit in words; its key function gets words as input. */
function words({ limit, window = 3600, counter, key, bodyKey, cost, counts }: RateLimit): string {
  const input = {
    ip: 'network',
    method: 'method',
    userId: 'user',
    header: () => '',
    param: (name: string) => (name === 'userId' ? 'user' : name),
  };
  const of = (bodyKey ? bodyKey(input) : key ? key(input) : input.ip) ?? 'user';
  const owner = of
    .replace(/method |email (?=email)| first/g, '')
    .trim()
    .replace('challengeId', 'and challenge')
    .replace('email', 'address')
    .replace('network user', 'network and user');
  const what = `${limit.toLocaleString('en')}${cost ? ' bytes' : ''}${counts ? ' wrong' : ''}`;
  return `${what} ${WINDOWS[window]} for ${/^[aeio]/.test(owner) ? 'an' : 'a'} ${owner}${counter ? ` (${counter})` : ''}`;
}

const shorten = (path: string) => path.replace(/^.*\/(documents|files)\b/, '…/$1');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

test('every route that writes has a limit and a bound, as the docs say', async () => {
  const server = await startTestBackend();
  const routes = server.backend.routes.filter(
    // Rows are another name for documents.
    ({ method, scope, path }) => method !== 'GET' && USER_SCOPES.has(scope) && !path.startsWith('/tablesdb'),
  );
  const rows = routes.map(({ method, path, limits }) => ({
    name: `${method} ${shorten(path)}`,
    limit: limits.map(words).join('; '),
  }));
  await server.stop();
  expect(rows.filter(({ limit }) => limit === '')).toEqual([]);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(KEPT).toSorted());

  const counters = createApiLimits();
  const posting = ROUTES.filter(({ method }) => method === 'POST')
    .map(({ path, who, limit }) => {
      const whose = who === 'user' ? 'a user' : who === 'owner' ? 'an owner' : 'a network';
      const counted = limit
        ? `${counters[limit].limit.toLocaleString('en')} ${WINDOWS[counters[limit].seconds]} for ${whose}`
        : '';
      return { path, limit: `${counted}${KEPT_BY_HANDLER[path] ?? ''}` };
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(posting.filter(({ limit }) => limit === '')).toEqual([]);
  expect(posting.map(({ path }) => path)).toEqual(Object.keys(KEPT_BY_API).toSorted());

  await expect(`# Limits of writes

Made by \`src/server/writing-routes.test.ts\`; \`vitest run src/server/writing-routes.test.ts --update=all\` writes it anew. A limit with a name in parentheses is shared by all routes that name it. An IPv6
network has 64 bits, and the networks of one site of 48 bits have ten times the limit together ([security](security.md)).
Server keys have no limit.

## The embedded backend, below \`/v1\`

${table(
  ['route', 'limit', 'what stays'],
  rows.map(({ name, limit }) => [`\`${name}\``, limit, KEPT[name] ?? '']),
)}

Routes of \`/tablesdb\` are those of documents by another name, with the same limits.

## The site's own endpoints, below \`/api\`

${table(
  ['POST', 'limit', 'what stays'],
  posting.map(({ path, limit }) => [`\`${path}\``, limit, KEPT_BY_API[path] ?? '']),
)}
`).toMatchFileSnapshot('../../docs/limits-of-writes.md');
});
