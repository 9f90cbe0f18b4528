import { createServer, type Server } from 'node:http';
import { freePort } from '@common-ink/http/free-port.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

async function startCache(port: number, purged: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const allowed = request.method === 'PURGE' && request.headers.authorization === 'Bearer purge-token';
    if (allowed) purged.push(request.url ?? '');
    response.writeHead(allowed ? 200 : 403).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

test('a cache is told of each page that a write changed, once it is there and after our restart @embedded', async () => {
  const port = await freePort();
  const purged: string[] = [];
  const told = (path: string) => expect.poll(() => purged, { message: path }).toContain(path);
  let cache = await startCache(port, purged);
  const environment = {
    CDN_PROVIDER: 'generic',
    CDN_PURGE_URL: `http://127.0.0.1:${port}{path}`,
    CDN_TOKEN: 'purge-token',
  };
  const site = await ownSite({ environment });
  try {
    const writer = await site.writer();
    const first = await site.post(writer);
    for (const path of [`/post/${first.id}`, '/', '/feed.xml', '/sitemap.xml', `/author/${writer.id}`])
      await told(path);
    const kept = await fetch(`${site.url}/post/${first.id}`);
    expect(kept.headers.get('cdn-cache-control')).toMatch(/^public, max-age=86400/);

    await stop(cache);
    const second = await site.post(writer);
    await site.stop();
    purged.length = 0;
    cache = await startCache(port, purged);
    await site.start();
    // The adjacent post's page links to the new one.
    for (const path of [`/post/${second.id}`, `/post/${first.id}`, '/']) await told(path);

    for (const { id } of [first, second]) expect((await fetch(`${site.url}/post/${id}`)).status).toBe(200);
    await site.stop('SIGKILL');
    purged.length = 0;
    await site.start();
    for (const path of [`/post/${first.id}`, `/post/${second.id}`, '/feed.xml']) await told(path);
  } finally {
    await removeSite(site);
    await stop(cache);
  }
});
