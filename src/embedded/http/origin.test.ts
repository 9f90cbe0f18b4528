import { expect, test } from 'vitest';
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
