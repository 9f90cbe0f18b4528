import { createServer, type ServerResponse } from 'node:http';
import { close, listen } from '../support/gateway.ts';
import { expect, ownSite, test } from './site.ts';

const KEY = 'a-key-of-this-site';

test('notifies search engines of a post once it can be read, without delay for writers @embedded', async () => {
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
  const address = await listen(world);
  const environment = {
    INDEXNOW_KEY: KEY,
    INDEXNOW_ENDPOINT: `${address}/indexnow`,
    WEBSUB_HUB: `${address}/hub`,
  };
  await using site = await ownSite({ environment });
  expect(await site.text(`/${KEY}.txt`)).toBe(KEY);
  expect(await site.status('/another-key-of-it.txt')).toBe(404);
  expect(await site.text('/feed.xml')).toContain(`href="${address}/hub" rel="hub"`);
  const writer = await site.writer();
  const draft = await site.post(writer, { status: 'inactive' });
  const post = await site.post(writer);
  const told = () => heard.filter(({ path }) => path === '/indexnow').flatMap(({ body }) => JSON.parse(body).urlList);
  await expect.poll(told).toContain(`${site.url}/post/${post.id}`);
  await expect.poll(() => heard.find(({ path }) => path === '/hub')?.body).toContain('hub.mode=publish');
  expect(hanging.length).toBeGreaterThan(0);
  expect(await site.status(`/post/${post.id}`)).toBe(200);
  await site.setStatus(writer, post, 'inactive');
  await expect.poll(() => told().filter((url) => url === `${site.url}/post/${post.id}`).length).toBeGreaterThan(1);
  expect(JSON.stringify(heard)).not.toContain(draft.id);
  await close(world);
});
