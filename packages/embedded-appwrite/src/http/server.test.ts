import { Agent, request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PROJECT, type RequestOptions, type TestBackend } from '../../tests/support/backend.ts';
import { backendOfTest, useBackend } from '../../tests/support/use-backend.ts';
import { BODY_LIMIT, GUEST_BODY, SCHEMA_BODY, SMALL_BODY, USER_BODY } from './body.ts';

const server = useBackend();
const PROJECT_HEADER = 'x-appwrite-project';
const jsonOf = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
const DOCUMENT = '/databases/d/collections/c/documents/x';
const TOO_LARGE = { code: 413, type: 'general_payload_too_large' };

function rawStatus(
  { origin }: TestBackend,
  path: string,
  options: { headers?: Record<string, string | number>; agent?: Agent | false },
  write: (request: ReturnType<typeof rawRequest>) => unknown,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { [PROJECT_HEADER]: PROJECT, 'content-type': 'application/json', ...options.headers };
    const request = rawRequest(`${origin}/v1${path}`, { method: 'POST', ...options, headers }, (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode);
        request.destroy();
      });
    });
    request.on('error', reject);
    write(request);
  });
}

test.each([
  ['the project before the key', 'GET', { [PROJECT_HEADER]: 'nope', 'x-appwrite-key': 'wrong' }, 'project_not_found'],
  ['the origin before the scope', 'GET', { origin: 'http://evil.test' }, 'general_unknown_origin'],
  ['the scope before it reads the body', 'POST', {}, 'general_unauthorized_scope'],
])('checks %s', async (_what, method, headers, type) => {
  const body = method === 'POST' ? '{broken' : undefined;
  expect((await server.request(method, '/users', { headers, body })).body).toMatchObject({ type });
});

