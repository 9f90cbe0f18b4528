import { createServer } from 'node:http';
import { close, listen } from '../support/gateway.ts';
import { expect, ownSite, test } from './site.ts';

test('purges each page that a write changed, once the cache answers @embedded', async () => {
  const purged: string[] = [];
  let isDown = true;
  const cache = createServer((request, response) => {
    const allowed = !isDown && request.method === 'PURGE' && request.headers.authorization === 'Bearer purge-token';
    if (allowed) purged.push(request.url ?? '');
    response.writeHead(allowed ? 200 : 503).end();
  });
  const environment = {
    CDN_PROVIDER: 'generic',
    CDN_PURGE_URL: `${await listen(cache)}{path}`,
    CDN_TOKEN: 'purge-token',
  };
  await using site = await ownSite({ environment });
  const { id } = await site.post(await site.writer());
  await site.stop();
  isDown = false;
  await site.start();
  for (const path of [`/post/${id}`, '/', '/feed.xml', '/sitemap.xml'])
    await expect.poll(() => purged, { message: path }).toContain(path);
  const kept = await fetch(`${site.url}/post/${id}`);
  expect(kept.headers.get('cdn-cache-control')).toMatch(/^public, max-age=86400/);
  await close(cache);
});
