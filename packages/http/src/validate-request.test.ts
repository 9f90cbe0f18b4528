import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { isValidRequest, withReadableQuery } from './validate-request.ts';

const asked = (url: string, hosts: readonly string[], httpVersionMinor = 1) =>
  ({
    url,
    httpVersionMajor: 1,
    httpVersionMinor,
    headers: hosts.length > 0 ? { host: hosts[0] } : {},
    rawHeaders: hosts.flatMap((host) => ['Host', host]),
  }) as unknown as IncomingMessage;

const HOSTS = ['a', 'blog.example:4321', '127.0.0.1:80', '[::1]:4321', 'a_b.example', 'xn--bcher-kva.example'];
it.each(HOSTS)('takes the host %s', (host) => expect(isValidRequest(asked('/', [host]))).toBe(true));

const BAD = ['', ' ', 'a@b', '[::1', '1.2.3.999', 'a/b', 'a?b', 'a b', 'a:99999', '<script>', 'a\\b', '"'];
it.each(BAD)('refuses the host "%s"', (host) => expect(isValidRequest(asked('/', [host]))).toBe(false));

it('refuses two hosts, and a missing host in HTTP/1.1', () => {
  expect(isValidRequest(asked('/', ['a', 'a']))).toBe(false);
  expect(isValidRequest(asked('/', []))).toBe(false);
  expect(isValidRequest(asked('/', [], 0))).toBe(true);
});

const PATHS = { 'http://a/post/x?y=z': '/post/x?y=z', 'HTTPS://a:99': '/', 'http://a?q': '/?q' };
it.each(Object.entries(PATHS))('makes a path of %s', (target, path) => {
  const request = asked(target, [/^https?:\/\/([^/?]+)/i.exec(target)?.[1] ?? '']);
  expect([isValidRequest(request), request.url]).toEqual([true, path]);
});

it.each([
  ['http://A/x', 'a', true],
  ['http://a:80/x', 'a', true],
  ['https://a/x', 'a:443', true],
  ['http://a/x', 'b', false],
  ['http://a:8080/x', 'a', false],
  ['http://a@b/x', 'a', false],
])('for the target %s with host %s returns %s', (target, host, is) => {
  const request = asked(target, [host]);
  expect([isValidRequest(request), request.url]).toEqual([is, is ? '/x' : target]);
});

const TARGETS = ['*', '', 'ftp://a/x', 'a:80', 'http://', 'http:///x'];
it.each(TARGETS)('refuses the target "%s"', (target) => expect(isValidRequest(asked(target, ['a']))).toBe(false));

it.each([
  ['/search', '/search'],
  ['/search?q=a%20b&x=%E2%82%AC', '/search?q=a%20b&x=%E2%82%AC'],
  ['/search?q=100%', '/search?q=100%25'],
  ['/search?q=%zz+b', '/search?q=%25zz+b'],
  ['/search?q=%FF', '/search?q=%EF%BF%BD'],
])('reads %s as %s', (url, readable) => expect(withReadableQuery(url)).toBe(readable));
