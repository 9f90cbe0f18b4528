import { beforeEach, describe, expect, test } from 'vitest';
import type { Revalidation, RevalidationReport } from '#publishing/revalidate.ts';
import { apiSite, callApi, postRequest as post, SITE } from '../../tests/support/api.ts';
import { Attempts } from './attempts.ts';
import { webhookSignature } from './handlers/webhook.ts';
import { ApiError } from './json.ts';
import type { PublishingLocals } from './locals.ts';

const TOKEN = 'a-token-of-an-operator';
const SECRET = 'a-webhook-secret';
const PAGES = { revalidated: ['/post/x', '/'], removed: [], failed: [] };
const done: RevalidationReport = { ...PAGES, outdated: 0, milliseconds: 1 };
let calls: Revalidation[];
let publishing: PublishingLocals;
beforeEach(() => {
  calls = [];
  const revalidate = async (revalidation: Revalidation) => {
    calls.push(revalidation);
    return done;
  };
  publishing = apiSite({ revalidate, rebuildToken: TOKEN, webhookSecret: SECRET });
});

const status = async (response: Promise<Response>) => (await response).status;

describe('POST /api/revalidate', () => {
  const signedIn = { cookie: 'user=ann' };
  const call = (body: unknown, headers: Record<string, string> = signedIn) =>
    callApi(post('/api/revalidate', body, headers), publishing);

  test('answers a signed-in writer when the pages are stored', async () => {
    const response = await call({ slug: 'x' });
    expect([response.status, await response.json()]).toEqual([200, { revalidated: ['/post/x', '/'], removed: [] }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(calls).toEqual([{ slugs: ['x'], userId: 'ann', from: 'writer' }]);
  });

  test('tidies up after a post whose page is not there any more, before it answers', async () => {
    const tidied: string[] = [];
    const tidyAfter = async (slug: string) => void tidied.push(slug);
    publishing = { ...publishing, tidyAfter };
    await call({ slug: 'x' });
    expect(tidied).toEqual([]);
    publishing = { ...publishing, revalidate: async () => ({ ...done, revalidated: ['/'], removed: ['/post/x'] }) };
    expect(await status(call({ slug: 'x' }))).toBe(200);
    expect(tidied).toEqual(['x']);
    // The API tidies up if only `/` failed, but not if `/post/x` failed, because that page may still show the post.
    for (const path of ['/', '/post/x']) {
      publishing = {
        ...publishing,
        revalidate: async () => ({ ...done, revalidated: [], failed: [{ path, why: '' }] }),
      };
      expect(await status(call({ slug: 'x' }))).toBe(503);
    }
    expect(tidied).toEqual(['x', 'x']);
  });

  test('is the site’s own: another origin is refused before anybody is asked', async () => {
    for (const [expected, origin, more] of [
      [403, 'https://evil.example', {}],
      [403, 'null', {}],
      [403, `${SITE}.evil.example`, {}],
      [403, SITE.replace('https', 'http'), { host: 'blog.example' }],
      [403, `${SITE}:8443`, { host: 'blog.example:8443' }],
      [403, SITE, { 'sec-fetch-site': 'cross-site' }],
      [403, SITE, { 'sec-fetch-site': 'same-site' }],
      [403, 'null', { 'sec-fetch-site': 'cross-site' }],
      [200, 'null', { 'sec-fetch-site': 'same-origin' }],
      [200, SITE, { 'sec-fetch-site': 'same-origin' }],
      [200, 'http://localhost:4321', { host: 'localhost:4321' }],
    ] as const)
      expect(await status(call({ slug: 'x' }, { ...signedIn, origin, ...more })), origin).toBe(expected);
  });

  test.each([{}, { slug: ['x'] }, { slug: '-x' }, 'not json', 'null', '[]', '"x"'])('refuses %j', async (body) =>
    expect([await status(call(body)), calls]).toEqual([400, []]),
  );

  test('wants JSON, and little of it', async () => {
    expect(await status(call({ slug: 'x' }, { ...signedIn, 'content-type': 'text/plain' }))).toBe(415);
    expect(await status(call(`{"slug":"x"${' '.repeat(4084)}}`))).toBe(200);
    expect(await status(call(`{"slug":"x"${' '.repeat(4085)}}`))).toBe(413);
    expect(await status(call({ slug: 'x'.repeat(36) }))).toBe(200);
  });

  test('says so when the page could not be made, or the backend cannot be asked', async () => {
    publishing = { ...publishing, revalidate: async () => ({ ...done, failed: [{ path: '/post/x', why: 'down' }] }) };
    const response = await call({ slug: 'x' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    publishing = { ...publishing, verifySession: () => Promise.reject(new Error('down')) };
    expect(await status(call({ slug: 'x' }))).toBe(503);
  });

  test('asks the backend about thirty strangers who come at once from one address, and about the others in turn', async () => {
    let asked = 0;
    const answers = Promise.withResolvers<undefined>();
    const verifySession = () => {
      asked++;
      return answers.promise;
    };
    publishing = { ...publishing, verifySession };
    const calls = Array.from({ length: 100 }, () => status(call({ slug: 'x' })));
    await expect.poll(() => asked).toBe(34);
    answers.resolve(undefined);
    expect((await Promise.all(calls)).sort()).toEqual([...Array(30).fill(401), ...Array(70).fill(429)]);
  });

  test('stops a flood of strangers, and nobody who is signed in and has their address', async () => {
    for (let i = 0; i < 30; i++) expect(await status(call({ slug: 'x' }, {}))).toBe(401);
    const response = await call({ slug: 'x' }, {});
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await status(call({ slug: 'x' }))).toBe(200);
  });
});

describe('POST /api/webhooks/appwrite', () => {
  const event = (action: string, slug = 'x') =>
    ['databases.blog.collections.articles.documents', slug, action].join('.');
  const document = { $id: 'x', status: 'active', title: 'Ein Stück/mit Strich' };
  const deliver = (
    body: string,
    { events = event('update'), url = `${SITE}/api/webhooks/appwrite`, signature = '' } = {},
  ) =>
    callApi(
      post('/api/webhooks/appwrite', body, {
        'x-appwrite-webhook-events': events,
        'x-appwrite-webhook-signature': signature || webhookSignature(SECRET, url, Buffer.from(body)),
      }),
      publishing,
    );
  // PHP escapes JSON like this; the signature covers these exact bytes.
  const body = JSON.stringify(document).replace('/', '\\/').replace('ü', '\\u00fc');

  test('a signed delivery is followed', async () => {
    const events = `databases.*.collections.*.documents.*.update,${event('update')},databases.blog`;
    const response = await deliver(body, { events });
    expect([response.status, await response.json()]).toEqual([200, PAGES]);
    expect(calls).toEqual([{ slugs: ['x'], from: 'webhook' }]);
  });

  test('one signed for another address, or not at all, is refused', async () => {
    const answers = await Promise.all([
      deliver(body, { url: 'https://other.example/api/webhooks/appwrite' }),
      deliver(body, { signature: 'x' }),
      callApi(post('/api/webhooks/appwrite', body), publishing),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
    expect(calls).toEqual([]);
  });

  test('a signed body cannot be used for another post', async () =>
    expect([await status(deliver(body, { events: event('delete', 'y') })), calls]).toEqual([400, []]));

  test('events that change no page are taken and change none', async () => {
    const response = await deliver(JSON.stringify({ $id: 's' }), { events: 'users.ann.sessions.s.create' });
    expect([response.status, calls]).toEqual([200, []]);
  });

  test('a body whose sender went away is no fault of the site', async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('aborted')) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const request = new Request(`${SITE}/api/webhooks/appwrite`, init);
    expect(await status(callApi(request, publishing))).toBe(400);
  });

  test('bodies that are sent slowly keep no other out', async () => {
    const slow = Array.from({ length: 20 }, () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: readable, duplex: 'half' };
      const request = new Request(`${SITE}/api/webhooks/appwrite`, init);
      return { writer, answer: status(callApi(request, publishing)) };
    });
    for (const { writer } of slow) await writer.write(new Uint8Array(7_000_000)).catch(() => undefined);
    expect(await status(deliver(body))).toBe(200);
    for (const { writer } of slow) writer.close().catch(() => undefined);
    const statuses = await Promise.all(slow.map(({ answer }) => answer));
    expect(statuses.filter((each) => each === 503).length).toBeGreaterThanOrEqual(10);
    expect(statuses.at(-1)).toBe(401);
  });
});

describe('POST /api/rebuild', () => {
  const operator = { authorization: `Bearer ${TOKEN}` };
  const call = (body: unknown, headers: Record<string, string> = operator) =>
    callApi(post('/api/rebuild', body, headers), publishing);

  test('answers the operator with the report', async () => {
    const response = await call({ all: true });
    expect([response.status, await response.json()]).toEqual([200, done]);
    await call({ tags: ['author:ann'] });
    await call({ paths: ['/post/X/', '/'] });
    const asked = [{ all: true }, { tags: ['author:ann'] }, { paths: ['/post/x', '/'] }];
    expect(calls).toEqual(asked.map((each) => ({ ...each, complete: true, from: 'operator' })));
  });

  test.each([
    ...[{}, { all: false }, { all: true, tags: ['posts'] }, { tags: [] }, { tags: 'posts' }, { tags: ['with space'] }],
    ...[{ paths: ['/Login'] }, { paths: ['https://evil.example/'] }],
    { paths: Array.from({ length: 1001 }, (_, i) => `/post/${i}`) },
  ])('refuses %j', async (body) => expect([await status(call(body)), calls]).toEqual([400, []]));

  test('nobody else', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
      const response = await call({ all: true }, { authorization });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect(calls).toEqual([]);
  });
});

