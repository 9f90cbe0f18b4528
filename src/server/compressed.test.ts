import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from './compressed.ts';

const HTML = '<p>Ink and paper.</p>'.repeat(200);
const asked = (coding?: string) =>
  new Request('http://site/search', coding ? { headers: { 'accept-encoding': coding } } : {});
const page = (type = 'text/html') =>
  new Response(HTML, { status: 404, headers: { 'content-type': type, 'cache-control': 'no-store' } });

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a page goes out as %s, with its status and headers', async (coding, unpack) => {
  const answer = await compressed(asked(coding), page());
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

test('everything else goes out as it is', async () => {
  for (const [request, response] of [
    [asked(), page()],
    [asked('identity'), page()],
    [asked('br'), page('application/json')],
    [asked('br'), new Response(null, { status: 301, headers: { 'content-type': 'text/html' } })],
  ] as const) {
    expect(await compressed(request, response)).toBe(response);
  }
});
