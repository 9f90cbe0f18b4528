import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import WebSocket from 'ws';
import { nginxOf } from '../support/manual.ts';
import { hasNginx, nginxEnvironment } from './export-behind-nginx.ts';
import { expect, ownSite, type RunningSite, removeSite, test } from './site.ts';

/** nginx is a Debian package, which a machine that runs the tests may lack. */
const WITHOUT = 'nginx is not installed';

/**
 * Returns the manual's nginx block for this port and site; with `cache`, also the blocks for caching below that
 * folder.
 */
function documented(port: number, site: URL, cache?: string): string {
  const { site: block, zone, caching } = nginxOf('operating.md');
  const cached =
    zone.replace('/var/cache/nginx/common-ink', `${cache}`) + block.replace('proxy_pass', `${caching}proxy_pass`);
  const settings = (cache ? cached : block)
    .replace('127.0.0.1:4321', site.host)
    .replace('listen 80', `listen 127.0.0.1:${port}`)
    .replace('blog.example.com', '127.0.0.1');
  expect(settings).toContain('proxy_pass http://common-ink');
  return settings;
}

async function startNginx(folder: string, settings: string, port: number): Promise<ChildProcess> {
  mkdirSync(folder, { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  const main = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;`;
  // As root, nginx would run its workers as another user, who cannot write into root's folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(file, `${user} ${main} events {} http { ${paths.join(' ')} access_log off;\n${settings}\n}`);
  const child = spawn('nginx', ['-c', file], { stdio: 'inherit', env: nginxEnvironment });
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/favicon.svg`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return child;
}

function ask(url: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: number }>((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }));
    });
    call.on('error', reject).end();
  });
}

async function connects(front: string): Promise<void> {
  const url = `${front.replace('http', 'ws')}/v1/realtime?project=common-ink&channels[]=documents`;
  const socket = new WebSocket(url, { origin: front });
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message)).type).toBe('connected');
  socket.close();
}

async function end(nginx: ChildProcess, site: RunningSite, folder: string): Promise<void> {
  const ended = once(nginx, 'exit');
  nginx.kill();
  await ended;
  await removeSite(site);
  rmSync(folder, { recursive: true });
}

test('nginx as the manual sets it up passes on pages, validators, sockets and who is asking @embedded', async () => {
  test.skip(!hasNginx(), WITHOUT);
  const port = await freePort();
  const front = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-nginx-'));
  const environment = { SITE_URL: front, TRUSTED_PROXIES: 'loopback', REBUILD_TOKEN: 'token-of-the-operator' };
  const site = await ownSite({ environment });
  const nginx = await startNginx(folder, documented(port, new URL(site.url)), port);
  try {
    const post = await site.post(await site.writer());
    const page = `${front}/post/${post.id}`;
    const br = await ask(page, { 'accept-encoding': 'gzip, br' });
    expect([br.status, br.headers['content-encoding'], br.headers['x-page']?.toString()[0]]).toEqual([200, 'br', 'h']);
    expect(`${br.headers['content-length']}`).toBe(`${br.bytes}`);
    const etag = `${br.headers.etag}`;
    expect((await ask(page, { 'accept-encoding': 'gzip, br', 'if-none-match': etag })).status).toBe(304);
    expect((await ask(page, { 'accept-encoding': 'br' }, 'HEAD')).headers.etag).toBe(etag);
    for (const path of ['/post/%00', '/post/..%2f..%2fx']) {
      expect([path, (await ask(front + path, {})).status]).toEqual([path, 400]);
    }

    await connects(front);

    // The site counts attempts by reader, not by proxy.
    const guess = (address: string) =>
      fetch(`${front}/api/pages?path=/`, { headers: { authorization: 'Bearer a-guess', 'x-forwarded-for': address } });
    for (let i = 0; i < 10; i++) expect((await guess('203.0.113.7')).status).toBe(401);
    expect((await guess('203.0.113.7')).status).toBe(429);
    expect(readFileSync(join(folder, 'error.log'), 'utf8')).not.toMatch(/\[(?:emerg|alert|crit|warn)\]/);
  } finally {
    await end(nginx, site, folder);
  }
});

test('nginx that keeps pages as the manual says asks once for many readers, and keeps nothing that is for one reader @embedded', async () => {
  test.skip(!hasNginx(), WITHOUT);
  const port = await freePort();
  const front = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-nginx-'));
  const site = await ownSite({ environment: { SITE_URL: front, TRUSTED_PROXIES: 'loopback' } });
  const nginx = await startNginx(folder, documented(port, new URL(site.url), join(folder, 'cache')), port);
  const requestsOf = async (kind: string) => {
    const text = await (await fetch(`${site.url}/metrics`)).text();
    return Number(new RegExp(`requests_total\\{kind="${kind}",code="200"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  try {
    const writer = await site.writer();
    const post = await site.post(writer);
    const page = `${front}/post/${post.id}`;
    const before = await requestsOf('page');
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(page, { 'accept-encoding': 'br' })));
    expect(
      new Set(answers.map(({ status, headers, bytes }) => `${status} ${headers['content-encoding']} ${bytes}`)).size,
    ).toBe(1);
    const asked = (await requestsOf('page')) - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(20);
    // nginx caches the uncompressed page separately.
    expect((await ask(page, {})).headers['content-encoding']).toBeUndefined();

    const account = (cookie: string) => ask(`${front}/v1/account`, { cookie, 'x-appwrite-project': 'common-ink' });
    expect((await account(`a_session_common-ink=${writer.session}`)).status).toBe(200);
    expect((await account('')).status).toBe(401);

    await site.setStatus(writer, post, 'inactive');
    await expect.poll(async () => (await ask(page, { 'accept-encoding': 'br' })).status).toBe(404);

    await connects(front);
  } finally {
    await end(nginx, site, folder);
  }
});
