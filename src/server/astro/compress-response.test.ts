import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressResponse } from './compress-response.ts';

const HTML = '<p>Ink and paper.</p>'.repeat(200);
const asked = (coding?: string) =>
  new Request('http://site/search', coding ? { headers: { 'accept-encoding': coding } } : {});
const page = (type = 'text/html') =>
  new Response(`\u0001${HTML}`, { status: 404, headers: { 'content-type': type, 'cache-control': 'no-store' } });

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['identity', null, (body: Buffer) => body],
  [undefined, null, (body: Buffer) => body],
] as const)('sends a page for Accept-Encoding %s with its status, and valid', async (accepted, coding, unpack) => {
  const answer = await compressResponse(asked(accepted), page());
  const body = Buffer.from(await answer.arrayBuffer());
  expect(unpack(body).toString()).toBe(HTML);
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([404, coding]);
  const headers = { 'content-length': `${body.length}`, 'cache-control': 'no-store', vary: 'Accept-Encoding' };
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
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
  const moved = new Response(null, { status: 301, headers: { 'content-type': 'text/html' } });
  const packed = new Response('packed', { headers: { 'content-type': 'text/html', 'content-encoding': 'br' } });
  for (const response of [page('application/json'), moved, packed])
    expect(await compressResponse(asked('br'), response)).toBe(response);
});
