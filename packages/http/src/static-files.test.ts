import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compressFiles, filesBelow, type StaticFile, serveStaticFiles } from './static-files.ts';

const SCRIPT = 'export const ink = "black";\n'.repeat(100);
const folder = mkdtempSync(join(tmpdir(), 'common-ink-assets-'));
let origin = '';

beforeAll(async () => {
  const [built, compressed] = [join(folder, 'built'), join(folder, 'compressed')];
  mkdirSync(join(built, 'fonts'), { recursive: true });
  writeFileSync(join(built, 'App.js'), SCRIPT);
  writeFileSync(join(built, 'tiny.js'), '1');
  writeFileSync(join(built, 'fonts', 'ink.woff2'), Buffer.alloc(500));
  compressFiles(built, compressed);
  const files = new Map<string, StaticFile>([['/fonts/memory.woff2', Buffer.alloc(300)]]);
  for (const name of filesBelow(built)) {
    const paths = [join(built, name), join(folder, 'copies', name)] as const;
    files.set(`/_astro/${name}`, { paths, compressed: join(compressed, name) });
  }
  const serve = serveStaticFiles(files);
  // A busy machine may leave a connection idle for more than Node's default of 5 s, and the next request would fail.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    if (!serve(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  };
});

const get = (path: string, coding = 'identity', method = 'GET') =>
  fetch(`${origin}/_astro/${path}`, { method, headers: { 'accept-encoding': coding } });

test.each(['br', 'gzip'])('sends a script as %s, immutable', async (coding) => {
  const answer = await get('App.js?x', coding);
  const type = { 'content-type': 'text/javascript; charset=utf-8', 'content-encoding': coding };
  const kept = { vary: 'Accept-Encoding', 'cache-control': 'public, max-age=31536000, immutable' };
  expect(Object.fromEntries(answer.headers)).toMatchObject({ ...type, ...kept });
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 5);
  expect(await answer.text()).toBe(SCRIPT);
});

const UNCOMPRESSED = { 'App.js': 'identity', 'tiny.js': 'br', 'fonts/ink.woff2': 'br' };
test.each(Object.entries(UNCOMPRESSED))('sends %s to a client of %s uncompressed', async (path, coding) =>
  expect((await get(path, coding)).headers.get('content-encoding'), path).toBeNull(),
);

test('answers HEAD without a body', async () => {
  const head = await get('App.js', 'br', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('answers no other path or method', async () => {
  for (const path of ['App.js.br', '../compressed/App.js.br', '%2e%2e/built/App.js', 'None.js', ''])
    expect((await get(path)).status, path).toBe(418);
  expect((await get('App.js', 'br', 'POST')).status).toBe(418);
});

test('sends files from memory', async () => {
  const answer = await fetch(`${origin}/fonts/memory.woff2`);
  expect(answer.headers.get('content-type')).toBe('font/woff2');
  expect((await answer.arrayBuffer()).byteLength).toBe(300);
});

test('sends the copy of a missing file, or an uncacheable 404', async () => {
  rmSync(join(folder, 'built'), { recursive: true });
  mkdirSync(join(folder, 'copies'));
  writeFileSync(join(folder, 'copies', 'tiny.js'), '1');
  expect((await get('tiny.js')).status).toBe(200);
  const gone = await get('fonts/ink.woff2');
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
});
