import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { setSessionCookies } from './session-cookies.ts';

function signIn(headers: Record<string, string>, { https = false } = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  const response = new ServerResponse(request);
  const client = { address: '192.0.2.1', secure: https };
  setSessionCookies({ request, response, client }, 'Ink', 'value', '2036-01-01T00:00:00.000+00:00');
  const [legacy, main] = response.getHeader('set-cookie') as string[];
  return { legacy, main, fallback: response.getHeader('x-fallback-cookies') };
}

describe('attributes', () => {
  test('on http', () => {
    const { legacy, main } = signIn({ host: 'localhost:4321' });
    expect(legacy).toMatch(
      /^a_session_ink_legacy=value; Expires=Tue, 01 Jan 2036 00:00:00 GMT; Max-Age=\d+; Path=\/; HttpOnly$/,
    );
    expect(main).toMatch(/^a_session_ink=value; .*HttpOnly; SameSite=Lax$/);
  });

  test('on https', () => {
    const { legacy, main } = signIn({ host: 'api.example.com' }, { https: true });
    expect(legacy).toMatch(/; Domain=\.api\.example\.com; Secure; HttpOnly$/);
    expect(main).toMatch(/; Secure; HttpOnly; SameSite=None$/);
  });

  test.each(['localhost', '127.0.0.1:80', '[::1]:4321'])('%s takes no Domain', (host) => {
    expect(signIn({ host }).main).not.toContain('Domain');
  });
});

describe('the fallback header', () => {
  test.each([
    ['blog.example.com', 'https://blog.example.com', 'the same page'],
    ['api.example.com', 'https://app.example.com', 'the same domain'],
    ['api.example.co.uk', 'https://www.example.co.uk', 'the same domain under co.uk'],
    ['localhost:4321', 'http://localhost:4321', 'the same local port'],
  ])('%s answers %s without it: %s', (host, origin) => {
    expect(signIn({ host, origin }).fallback).toBeUndefined();
  });

  test.each([
    ['api.example.com', 'https://example.org', 'another domain'],
    ['api.example.co.uk', 'https://other.co.uk', 'another domain under co.uk'],
    ['localhost:4321', 'http://localhost:5173', 'another local port'],
    ['127.0.0.1:4321', 'http://localhost:4321', 'another name'],
  ])('%s answers %s with it: %s', (host, origin) => {
    expect(signIn({ host, origin }).fallback).toBe('{"a_session_Ink":"value"}');
  });

  test('is sent to callers who name no page, and follows Referer where that is all there is', () => {
    expect(signIn({ host: 'api.example.com' }).fallback).toBeDefined();
    expect(signIn({ host: 'api.example.com', referer: 'https://app.example.com/login' }).fallback).toBeUndefined();
  });
});
