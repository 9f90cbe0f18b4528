/** Notifications of search engines and feed hubs: their content, never a draft, and no delay for writers. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, ownSite, removeSite, test } from './site.ts';

const KEY = 'a-key-of-this-site';

test('search engines are notified of a post once it can be read, and no writer waits for them @embedded', async () => {
  const heard: { path: string; body: string }[] = [];
  /** Requests that the hub leaves unanswered. */
  const hanging: ServerResponse[] = [];
  const world = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() });
    if (request.url === '/hub') hanging.push(response);
    else response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(world.address() as AddressInfo).port}`;
  const environment = {
    INDEXNOW_KEY: KEY,
    INDEXNOW_ENDPOINT: `${address}/indexnow`,
    WEBSUB_HUB: `${address}/hub`,
  };
  const site = await ownSite({ environment });
  try {
    expect(await (await fetch(`${site.url}/${KEY}.txt`)).text()).toBe(KEY);
    expect((await fetch(`${site.url}/another-key-of-it.txt`)).status).toBe(404);
    expect(await (await fetch(`${site.url}/feed.xml`)).text()).toContain(`href="${address}/hub" rel="hub"`);

    const writer = await site.writer();
    const draft = await site.post(writer, { status: 'inactive' });
    const post = await site.post(writer);
    const told = () => heard.filter(({ path }) => path === '/indexnow').flatMap(({ body }) => JSON.parse(body).urlList);
    await expect.poll(told).toContain(`${site.url}/post/${post.id}`);
    await expect.poll(() => heard.find(({ path }) => path === '/hub')?.body).toContain('hub.mode=publish');
    expect(hanging.length).toBeGreaterThan(0);
    expect((await fetch(`${site.url}/post/${post.id}`)).status).toBe(200);

    await site.setStatus(writer, post, 'inactive');
    await expect.poll(() => told().filter((url) => url === `${site.url}/post/${post.id}`).length).toBeGreaterThan(1);
    expect(JSON.stringify(heard)).not.toContain(draft.id);
  } finally {
    await removeSite(site);
    world.closeAllConnections();
    await new Promise((resolve) => world.close(resolve));
  }
});
