import { violationsOn } from './axe.ts';
import { startReaders } from './load.ts';
import { expect, ownSite, withShared } from './site.ts';
import { htmlFaults } from './validity.ts';

const LONG = `<p>${'words '.repeat(5000)}</p>`;

const openRemote = () => ownSite({ access: 'gateway', environment: { PAGES_MAX_AGE: '1' } });
const test = withShared('remote', openRemote);
// Runs the tests in order, because the first one needs a site without posts.
test.describe.configure({ mode: 'serial' });

test('a site killed and started again without a backend answers from the store', async ({
  open,
  page,
  remote: site,
}) => {
  await site.remote?.stop();
  expect((await page.goto(site.url))?.status()).toBe(503);
  await expect(page.getByRole('alert')).toHaveText('Error: Failed to fetch posts');
  expect(await htmlFaults(await site.text('/'))).toEqual([]);
  expect(await violationsOn(page)).toEqual([]);
  const scriptless = await open({ at: site, javaScriptEnabled: false, path: '/' });
  await site.remote?.start();
  for (const reader of [page, scriptless]) {
    await expect(async () => {
      const retry = reader.getByRole('button', { name: 'Retry' });
      if (await retry.isVisible()) await retry.click();
      await expect(reader.getByRole('heading', { name: 'Welcome to Your Blog' })).toBeVisible({ timeout: 20_000 });
    }).toPass();
  }
  expect(await violationsOn(page)).toEqual([]);
  const post = await site.post(await site.writer(), { title: 'Kept over a kill' });
  for (const path of ['/', `/post/${post.id}`]) expect(await site.status(path)).toBe(200);
  await site.remote?.stop();
  await site.stop('SIGKILL');
  const started = site.start();
  let first: Response | undefined;
  while (!first) first = await fetch(`${site.url}/post/${post.id}`).catch(() => undefined);
  expect([first.status, first.headers.get('x-page')]).toEqual([200, expect.stringMatching(/^(?:hit|stale)/)]);
  expect(await first.text()).toContain('Kept over a kill');
  await started;
  expect(await site.status('/')).toBe(200);
  await site.remote?.start();
});

test('no read of a stored page fails while the backend is stopped under load, and the site recovers by itself', async ({
  remote: site,
}) => {
  const writer = await site.writer();
  const posts = [await site.post(writer), await site.post(writer)];
  const paths = ['/', '/feed.xml', '/sitemap.xml', `/author/${writer.id}`, ...posts.map(({ id }) => `/post/${id}`)];
  for (const path of paths) expect(await site.status(path)).toBe(200);
  await site.remote?.stop();
  const faults: string[] = [];
  /** Paths for which a reader received a stale page. */
  const stale = new Set<string>();
  const fresh = new Set<string>();
  const readers = startReaders(site.url, paths, ({ path, status, text, page }) => {
    if (page?.startsWith('stale')) stale.add(path);
    if (page?.startsWith('hit')) fresh.add(path);
    if (status !== 200 || text.length < 100) faults.push(`${path} ${status}`);
  });
  await expect.poll(() => paths.filter((path) => !stale.has(path))).toEqual([]);
  const missing = await fetch(`${site.url}/archive`);
  expect([missing.status, Number(missing.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect(await missing.text()).toContain('Retry');
  const unread = await fetch(`${site.url}/post/nobody-has-read-it`);
  expect(unread.status).toBe(503);
  const said = await unread.text();
  for (const words of ['Error: Failed to fetch post<', 'Retry', 'Go back to home']) expect(said).toContain(words);
  fresh.clear();
  await site.remote?.start();
  await expect.poll(() => site.status('/archive')).toBe(200);
  await expect.poll(() => fresh.has('/')).toBe(true);
  await readers.end();
  expect(faults).toEqual([]);
});

test('a site stopped while it renders pages ends soon and logs nothing', async () => {
  await using site = await ownSite({ environment: { REBUILD_TOKEN: 'a-token-of-this-test-alone' } });
  const writer = await site.writer();
  const posts = await Promise.all(Array.from({ length: 12 }, () => site.post(writer, { content: LONG })));
  await Promise.all(posts.map(({ id }) => fetch(`${site.url}/post/${id}`)));
  const before = site.said.length;
  // The server receives SIGTERM while it renders all pages again.
  site.rebuild().catch(() => undefined);
  // More pictures could take a busy machine longer than the ending server waits.
  const cold = posts.slice(0, 3).map(({ id }) => site.status(`/post/${id}/share.png`));
  await Promise.any(cold);
  await site.stop();
  expect(
    site.said.slice(before).replace(/^(?:.* info Every page is loaded|This site has no owner yet).*\n/gm, ''),
  ).toBe('');
  for (const status of await Promise.all(cold)) expect(status).toBeLessThan(500);
});
