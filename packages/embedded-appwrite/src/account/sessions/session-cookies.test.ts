import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type CookieOptions, clearSessionCookies, setSessionCookies } from './session-cookies.ts';

const OWN: CookieOptions = { projectId: 'Ink', ownOrigins: ['https://blog.example.com'], webOrigins: [] };
const OPEN: CookieOptions = { ...OWN, webOrigins: ['app.example.net'] };
const ON_TLS = { https: true };

function roundTrip(headers: Record<string, string>, { https = false } = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return { request, response: new ServerResponse(request), client: { address: '192.0.2.1', secure: https } };
}

/** Returns a sign-in's Set-Cookie lines (deleted cookies first, then the session's two) and its fallback header. */
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

/** Simulates a browser's cookie store for `host`. A cookie's Domain is part of its identity (RFC 6265bis). */
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

const DOMAIN = 'Domain=.api.example.com';
const EXPIRES = 'Expires=Tue, 01 Jan 2036 00:00:00 GMT; Max-Age=\\d+; Path=/';
test.each([
  ['the site alone on https', 'blog.example.com', OWN, ON_TLS, 'Secure; HttpOnly; SameSite=Lax', ''],
  ['other web clients on http', 'localhost:4321', OPEN, {}, 'HttpOnly', '; SameSite=Lax'],
  ['other web clients on https', 'api.example.com', OPEN, ON_TLS, `${DOMAIN}; Secure; HttpOnly`, '; SameSite=None'],
])('sets the cookies of %s', (_what, host, options, connection, both, ofMain) => {
  const { legacy, main } = signIn({ host }, options, connection);
  expect(legacy).toMatch(new RegExp(`^a_session_ink_legacy=value; ${EXPIRES}; ${both}$`));
  expect(main).toMatch(new RegExp(`^a_session_ink=value; ${EXPIRES}; ${both}${ofMain}$`));
});

test('marks cookies of the https site Secure behind any proxy, those of another name like the connection', () => {
  expect(signIn({ host: 'blog.example.com' }, OWN).main).toContain('; Secure; ');
  expect(signIn({ host: '127.0.0.1:4321' }, OWN).main).not.toContain('Secure');
});

test.each(['localhost', '127.0.0.1:80', '[::1]:4321'])('sets no Domain for %s, and one form of the cookies', (host) => {
  for (const options of [OWN, OPEN]) {
    const { lines } = signIn({ host }, options);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('Domain');
  }
});

test.each([
  ['before the site had its cookies for itself', OPEN, OWN],
  ['before there was another web client', OWN, OPEN],
])('replaces and removes the cookies of a browser that signed in %s', (_when, before, now) => {
  const host = 'blog.example.com';
  const old = signIn({ host }, before, ON_TLS).lines.map((line) => line.replace('=value', '=old'));
  const sentAfter = (...lines: string[]) => browserOf(host).told(old).told(lines).sends();
  expect(sentAfter()).toEqual(['a_session_ink_legacy=old', 'a_session_ink=old']);
  expect(sentAfter(...signOut({ host }, now, ON_TLS))).toEqual([]);
  const fresh = signIn({ host }, now, ON_TLS).lines;
  expect(sentAfter(...fresh)).toEqual(['a_session_ink_legacy=value', 'a_session_ink=value']);
});

test('deletes cookies first, for clients that know a cookie by its name alone', () => {
  expect(signIn({ host: 'blog.example.com' }, OWN, ON_TLS).lines.map((line) => line.split(';')[0])).toEqual([
    ...['a_session_ink_legacy=deleted', 'a_session_ink=deleted'],
    ...['a_session_ink_legacy=value', 'a_session_ink=value'],
  ]);
});

const FALLBACK = '{"a_session_Ink":"value"}';
test.each([
  ['the same page', 'blog.example.com', { origin: 'https://blog.example.com' }, undefined],
  ['the same domain', 'api.example.com', { origin: 'https://app.example.com' }, undefined],
  ['the same domain under co.uk', 'api.example.co.uk', { origin: 'https://www.example.co.uk' }, undefined],
  ['the same local port', 'localhost:4321', { origin: 'http://localhost:4321' }, undefined],
  ['the same domain by Referer', 'api.example.com', { referer: 'https://app.example.com/login' }, undefined],
  ['another domain', 'api.example.com', { origin: 'https://example.org' }, FALLBACK],
  ['another domain under co.uk', 'api.example.co.uk', { origin: 'https://other.co.uk' }, FALLBACK],
  ['another local port', 'localhost:4321', { origin: 'http://localhost:5173' }, FALLBACK],
  ['another name', '127.0.0.1:4321', { origin: 'http://localhost:4321' }, FALLBACK],
  ['no page', 'api.example.com', {}, FALLBACK],
])('answers a request from %s with the fallback header if cookies may be dropped', (_what, host, page, fallback) =>
  expect(signIn({ host, ...page }).fallback).toBe(fallback),
);
