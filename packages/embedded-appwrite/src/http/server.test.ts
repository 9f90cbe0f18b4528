import { Agent, request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECT, startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { BODY_LIMIT, GUEST_BODY, SCHEMA_BODY, SMALL_BODY, USER_BODY } from './body.ts';

let server: TestBackend;

beforeAll(async () => {
  server = await startTestBackend();
});
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

const jsonOf = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;

describe('the order of refusals', () => {
  test('the project comes before the key', async () => {
    const reply = await get('/users', { 'x-appwrite-project': 'nope', 'x-appwrite-key': 'wrong' });
    expect(reply.body).toMatchObject({ code: 404, type: 'project_not_found' });
  });

  test('the origin comes before the scope', async () => {
    expect((await get('/users', { origin: 'http://evil.test' })).body).toMatchObject({
      code: 403,
      type: 'general_unknown_origin',
    });
  });

  test('the scope comes before the body is even read', async () => {
    const reply = await server.request('POST', '/users', { body: '{broken' });
    expect(reply.body).toMatchObject({ code: 401, type: 'general_unauthorized_scope' });
  });
});

describe('bodies', () => {
  test.each(['{broken', '"text"', '[1]', 'null', '5'])('%s is 400', async (body) => {
    const reply = await server.request('POST', '/account', { body });
    expect(reply.body).toMatchObject({ code: 400, type: 'general_bad_request' });
  });

  test('none is an empty object: the first missing parameter is named', async () => {
    const reply = await server.request('POST', '/account');
    expect(reply.body).toMatchObject({ code: 400, message: 'Param "userId" is not optional.' });
  });

  test('of another type is 400, and says what to send', async () => {
    const reply = await server.request('POST', '/account', { body: 'a=1', headers: { 'content-type': 'text/plain' } });
    expect(reply.body).toMatchObject({ code: 400, message: expect.stringContaining('application/json') });
  });

  test('up to 64 KiB are read, one byte more is a readable 413', async () => {
    expect((await server.request('POST', '/account', { body: jsonOf(SMALL_BODY) })).status).toBe(400);
    const reply = await server.request('POST', '/account', { body: jsonOf(SMALL_BODY + 1) });
    expect(reply.body).toMatchObject({
      code: 413,
      type: 'general_payload_too_large',
      message: 'The request body is larger than the allowed 64 KiB.',
      version: '1.9.6',
    });
  });

  test.each([
    ['POST', '/databases/d/collections/c/documents', BODY_LIMIT],
    ['PUT', '/tablesdb/d/tables/c/rows/r', BODY_LIMIT],
    ['PATCH', '/databases/d/collections/c/documents', BODY_LIMIT],
    ['POST', '/databases/d/collections', SCHEMA_BODY],
    ['PATCH', '/users/u/prefs', 512 * 1024],
  ])('%s %s takes %i bytes, and not one more', async (method, path, size) => {
    const ask = (bytes: number) => server.request(method, path, { asKey: true, body: jsonOf(bytes) });
    expect((await ask(size)).status).not.toBe(413);
    expect((await ask(size + 1)).body).toMatchObject({ code: 413, type: 'general_payload_too_large' });
  });

  test('of documents have 3 MiB from a user and 1 MiB from a guest, and not one more', async () => {
    const { cookies } = await server.signUp('long@example.com');
    const ask = (bytes: number, caller: { cookies?: string }) =>
      server.request('PATCH', '/databases/d/collections/c/documents/x', { ...caller, body: jsonOf(bytes) });
    for (const [most, caller] of [
      [USER_BODY, { cookies }],
      [GUEST_BODY, {}],
    ] as const) {
      expect((await ask(most, caller)).status).not.toBe(413);
      expect((await ask(most + 1, caller)).body).toMatchObject({
        code: 413,
        message: `The request body is larger than the allowed ${most / 1024 / 1024} MiB.`,
      });
    }
  });

  test('without a stated length end at the limit too', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-appwrite-project': PROJECT, 'content-type': 'application/json' };
      const request = rawRequest(`${server.origin}/v1/account`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write(jsonOf(SMALL_BODY));
      request.end('  ');
    });
    expect(status).toBe(413);
  });

  test('that are refused on a connection that ends with the answer are read, so that it is heard', async () => {
    const body = Buffer.from(jsonOf(BODY_LIMIT));
    const status = await new Promise((resolve, reject) => {
      const headers = {
        'x-appwrite-project': PROJECT,
        'content-type': 'application/json',
        'content-length': body.length,
      };
      const options = { method: 'POST', headers, agent: false } as const;
      const request = rawRequest(`${server.origin}/v1/account`, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      request.on('error', reject).end(body);
    });
    expect(status).toBe(413);
  });

  test('of a guest hold 10,000 values, one more is 400; a user’s hold more', async () => {
    const { cookies } = await server.signUp('many@example.com');
    const ask = (values: number, caller: { cookies?: string }) => {
      // The object and the list count as values too.
      const body = `{"data":[${'1,'.repeat(values - 2)}1]}`;
      return server.request('PATCH', '/databases/d/collections/c/documents/x', { ...caller, body });
    };
    const fault = expect.stringContaining('holds more than 10000 values');
    expect((await ask(10_000, {})).body).not.toMatchObject({ message: fault });
    expect((await ask(10_001, {})).body).toMatchObject({ code: 400, message: fault });
    expect((await ask(10_001, { cookies })).body).not.toMatchObject({ message: fault });
  });

  test('are nested 512 levels, one more is 400', async () => {
    const { cookies } = await server.signUp('deep@example.com');
    const save = (depth: number) => {
      const body = `{"prefs":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
      return server.request('PATCH', '/account/prefs', { cookies, body });
    };
    expect((await save(511)).status).toBe(200);
    expect((await save(512)).body).toMatchObject({
      code: 400,
      type: 'general_bad_request',
      message: 'The request body is nested deeper than 512 levels.',
    });
  });

  test('that break off leave the server standing', async () => {
    const { port, hostname } = new URL(server.origin);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/account HTTP/1.1\r\nHost: x\r\nX-Appwrite-Project: ${PROJECT}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`,
        );
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('close', () => resolve());
    });
    expect((await get('/health/version')).status).toBe(200);
  });
});

