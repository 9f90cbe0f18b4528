/** Checks that `docs/limits-of-writes.md` lists every route that writes, with its rate limit and what it can store. */
import { readFileSync } from 'node:fs';
import { type RateLimit, startTestBackend, USER_SCOPES } from 'embedded-appwrite/testing';
import { expect, test } from 'vitest';
import { createApiLimits } from '#api/limits.ts';
import { ROUTES } from '#api/routes.ts';

/** Limits that handlers apply in addition to those in the route table. */
const LIMITS_OF_HANDLERS: Readonly<Record<string, string>> = {
  claim: '; 10 wrong links in ten minutes for a network',
  passkeys: '; 10 sign-ups an hour and 20 taken addresses a day for a network',
  'passkeys/own': '; 20 taken addresses a day for a network',
  peers: '20 wrong signatures in ten minutes for a network',
  rebuild: '10 wrong tokens in ten minutes for a network',
  recovery: ', 3 an hour for an account',
  sync: '10 wrong tokens in ten minutes for a network',
  'webhooks/appwrite': '20 wrong signatures in ten minutes for a network',
};

const WINDOWS: Record<number, string> = { 60: 'a minute', 600: 'in ten minutes', 3600: 'an hour', 86400: 'a day' };

/** Describes a limit in words. Calls its key function with words such as `network` instead of real values. */
function words({ limit, window = 3600, counter, key, bodyKey, cost, counts }: RateLimit): string {
  const param = (name: string) => (name === 'userId' ? 'user' : name);
  const input = { ip: 'network', method: 'method', userId: 'user', header: () => '', param };
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

/** Returns the document's limits by route. Skips rows whose last column (the stored data) is empty. */
function documented(): Map<string, string> {
  const text = readFileSync(new URL('../../docs/limits-of-writes.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `(.+?)` \| (.+?) \| .*\S.* \|$/gm);
  return new Map(Array.from(rows, ([, name = '', limit = '']) => [name, limit]));
}

test('every route that writes has a limit and a bound, as the docs say', async () => {
  const server = await startTestBackend();
  const found = new Map<string, string>();
  for (const { method, path, scope, limits } of server.backend.routes) {
    // Skips `/tablesdb`, the same API under another name: its rows are documents.
    if (method === 'GET' || !USER_SCOPES.has(scope) || path.startsWith('/tablesdb')) continue;
    found.set(`${method} ${shorten(path)}`, limits.map(words).join('; '));
  }
  await server.stop();
  const counters = createApiLimits();
  for (const { method, path, who, limit } of ROUTES) {
    if (method !== 'POST') continue;
    const whose = who === 'user' ? 'a user' : who === 'owner' ? 'an owner' : 'a network';
    const { limit: count = 0, seconds = 0 } = limit ? counters[limit] : {};
    const counted = limit ? `${count.toLocaleString('en')} ${WINDOWS[seconds]} for ${whose}` : '';
    found.set(path, `${counted}${LIMITS_OF_HANDLERS[path] ?? ''}`);
  }
  expect(Object.fromEntries(documented())).toEqual(Object.fromEntries(found));
});
