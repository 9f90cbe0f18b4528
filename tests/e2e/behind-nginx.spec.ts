import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import WebSocket from 'ws';
import { send } from '../support/gateway.ts';
import { nginxOf } from '../support/manual.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expect, ownSite, type RunningSite, removeSite, test } from './site.ts';

async function openFront() {
  const front = `http://127.0.0.1:${await freePort()}`;
  const environment = { SITE_URL: front, TRUSTED_PROXIES: 'loopback', REBUILD_TOKEN: 'token-of-the-operator' };
  const site = await ownSite({ environment });
  return { front, site, [Symbol.asyncDispose]: () => removeSite(site) };
}

/** Runs `work` on the site behind an nginx that is set up as in the manual, with or without the manual's caching. */
async function behindNginx(
  isCaching: boolean,
  { front, site }: Awaited<ReturnType<typeof openFront>>,
  work: (front: string, site: RunningSite) => Promise<void>,
): Promise<void> {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const { site: block, zone, caching } = nginxOf('operating.md');
  const withZone = zone.replace('/var/cache/nginx/common-ink', `${folder}/cache`);
  // By default, nginx passes all waiting requests on to the site after five seconds. A busy machine may take longer.
  const patience = 'proxy_cache_lock_timeout 15m; proxy_cache_lock_age 15m;\n';
  const settings = (isCaching ? withZone + block.replace('proxy_pass', `${caching}${patience}proxy_pass`) : block)
    .replace('127.0.0.1:4321', new URL(site.url).host)
    .replace('listen 80', `listen ${new URL(front).host}`)
    .replace('blog.example.com', '127.0.0.1');
  expect(settings).toContain('proxy_pass http://common-ink');
  await using _nginx = await startNginx(folder, settings, `${front}/favicon.svg`);
  await work(front, site);
  const address = `${front.replace('http', 'ws')}/v1/realtime?project=common-ink&channels[]=documents`;
  const socket = new WebSocket(address, { origin: front });
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message)).type).toBe('connected');
  socket.close();
  expect(readFileSync(join(folder, 'error.log'), 'utf8')).not.toMatch(/\[(?:emerg|alert|crit|warn)\]/);
}

test.describe.configure({ mode: 'default' });
test.skip(!hasNginx(), 'nginx is not installed');

const ask = (url: string, headers: Record<string, string>, method = 'GET') => send(url, { method, headers });

test('nginx as the manual sets it up passes pages, validators, sockets and the client’s address @embedded', async ({
  shared,
}) =>
  behindNginx(false, await shared(openFront), async (front, site) => {
    const post = await site.post(await site.writer());
    const page = `${front}/post/${post.id}`;
    const br = await ask(page, { 'accept-encoding': 'gzip, br' });
    expect([br.status, br.headers['content-encoding'], br.headers['x-page']?.toString()[0]]).toEqual([200, 'br', 'h']);
    expect(`${br.headers['content-length']}`).toBe(`${br.body.length}`);
    const etag = `${br.headers.etag}`;
    expect((await ask(page, { 'accept-encoding': 'gzip, br', 'if-none-match': etag })).status).toBe(304);
    expect((await ask(page, { 'accept-encoding': 'br' }, 'HEAD')).headers.etag).toBe(etag);
    for (const path of ['/post/%00', '/post/..%2f..%2fx'])
      expect([path, (await ask(front + path, {})).status]).toEqual([path, 400]);
    // The site counts attempts by the reader's address, not by the proxy's.
    const guess = async (address: string) => {
      const headers = { authorization: 'Bearer a-guess', 'x-forwarded-for': address };
      return (await fetch(`${front}/api/pages?path=/`, { headers })).status;
    };
    for (let i = 0; i < 10; i++) expect(await guess('203.0.113.7')).toBe(401);
    expect(await guess('203.0.113.7')).toBe(429);
  }));

test('nginx that caches as the manual says asks once for many readers and caches nothing private @embedded', async ({
  shared,
}) =>
  behindNginx(true, await shared(openFront), async (front, site) => {
    const requestsOf = async (kind: string) => {
      const pattern = new RegExp(`requests_total\\{kind="${kind}",code="200"\\} (\\d+)`);
      return Number(pattern.exec(await site.text('/metrics'))?.[1] ?? 0);
    };
    const writer = await site.writer();
    const post = await site.post(writer);
    const page = `${front}/post/${post.id}`;
    const before = await requestsOf('page');
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(page, { 'accept-encoding': 'br' })));
    const kinds = answers.map(({ status, headers, body }) => `${status} ${headers['content-encoding']} ${body.length}`);
    expect(new Set(kinds).size).toBe(1);
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
  }));
