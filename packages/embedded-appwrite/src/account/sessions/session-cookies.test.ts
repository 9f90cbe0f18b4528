import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type CookieOptions, clearSessionCookies, setSessionCookies } from './session-cookies.ts';

const OWN: CookieOptions = { projectId: 'Ink', ownOrigins: ['https://blog.example.com'], webOrigins: [] };
const OPEN: CookieOptions = { ...OWN, webOrigins: ['app.example.net'] };
const ON_TLS = { https: true };

function roundTrip(headers: Record<string, string>, { https = false } = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return { request, response: new ServerResponse(request), client: { address: '192.0.2.1', secure: https } };
}

/** Returns the Set-Cookie lines of a sign-in: first the removed cookies, then the session's. */
function signIn(headers: Record<string, string>, options = OPEN, connection = {}) {
  const given = roundTrip(headers, connection);
  setSessionCookies(given, options, 'value', '2036-01-01T00:00:00.000+00:00');
  const lines = given.response.getHeader('set-cookie') as string[];
  const [legacy, main] = lines.slice(-2);
  return { lines, legacy, main, fallback: given.response.getHeader('x-fallback-cookies') };
}

function signOut(headers: Record<string, string>, options = OPEN, connection = {}): string[] {
  const given = roundTrip(headers, connection);
  clearSessionCookies(given, options);
  return given.response.getHeader('set-cookie') as string[];
}

/** Stores cookies as a browser at `host` does: a cookie's Domain is part of its identity (RFC 6265bis). */
function browserOf(host: string) {
  const jar = new Map<string, string>();
  return {
    told(lines: readonly string[]) {
      for (const line of lines) {
        const [pair = '', ...attributes] = line.split('; ');
        const [name, value = ''] = pair.split('=');
        const domain = attributes.find((attribute) => attribute.startsWith('Domain=.'))?.slice('Domain=.'.length);
        if (domain !== undefined && host !== domain && !host.endsWith(`.${domain}`)) continue;
        const key = `${name} ${domain === undefined ? 'host' : 'domain'}`;
        if (attributes.includes('Max-Age=0')) jar.delete(key);
        else jar.set(key, `${name}=${value}`);
      }
      return this;
    },
    sends: () => [...jar.values()],
  };
}

describe('where the site is the only web client', () => {
  test('cookies on https are of this host alone, Secure, and sent from no other site', () => {
    const { legacy, main } = signIn({ host: 'blog.example.com' }, OWN, ON_TLS);
    for (const line of [legacy, main]) {
      expect(line).toMatch(
        /=value; Expires=Tue, 01 Jan 2036 00:00:00 GMT; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      );
    }
  });

  test('cookies of the https site are Secure, whoever ends TLS in front; those of another name are as its connection is', () => {
    expect(signIn({ host: 'blog.example.com' }, OWN).main).toContain('; Secure; ');
    expect(signIn({ host: '127.0.0.1:4321' }, OWN).main).not.toContain('Secure');
  });
});

describe('where there are further web clients', () => {
  test('cookies on http are Lax, so that browsers keep them', () => {
    const { legacy, main } = signIn({ host: 'localhost:4321' });
    expect(legacy).toMatch(
      /^a_session_ink_legacy=value; Expires=Tue, 01 Jan 2036 00:00:00 GMT; Max-Age=\d+; Path=\/; HttpOnly$/,
    );
    expect(main).toMatch(/^a_session_ink=value; .*HttpOnly; SameSite=Lax$/);
  });

  test('cookies on https are of the host and those below, sent from everywhere', () => {
    const { legacy, main } = signIn({ host: 'api.example.com' }, OPEN, ON_TLS);
    expect(legacy).toMatch(/; Domain=\.api\.example\.com; Secure; HttpOnly$/);
    expect(main).toMatch(/; Secure; HttpOnly; SameSite=None$/);
  });
});

test.each(['localhost', '127.0.0.1:80', '[::1]:4321'])('%s takes no Domain, and its cookies have one form', (host) => {
  for (const options of [OWN, OPEN]) {
    const { lines } = signIn({ host }, options);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('Domain');
  }
});

describe.each([
  ['signed in before the site had its cookies for itself', OPEN, OWN],
  ['signed in before there was another web client', OWN, OPEN],
])('a browser %s', (_, before, now) => {
  const headers = { host: 'blog.example.com' };
  const old = signIn(headers, before, ON_TLS).lines.map((line) => line.replace('=value', '=old'));

  test('is signed in still', () => {
    expect(browserOf(headers.host).told(old).sends()).toEqual(['a_session_ink_legacy=old', 'a_session_ink=old']);
  });

  test('is signed out by one sign-out', () => {
    expect(
      browserOf(headers.host)
        .told(old)
        .told(signOut(headers, now, ON_TLS))
        .sends(),
    ).toEqual([]);
  });

  test('holds the new session alone after the next sign-in', () => {
    const { lines } = signIn(headers, now, ON_TLS);
    expect(browserOf(headers.host).told(old).told(lines).sends()).toEqual([
      'a_session_ink_legacy=value',
      'a_session_ink=value',
    ]);
  });
});

test('what takes cookies away is said first, for clients that know a cookie by its name alone', () => {
  expect(signIn({ host: 'blog.example.com' }, OWN, ON_TLS).lines.map((line) => line.split(';')[0])).toEqual([
    'a_session_ink_legacy=deleted',
    'a_session_ink=deleted',
    'a_session_ink_legacy=value',
    'a_session_ink=value',
  ]);
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