test.each(['rebuild', 'webhooks/appwrite'])('%s is off without its secret', async (path) => {
  publishing = { ...publishing, rebuildToken: undefined, webhookSecret: undefined };
  expect(await status(callApi(post(`/api/${path}`, {}), publishing))).toBe(403);
});

test('attempts are counted by caller and forgotten after their time', () => {
  let now = 0;
  const attempts = new Attempts(2, 10, () => now);
  attempts.spend('a');
  attempts.spend('a');
  expect(() => attempts.spend('a')).toThrow(ApiError);
  attempts.spend('b');
  now = 9_999;
  expect(() => attempts.check('a')).toThrow('Too many attempts. Try again in 1 s.');
  now = 10_000;
  attempts.spend('a');
  for (let i = 0; i < 20_000; i++) attempts.count(`x${i}`);
  attempts.check('a');
  attempts.spend('a');
  for (let i = 0; i < 20_000; i++) attempts.count(`y${i}`);
  expect(() => attempts.check('a')).toThrow(ApiError);
});

test('the IPv6 networks of one site have ten times the attempts of one together', () => {
  const attempts = new Attempts(2, 10, () => 0);
  const isLet = (network: string) => {
    const isIn = attempts.wait(network) === 0;
    if (isIn) attempts.count(network);
    return isIn;
  };
  const networks = Array.from({ length: 30 }, (_, i) => `2001:db8:1:${i.toString(16)}::/64`);
  expect(networks.filter(isLet)).toHaveLength(20);
  expect(isLet('2001:db8:2:0::/64')).toBe(true);
});
