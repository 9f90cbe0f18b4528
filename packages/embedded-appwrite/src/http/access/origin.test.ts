import { describe, expect, test } from 'vitest';
import { createOrigins } from './origin.ts';

const origins = createOrigins(['localhost', '*.example.com']);

test.each([
  'http://localhost',
  'http://localhost:5173',
  'https://LOCALHOST',
  'https://blog.example.com',
  'http://a.b.example.com:8080',
])('%s may call', (origin) => {
  expect(origins.allows(origin)).toBe(true);
  expect(() => origins.enforce(origin)).not.toThrow();
});

describe('of a site by its whole origin', () => {
  const site = createOrigins(['https://blog.example.com', 'http://localhost:4321', 'https://app.example.org:8443']);

  test.each(['https://blog.example.com', 'https://BLOG.example.com:443', 'http://localhost:4321'])(
    '%s may call',
    (origin) => expect(site.allows(origin)).toBe(true),
  );

  test.each([
    'http://blog.example.com',
    'https://blog.example.com:8443',
    'http://localhost:5173',
    'https://localhost:4321',
    'https://app.example.org',
    'https://www.blog.example.com',
  ])('%s may not', (origin) => expect(site.allows(origin)).toBe(false));
});

test.each([
  'http://evil.test',
  'http://localhost.evil.test',
  'https://example.com',
  'https://notexample.com',
  'http://127.0.0.1:3000',
])('%s may not', (origin) => {
  expect(origins.headers(origin)).toEqual([]);
  expect(() => origins.enforce(origin)).toThrow(/^Invalid Origin\. Register your new client \([a-z0-9.]+\)/);
});

test.each(['null', 'file://', 'chrome-extension://abc', 'nonsense'])('%s has no scheme we know', (origin) => {
  expect(() => origins.enforce(origin)).toThrow(/^Invalid Scheme/);
});

test('an allowed origin is echoed in lower case, never as a star', () => {
  const open = createOrigins(['*']).headers('http://Any.Test');
  expect(open[open.indexOf('Access-Control-Allow-Origin') + 1]).toBe('http://any.test');
});
