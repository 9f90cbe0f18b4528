import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { close, listen } from '../../tests/support/gateway.ts';
import { sessionOf, verifySession } from './verify-session.ts';

/** A stub backend that accepts one session and one JWT. */
let server: Server;
let endpoint: string;
let asked: IncomingHttpHeaders[];
let broken: boolean;

beforeEach(async () => {
  asked = [];
  broken = false;
  server = createServer({ keepAliveTimeout: 600_000 }, ({ headers }, response) => {
    asked.push(headers);
    const known = headers['x-appwrite-session'] === 'c2Vzc2lvbg==' || headers['x-appwrite-jwt'] === 'jwt';
    const [status, body] = broken
      ? [500, { message: 'Server Error', code: 500, type: 'general_unknown' }]
      : known
        ? [200, { $id: 'ann', name: 'Ann' }]
        : [401, { message: 'Unauthorized', code: 401, type: 'general_unauthorized_scope' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  endpoint = `${await listen(server)}/v1`;
});
afterEach(() => close(server));

const verify = (headers: Record<string, string>) => verifySession({ endpoint, projectId: 'p1' }, new Headers(headers));

test.each([
  ['cookie', 'theme=dark; a_session_p1=c2Vzc2lvbg=='],
  ['cookie', 'a_session_p1=c2Vzc2lvbg%3D%3D'],
  ['cookie', 'a_session_p1_legacy=c2Vzc2lvbg=='],
  ['x-fallback-cookies', '{"a_session_p1":"c2Vzc2lvbg=="}'],
  ['x-appwrite-jwt', 'jwt'],
])('%s: %s is Ann', async (name, value) => {
  expect(await verify({ [name]: value })).toEqual({ id: 'ann' });
  expect(asked[0]?.['x-appwrite-project']).toBe('p1');
});

test('a guest costs the backend nothing', async () => {
  const others: Record<string, string>[] = [{}, { cookie: 'a_session_other=x' }];
  for (const headers of [...others, { 'x-fallback-cookies': '[]' }, { 'x-fallback-cookies': '{' }])
    expect(await verify(headers)).toBeUndefined();
  expect(asked).toEqual([]);
});

test('a session that ended, or never was, is nobody’s', async () => {
  expect(await verify({ cookie: 'a_session_p1=Zm9yZ2Vk' })).toBeUndefined();
  expect(await verify({ 'x-appwrite-jwt': 'forged' })).toBeUndefined();
});

test('a backend that cannot say is not a guest', async () => {
  broken = true;
  await expect(verify({ cookie: 'a_session_p1=c2Vzc2lvbg==' })).rejects.toThrow('did not say who is signed in');
});

test('what is no session is not sent on', () => {
  expect(sessionOf(new Headers({ cookie: 'a_session_p1=%0d%0ax' }), 'p1')).toBeUndefined();
  expect(sessionOf(new Headers({ cookie: `a_session_p1=${'x'.repeat(4097)}` }), 'p1')).toBeUndefined();
  expect(sessionOf(new Headers({ cookie: 'A_SESSION_P1=YQ==' }), 'P1')).toBe('YQ==');
});