test.each([
  ['is broken', { body: '{broken' }, 'The request body is not valid JSON'],
  ...['"text"', '[1]', 'null', '5'].map((body) => [`is ${body}`, { body }, 'must be a JSON object'] as const),
  ['is missing, as an empty object', {}, 'Param "userId" is not optional.'],
  ['has another type', { body: 'a=1', headers: { 'content-type': 'text/plain' } }, 'application/json'],
] as const)('a body is refused that %s', async (_what, options, message) => {
  const { body } = await server.request('POST', '/account', options);
  expect(body).toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

test('a body has at most 64 KiB, and the 413 is readable', async () => {
  expect((await server.request('POST', '/account', { body: jsonOf(SMALL_BODY) })).status).toBe(400);
  const reply = await server.request('POST', '/account', { body: jsonOf(SMALL_BODY + 1) });
  const message = 'The request body is larger than the allowed 64 KiB.';
  expect(reply.body).toEqual({ ...TOO_LARGE, message, version: '1.9.6' });
});

test.each([
  ['POST', '/databases/d/collections/c/documents', BODY_LIMIT],
  ['PUT', '/tablesdb/d/tables/c/rows/r', BODY_LIMIT],
  ['PATCH', '/databases/d/collections/c/documents', BODY_LIMIT],
  ['POST', '/databases/d/collections', SCHEMA_BODY],
  ['PATCH', '/users/u/prefs', 512 * 1024],
])('a body of %s %s has at most %i bytes', async (method, path, size) => {
  const ask = (bytes: number) => server.request(method, path, { asKey: true, body: jsonOf(bytes) });
  expect((await ask(size)).status).not.toBe(413);
  expect((await ask(size + 1)).body).toMatchObject(TOO_LARGE);
});

test('a body of a document has at most 3 MiB from a user and 1 MiB from a guest', async () => {
  const { cookies } = await server.signUp('long@example.com');
  for (const caller of [{ cookies }, {}]) {
    const most = 'cookies' in caller ? USER_BODY : GUEST_BODY;
    const ask = (bytes: number) => server.request('PATCH', DOCUMENT, { ...caller, body: jsonOf(bytes) });
    expect((await ask(most)).status).not.toBe(413);
    const message = `The request body is larger than the allowed ${most / 1024 / 1024} MiB.`;
    expect((await ask(most + 1)).body).toMatchObject({ code: 413, message });
  }
});

test('a body without a stated length ends at the limit too', async () => {
  const status = await rawStatus(server, '/account', {}, (request) => {
    request.write(jsonOf(SMALL_BODY));
    request.end('  ');
  });
  expect(status).toBe(413);
});

test('a body is read though refused on a connection that ends with the answer, so that the client gets it', async () => {
  const body = Buffer.from(jsonOf(BODY_LIMIT));
  const options = { headers: { 'content-length': body.length }, agent: false } as const;
  expect(await rawStatus(server, '/account', options, (request) => request.end(body))).toBe(413);
});

test('a body of a guest holds at most 10,000 values, a user’s more', async () => {
  const { cookies } = await server.signUp('many@example.com');
  const ask = async (values: number, caller: { cookies?: string }) => {
    // The object and the list count as values too.
    const body = `{"data":[${'1,'.repeat(values - 2)}1]}`;
    return (await server.request('PATCH', DOCUMENT, { ...caller, body })).body;
  };
  const fault = { code: 400, message: expect.stringContaining('holds more than 10000 values') };
  expect(await ask(10_000, {})).not.toMatchObject(fault);
  expect(await ask(10_001, {})).toMatchObject(fault);
  expect(await ask(10_001, { cookies })).not.toMatchObject(fault);
});

test('a body is nested at most 512 levels', async () => {
  const ask = (depth: number) =>
    server.request('POST', '/account', { body: `{"a":[${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}]}` });
  expect((await ask(511)).body.message).toBe('Param "userId" is not optional.');
  const message = 'The request body is nested deeper than 512 levels.';
  expect((await ask(512)).body).toMatchObject({ code: 400, type: 'general_bad_request', message });
});

test('a body that breaks off leaves the server running', async () => {
  const { port, hostname } = new URL(server.origin);
  const head = `POST /v1/account HTTP/1.1\r\nHost: x\r\nX-Appwrite-Project: ${PROJECT}\r\nContent-Type: application/json\r\n`;
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"a`);
      socket.once('data', () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  expect((await server.request('GET', '/health/version')).status).toBe(200);
});

test('answers HEAD like GET without a body', async () => {
  const { status, headers, text } = await server.request('HEAD', '/health/version');
  expect([status, headers.get('content-length'), text]).toEqual([200, String('{"version":"1.9.6"}'.length), '']);
});

test('lets caches keep only what guests read', async () => {
  const { cookies } = await server.signUp('cached@example.com');
  const login = { email: 'cached@example.com', password: 'correct horse' };
  const cacheControl = async (method: string, path: string, options: RequestOptions) =>
    (await server.request(method, path, options)).headers.get('cache-control');
  const read = ['/account', '/account/prefs', '/account/sessions', '/teams', '/health/version'];
  for (const [method, path, options] of [
    ...read.map((path) => ['GET', path, { cookies }] as const),
    ['PATCH', '/account/prefs', { cookies, body: { prefs: {} } }],
    ['GET', '/users', { asKey: true }],
    ['POST', '/account/sessions/email', { body: login }],
  ] as const) {
    expect(await cacheControl(method, path, options), path).toBe('private, no-store');
  }
  expect(await cacheControl('GET', '/health/version', {})).toBeNull();
});

describe('with limits enforced', () => {
  const limited = useBackend({ rateLimits: true, trustedProxies: ['loopback'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const keepAlive = new Agent({ keepAlive: true });

  const announced = (path: string, address: string) => {
    const headers = { ...from(address), 'content-length': '100' };
    return rawStatus(limited, path, { headers, agent: keepAlive }, (request) => request.flushHeaders());
  };

  test('counts a request before it reads the body, where the key needs none', async () => {
    stopClock();
    const ask = () => limited.request('POST', '/account', { headers: from('203.0.113.1'), body: '{broken' });
    for (let index = 0; index < 10; index++) {
      const { status, headers } = await ask();
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([400, String(9 - index)]);
    }
    expect(await announced('/account', '203.0.113.1')).toBe(429);
    const { status, headers } = await ask();
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([429, '10']);
  });

  test('shows the tighter of the limits before and after the body, once', async () => {
    stopClock();
    const left = async (email: string) => {
      const body = { email, url: 'http://localhost/' };
      const { headers } = await limited.request('POST', '/account/recovery', { headers: from('203.0.113.2'), body });
      return headers.get('x-ratelimit-remaining');
    };
    for (let i = 0; i < 2; i++) await left('ann@example.com');
    expect([await left('bob@example.com'), await left('ann@example.com')]).toEqual(['7', '6']);
  });

  const BAD = { 'no JSON': '{broken', 'too large': jsonOf(SMALL_BODY + 1), 'too deep': '['.repeat(600) };
  test.each(Object.entries(BAD))('reads a hundred bodies of a network a minute that are %s', async (kind, bad) => {
    const statuses = await inOneMinute(async (attempt) => {
      const address = `198.51.${kind.length}.${attempt}`;
      const ask = async (options: object, sender = address) =>
        (await limited.request('PUT', '/account/recovery', { headers: from(sender), ...options })).status;
      let within = 0;
      for (let index = 0; index < 100; index++) if ((await ask({ body: bad })) === 429) within += 1;
      return {
        within,
        bad: await ask({ body: bad }),
        good: await ask({ body: {} }),
        signIn: await announced('/account/sessions/email', address),
        elsewhere: await ask({ body: {} }, '203.0.113.99'),
        asKey: (await ask({ body: {}, asKey: true })) === 429,
        withoutBody: (await limited.request('GET', '/account', { headers: from(address) })).status,
      };
    });
    const refused = { bad: 429, good: 429, signIn: 429 };
    expect(statuses).toEqual({ within: 0, ...refused, elsewhere: 400, asKey: false, withoutBody: 401 });
  });

  test('keeps no signed-in user out because of guests of the same network', async () => {
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

/** Freezes the clock, so that the test stays within one rate-limit window of an hour. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Repeats `work` until it runs within one rate-limit window. `attempt` lets each try use a new client address. */
async function inOneMinute<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const minute = Math.floor(Date.now() / 60_000);
    const result = await work(attempt);
    if (Math.floor(Date.now() / 60_000) === minute) return result;
  }
}

test.each([
  ['believes a trusted proxy', 'loopback', '9', '203.0.113.9', /; Secure; HttpOnly; SameSite=None$/],
  ['believes no other sender', '192.0.2.0/24', '8', '127.0.0.1', /^(?!.*Secure)/],
])('%s about the client, whom limits count, and https, which cookies need', async (_what, proxy, left, ip, cookie) => {
  stopClock();
  const backend = await backendOfTest({ trustedProxies: [proxy], rateLimits: true });
  const told = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
  const credentials = { email: 'ann@example.com', password: 'correct horse' };
  const signUp = (headers: Record<string, string>) =>
    backend.request('POST', '/account', { headers, body: { userId: 'unique()', ...credentials } });
  await signUp(told);
  const other = await signUp({ ...told, 'x-forwarded-for': '203.0.113.10' });
  const session = await backend.request('POST', '/account/sessions/email', { headers: told, body: credentials });
  expect(other.headers.get('x-ratelimit-remaining')).toBe(left);
  expect(session.body.ip).toBe(ip);
  expect(session.headers.getSetCookie()[1]).toMatch(cookie);
});
