import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressAssets, serveBuiltAssets } from './built-assets.ts';

const SCRIPT = 'export const ink = "black";\n'.repeat(100);
const folder = mkdtempSync(join(tmpdir(), 'common-ink-assets-'));
let server: Server;
let origin = '';

beforeAll(async () => {
  const [built, compressed] = [join(folder, 'built'), join(folder, 'compressed')];
  mkdirSync(join(built, 'fonts'), { recursive: true });
  writeFileSync(join(built, 'App.js'), SCRIPT);
  writeFileSync(join(built, 'tiny.js'), '1');
  writeFileSync(join(built, 'fonts', 'ink.woff2'), Buffer.alloc(500));
  compressAssets(built, compressed);
  const serve = serveBuiltAssets(built, compressed);
  server = createServer((request, response) => {
    if (!serve(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, coding = 'identity', method = 'GET') =>
  fetch(`${origin}/_astro/${path}`, { method, headers: { 'accept-encoding': coding } });

test.each(['br', 'gzip'])('a script comes as %s to who takes it, for good', async (coding) => {
  const answer = await get('App.js?x', coding);
  expect(answer.headers.get('content-encoding')).toBe(coding);
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 5);
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await answer.text()).toBe(SCRIPT);
});

test('it comes as it is to others; so do fonts and what is tiny', async () => {
  for (const [path, coding] of [
    ['App.js', 'identity'],
    ['tiny.js', 'br'],
    ['fonts/ink.woff2', 'br'],
  ] as const) {
    expect((await get(path, coding)).headers.get('content-encoding'), path).toBeNull();
  }
  expect(await (await get('App.js')).text()).toBe(SCRIPT);
  const head = await get('App.js', 'br', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('nothing else is answered', async () => {
  for (const path of ['App.js.br', '../compressed/App.js.br', '%2e%2e/built/App.js', 'None.js', '']) {
    expect((await get(path)).status, path).toBe(418);
  }
  expect((await get('App.js', 'br', 'POST')).status).toBe(418);
});
