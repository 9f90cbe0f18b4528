import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../support/gateway.ts';
import { expect, ownSite, test } from './site.ts';

const KEY = 'a-key-of-this-site';

test('a write is told to search engines without delay, and to a CDN once it answers @embedded', async () => {
  const heard: { path: string; body: string }[] = [];
  const purged: string[] = [];
  /** Responses that the WebSub hub never sends. */
  const hanging: ServerResponse[] = [];
  let isCdnDown = true;
  const world = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (method === 'PURGE') {
      const isPurged = !isCdnDown && headers.authorization === 'Bearer purge-token';
      if (isPurged) purged.push(url);
      response.writeHead(isPurged ? 200 : 503).end();
      return;
    }
    heard.push({ path: url, body: await text(request) });
    if (url === '/hub') hanging.push(response);
    else response.writeHead(202).end();
  });
  const address = await listen(world);
  const environment = {
    ...{ INDEXNOW_KEY: KEY, INDEXNOW_ENDPOINT: `${address}/indexnow`, WEBSUB_HUB: `${address}/hub` },
    ...{ CDN_PROVIDER: 'generic', CDN_PURGE_URL: `${address}{path}`, CDN_TOKEN: 'purge-token' },
  };
  await using site = await ownSite({ environment });
  expect(await site.text(`/${KEY}.txt`)).toBe(KEY);
  expect(await site.status('/another-key-of-it.txt')).toBe(404);
  expect(await site.text('/feed.xml')).toContain(`href="${address}/hub" rel="hub"`);
  const writer = await site.writer();
  const draft = await site.post(writer, { status: 'inactive' });
  const post = await site.post(writer);
  const page = `${site.url}/post/${post.id}`;
  const told = () => heard.filter(({ path }) => path === '/indexnow').flatMap(({ body }) => JSON.parse(body).urlList);
  await expect.poll(told).toContain(page);
  await expect.poll(() => heard.find(({ path }) => path === '/hub')?.body).toContain('hub.mode=publish');
  expect(hanging.length).toBeGreaterThan(0);
  const answer = await fetch(page);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cdn-cache-control')).toMatch(/^public, max-age=86400/);

  // Purges that the CDN refused are sent again after a restart.
  await site.stop();
  isCdnDown = false;
  await site.start();
  for (const path of [`/post/${post.id}`, '/', '/feed.xml', '/sitemap.xml'])
    await expect.poll(() => purged, { message: path }).toContain(path);
  await site.setStatus(writer, post, 'inactive');
  await expect.poll(() => told().filter((url) => url === page).length).toBeGreaterThan(1);
  expect(JSON.stringify(heard)).not.toContain(draft.id);
  await close(world);
});
