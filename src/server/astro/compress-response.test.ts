import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressResponse } from './compress-response.ts';

const HTML = '<p>Ink and paper.</p>'.repeat(200);
const asked = (coding?: string) =>
  new Request('http://site/search', coding ? { headers: { 'accept-encoding': coding } } : {});
const page = (type = 'text/html') =>
  new Response(HTML, { status: 404, headers: { 'content-type': type, 'cache-control': 'no-store' } });

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('sends a page as %s with its status and headers', async (coding, unpack) => {
  const answer = await compressResponse(asked(coding), page());
  const body = Buffer.from(await answer.arrayBuffer());
  expect(unpack(body).toString()).toBe(HTML);
  expect(answer.status).toBe(404);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': coding,
    'content-length': `${body.length}`,
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
  });
});

test('sends a page uncompressed without Accept-Encoding, and without invalid characters', async () => {
  for (const request of [asked(), asked('identity')]) {
    const answer = await compressResponse(
      request,
      new Response('a\u0001b', { headers: { 'content-type': 'text/html' } }),
    );
    expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual(['ab', null]);
  }
});

test('marks errors as no-store unless the page sets Cache-Control', async () => {
  const asPage = { 'content-type': 'text/html' };
  for (const [status, given, kept] of [
    [404, {}, 'no-store'],
    [500, {}, 'no-store'],
    [404, { 'cache-control': 'max-age=9' }, 'max-age=9'],
    [200, {}, null],
  ] as const) {
    const answer = await compressResponse(asked(), new Response(HTML, { status, headers: { ...asPage, ...given } }));
    expect([status, answer.headers.get('cache-control')]).toEqual([status, kept]);
  }
});

test('leaves other responses unchanged', async () => {
  for (const response of [
    page('application/json'),
    new Response(null, { status: 301, headers: { 'content-type': 'text/html' } }),
    new Response('packed', { headers: { 'content-type': 'text/html', 'content-encoding': 'br' } }),
  ]) {
    expect(await compressResponse(asked('br'), response)).toBe(response);
  }
});
