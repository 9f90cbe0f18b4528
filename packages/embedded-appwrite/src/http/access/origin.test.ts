import { expect, test } from 'vitest';
import { createOrigins } from './origin.ts';

const hosts = createOrigins(['localhost', '*.example.com']);
const site = createOrigins(['https://blog.example.com', 'http://localhost:4321', 'https://app.example.org:8443']);

test.each([
  ['http://localhost', hosts],
  ['http://localhost:5173', hosts],
  ['https://LOCALHOST', hosts],
  ['https://blog.example.com', hosts],
  ['http://a.b.example.com:8080', hosts],
  ['https://blog.example.com', site],
  ['https://BLOG.example.com:443', site],
  ['http://localhost:4321', site],
])('allows %s', (origin, origins) => {
  expect(origins.allows(origin)).toBe(true);
  expect(() => origins.enforce(origin)).not.toThrow();
});

test.each([
  ['http://evil.test', hosts],
  ['http://localhost.evil.test', hosts],
  ['https://example.com', hosts],
  ['https://notexample.com', hosts],
  ['http://127.0.0.1:3000', hosts],
  ['http://blog.example.com', site],
  ['https://blog.example.com:8443', site],
  ['http://localhost:5173', site],
  ['https://localhost:4321', site],
  ['https://app.example.org', site],
  ['https://www.blog.example.com', site],
])('refuses %s', (origin, origins) => {
  expect(origins.headers(origin)).toEqual([]);
  expect(() => origins.enforce(origin)).toThrow(/^Invalid Origin\. Register your new client \([a-z0-9.]+\)/);
});

test.each(['null', 'file://', 'chrome-extension://abc', 'nonsense'])('refuses the scheme of %s', (origin) =>
  expect(() => hosts.enforce(origin)).toThrow(/^Invalid Scheme/),
);

test('echoes an allowed origin in lower case, never as a star', () => {
  const open = createOrigins(['*']).headers('http://Any.Test');
  expect(open[open.indexOf('Access-Control-Allow-Origin') + 1]).toBe('http://any.test');
});
