import { createServer, type Server } from 'node:http';
import { freePort } from '@common-ink/http/free-port.ts';
import { close } from '../support/gateway.ts';
import { expect, ownSite, test } from './site.ts';

async function startCache(port: number, purged: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const allowed = request.method === 'PURGE' && request.headers.authorization === 'Bearer purge-token';
    if (allowed) purged.push(request.url ?? '');
    response.writeHead(allowed ? 200 : 403).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

test('purges each page that a write changed, also once the cache is back and after a restart @embedded', async () => {
  const port = await freePort();
  const purged: string[] = [];
  const told = async (...paths: string[]) => {
    for (const path of paths) await expect.poll(() => purged, { message: path }).toContain(path);
  };
  let cache = await startCache(port, purged);
  const environment = {
    CDN_PROVIDER: 'generic',
    CDN_PURGE_URL: `http://127.0.0.1:${port}{path}`,
    CDN_TOKEN: 'purge-token',
  };
  await using site = await ownSite({ environment });
  const writer = await site.writer();
  const first = await site.post(writer);
  await told(`/post/${first.id}`, '/', '/feed.xml', '/sitemap.xml', `/author/${writer.id}`);
  const kept = await fetch(`${site.url}/post/${first.id}`);
  expect(kept.headers.get('cdn-cache-control')).toMatch(/^public, max-age=86400/);

  await close(cache);
  const second = await site.post(writer);
  await site.stop();
  purged.length = 0;
  cache = await startCache(port, purged);
  await site.start();
  // The adjacent post's page links to the new one.
  await told(`/post/${second.id}`, `/post/${first.id}`, '/');

  for (const { id } of [first, second]) expect(await site.status(`/post/${id}`)).toBe(200);
  await site.stop('SIGKILL');
  purged.length = 0;
  await site.start();
  await told(`/post/${first.id}`, `/post/${second.id}`, '/feed.xml');
  await close(cache);
});