describe('answers', () => {
  test('HEAD is GET without a body', async () => {
    const response = await fetch(`${server.origin}/v1/health/version`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String('{"version":"1.9.6"}'.length));
    expect(await response.text()).toBe('');
  });
});

describe('what caches may keep', () => {
  const cacheControl = async (reply: ReturnType<typeof server.request>) => (await reply).headers.get('cache-control');

  test('is nothing that is answered to a signed-in user or to a key, or to a write', async () => {
    const { cookies } = await server.signUp('cached@example.com');
    for (const path of ['/account', '/account/prefs', '/account/sessions', '/teams', '/health/version']) {
      expect(await cacheControl(server.request('GET', path, { cookies })), path).toBe('private, no-store');
    }
    expect(await cacheControl(server.request('PATCH', '/account/prefs', { cookies, body: { prefs: {} } }))).toBe(
      'private, no-store',
    );
    expect(await cacheControl(server.request('GET', '/users', { asKey: true }))).toBe('private, no-store');
    const body = { email: 'cached@example.com', password: 'correct horse' };
    expect(await cacheControl(server.request('POST', '/account/sessions/email', { body }))).toBe('private, no-store');
  });

  test('is left open for what anybody reads', async () => {
    expect(await cacheControl(server.request('GET', '/health/version'))).toBeNull();
  });
});

test('limits are told on limited routes, also when nothing enforces them', async () => {
  const reply = await server.request('POST', '/account', { body: {} });
  expect(reply.headers.get('x-ratelimit-limit')).toBe('10');
  expect(reply.headers.get('x-ratelimit-remaining')).toBe('9');
  expect(Number(reply.headers.get('x-ratelimit-reset')) % 3600).toBe(0);
  expect((await get('/account')).headers.get('x-ratelimit-limit')).toBeNull();
});

