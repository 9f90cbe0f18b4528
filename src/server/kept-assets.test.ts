import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStaticFiles } from '@common-ink/http/static-files.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../tests/support/store/site.ts';
import { openAssets } from './kept-assets.ts';

const DAY = 24 * 3600 * 1000;

let folder: string;
let server: Server;
let origin: string;
let serve: ReturnType<typeof serveStaticFiles>;
let now: number;
const logged: string[] = [];
const agent = new Agent();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
  now = Date.now();
  logged.length = 0;
  server = createServer((request, response) => {
    if (!serve(request, response)) response.writeHead(418).end('the site');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** Deploys a build with these files. */
function start(files: readonly string[], kept = join(folder, 'kept')): void {
  const built = join(folder, 'built');
  rmSync(built, { recursive: true, force: true });
  for (const name of files) {
    mkdirSync(join(built, name, '..'), { recursive: true });
    writeFileSync(join(built, name), `content of ${name}`);
  }
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  serve = serveStaticFiles(openAssets({ built, kept, log, now: () => now }));
}
const get = (path: string) => ask(agent, origin, path);
const status = async (path: string) => (await get(path)).status;

test('serves the files of the running build and the one before as immutable', async () => {
  start(['App.one.js', 'Same.js', 'fonts/ink.woff2']);
  expect(await status('/_astro/App.one.js')).toBe(200);
  start(['App.two.js', 'Same.js']);
  const { status: found, headers, text } = await get('/_astro/App.one.js?x=1');
  expect([found, text]).toEqual([200, 'content of App.one.js']);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': '21',
  });
  expect((await get('/_astro/fonts/ink.woff2')).headers['content-type']).toBe('font/woff2');
  for (const name of ['App.two.js', 'Same.js']) expect(await status(`/_astro/${name}`), name).toBe(200);
  for (const path of ['/_astro/None.js', '/_astro/build.json', '/_astro/fonts/../../built/Same.js', '/App.one.js']) {
    expect(await status(path), path).toBe(418);
  }
});

test('deletes a file thirty days after its last use', async () => {
  start(['App.one.js']);
  now += 100 * DAY;
  start(['App.two.js']);
  now += 29 * DAY;
  start(['App.two.js']);
  expect(await status('/_astro/App.one.js')).toBe(200);
  now += 2 * DAY;
  start(['App.three.js']);
  expect([await status('/_astro/App.one.js'), await status('/_astro/App.two.js')]).toEqual([418, 200]);
  expect(existsSync(join(folder, 'kept', 'App.one.js'))).toBe(false);
});

test('serves and keeps a build that comes back', async () => {
  start(['App.one.js']);
  start(['App.two.js']);
  start(['App.one.js']);
  expect([await status('/_astro/App.one.js'), await status('/_astro/App.two.js')]).toEqual([200, 200]);
});

test('deletes half-copied files at the next start', () => {
  start(['App.one.js']);
  writeFileSync(join(folder, 'kept', 'App.zero.js.new'), 'half');
  start(['App.one.js']);
  expect(readdirSync(join(folder, 'kept')).sort()).toEqual(['App.one.js', 'build.json']);
});

test('serves the running build when the folder cannot be written', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  start(['App.one.js'], join(folder, 'a-file', 'kept'));
  expect(logged[0]).toMatch(/^warn The scripts of this build are not kept/);
  expect(await status('/_astro/App.one.js')).toBe(200);
});