describe('with limits enforced', () => {
  let limited: TestBackend;
  beforeAll(async () => {
    limited = await startTestBackend({ rateLimits: true, trustedProxies: ['loopback'] });
  });
  afterAll(() => limited.stop());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const keepAlive = new Agent({ keepAlive: true });

  /** Returns the status of a request that announces a body and never sends it. */
  const announced = (path: string, address: string) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...from(address),
        'x-appwrite-project': PROJECT,
        'content-type': 'application/json',
        'content-length': '100',
      };
      const request = rawRequest(
        `${limited.origin}/v1${path}`,
        { method: 'POST', headers, agent: keepAlive },
        (response) => {
          resolve(response.statusCode);
          request.destroy();
        },
      );
      request.on('error', reject).flushHeaders();
    });

  test('what needs no body is counted before it is read', async () => {
    const ask = () => limited.request('POST', '/account', { headers: from('203.0.113.1'), body: '{broken' });
    for (let index = 0; index < 10; index++) {
      const reply = await ask();
      expect(reply.status).toBe(400);
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(String(9 - index));
    }
    expect(await announced('/account', '203.0.113.1')).toBe(429);
    const { status, headers } = await ask();
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-limit')).toBe('10');
  });

  test('of limits before and after the body the tighter one is told, once', async () => {
    const recover = (email: string) => {
      const body = { email, url: 'http://localhost/' };
      return limited.request('POST', '/account/recovery', { headers: from('203.0.113.2'), body });
    };
    await recover('ann@example.com');
    await recover('ann@example.com');
    expect((await recover('bob@example.com')).headers.get('x-ratelimit-remaining')).toBe('7');
    expect((await recover('ann@example.com')).headers.get('x-ratelimit-remaining')).toBe('6');
  });

  test.each([
    ['no JSON', '{broken'],
    ['too large', jsonOf(SMALL_BODY + 1)],
    ['too deep', '['.repeat(600)],
  ])('a hundred bodies of a minute that are %s are read, then none of that network', async (kind, bad) => {
    const statuses = await inOneMinute(async (attempt) => {
      const address = `198.51.${kind.length}.${attempt}`;
      const ask = async (options: object, sender = address) =>
        (await limited.request('PUT', '/account/recovery', { headers: from(sender), ...options })).status;
      const replies: number[] = [];
      for (let index = 0; index < 100; index++) replies.push(await ask({ body: bad }));
      return {
        within: replies.filter((status) => status === 429).length,
        bad: await ask({ body: bad }),
        good: await ask({ body: {} }),
        signIn: await announced('/account/sessions/email', address),
        elsewhere: await ask({ body: {} }, '203.0.113.99'),
        asKey: (await ask({ body: {}, asKey: true })) === 429,
        withoutBody: (await limited.request('GET', '/account', { headers: from(address) })).status,
      };
    });
    expect(statuses).toEqual({
      within: 0,
      bad: 429,
      good: 429,
      signIn: 429,
      elsewhere: 400,
      asKey: false,
      withoutBody: 401,
    });
  });

  test('a signed-in user is not kept out by guests of the same network', async () => {
    const credentials = { email: 'eve@example.com', password: 'correct horse' };
    let address = '203.0.113.3';
    const ask = (path: string, body: object | string, cookies?: string) =>
      limited.request(path === '/account/prefs' ? 'PATCH' : 'POST', path, { headers: from(address), body, cookies });
    await ask('/account', { userId: 'unique()', ...credentials });
    const { cookies } = await ask('/account/sessions/email', credentials);
    const statuses = await inOneMinute(async (attempt) => {
      address = `198.51.100.${attempt}`;
      for (let index = 0; index < 100; index++) await ask('/account/sessions/email', '{broken');
      const guest = await ask('/account/sessions/email', credentials);
      return [guest.status, (await ask('/account/prefs', { prefs: {} }, cookies)).status];
    });
    expect(statuses).toEqual([429, 200]);
  });
});

/** Repeats the work from another address if a rate-limit window began meanwhile. */
async function inOneMinute<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const minute = Math.floor(Date.now() / 60_000);
    const result = await work(attempt);
    if (Math.floor(Date.now() / 60_000) === minute) return result;
  }
}

describe('proxies in front', () => {
  const told = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
  const credentials = { email: 'ann@example.com', password: 'correct horse' };

  /** Signs up and in; returns the cookies and the client's remaining sign-ups. */
  async function signUp(trustedProxies: string[]) {
    const backend = await startTestBackend({ trustedProxies, rateLimits: true });
    try {
      const ask = (headers: Record<string, string>) =>
        backend.request('POST', '/account', { headers, body: { userId: 'unique()', ...credentials } });
      await ask(told);
      const other = await ask({ ...told, 'x-forwarded-for': '203.0.113.10' });
      const session = await backend.request('POST', '/account/sessions/email', { headers: told, body: credentials });
      return {
        left: other.headers.get('x-ratelimit-remaining'),
        cookie: session.headers.getSetCookie()[1],
        ip: session.body.ip,
      };
    } finally {
      await backend.stop();
    }
  }

  test('a trusted one tells the client, whom limits count, and https, which cookies need', async () => {
    const { left, cookie, ip } = await signUp(['loopback']);
    expect(left).toBe('9');
    expect(ip).toBe('203.0.113.9');
    expect(cookie).toMatch(/; Secure; HttpOnly; SameSite=None$/);
  });

  test('anybody else tells nothing', async () => {
    const { left, cookie, ip } = await signUp(['192.0.2.0/24']);
    expect(left).toBe('8');
    expect(ip).toBe('127.0.0.1');
    expect(cookie).not.toContain('Secure');
  });
});
