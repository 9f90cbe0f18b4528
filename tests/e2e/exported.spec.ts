/** What readers get of a static export, from a host that knows files, `_headers` and `_redirects` alone. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, ownSite, type RunningSite, removeSite, test as served } from './site.ts';
import { startStaticHost } from './static-host.ts';

interface Exported {
  readonly url: string;
  readonly server: RunningSite;
  /** Exports what is published now, as the command does. */
  publish(): void;
}

const test = served.extend<object, { exported: Exported }>({
  exported: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixtures used from a destructured parameter
    async ({}, use) => {
      const probe = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => probe.once('listening', resolve));
      const { port } = probe.address() as AddressInfo;
      await new Promise((resolve) => probe.close(resolve));
      const url = `http://127.0.0.1:${port}`;
      const directory = mkdtempSync(join(tmpdir(), 'common-ink-export-'));
      const server = await ownSite({ environment: { SITE_URL: url }, access: 'embedded' });
      const environment = {
        ...process.env,
        SITE_URL: url,
        PORT: new URL(server.url).port,
        DATA_DIR: server.dataDirectory,
        EMBEDDED_RATE_LIMITS: 'off',
      };
      const publish = () =>
        void execFileSync(process.execPath, ['scripts/export.ts', directory], { env: environment, stdio: 'pipe' });
      publish();
      const host = await startStaticHost(directory, port);
      await use({ url, server, publish });
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
      await removeSite(server);
      rmSync(directory, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('an export reads as the site does: pages, pictures, lists, without script and under the same policy', async ({
  browser,
  exported: { url, server, publish },
}) => {
  const writer = await server.writer();
  const post = await server.post(writer, { title: 'A post on a static host', content: '<p>Words from a file.</p>' });
  publish();
  const page = await browser.newPage({ baseURL: url });
  const violations: string[] = [];
  const failures: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });
  await page.goto('/');
  await page
    .getByRole('link', { name: /A post on a static host/ })
    .first()
    .click();
  await expect(page).toHaveURL(`${url}/post/${post.id}`);
  await expect(page.getByText('Words from a file.')).toBeVisible();
  const picture = page.getByRole('main').locator('img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect([violations, failures]).toEqual([[], []]);
  for (const path of ['/', `/post/${post.id}`, '/login', '/add-post', '/edit-post/x', '/nowhere', '/post/nowhere']) {
    const answer = await page.request.get(path);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).not.toMatch(/script-src [^;]*unsafe/);
    expect(answer.status(), path).toBe(path.includes('nowhere') ? 404 : 200);
  }
  expect((await page.request.get('/page/1', { maxRedirects: 0 })).status()).toBe(301);
  await page.close();

  const bare = await browser.newPage({ baseURL: url, javaScriptEnabled: false });
  await bare.goto(`/post/${post.id}`);
  await expect(bare.getByRole('heading', { level: 1, name: 'A post on a static host' })).toBeVisible();
  await bare.goto('/post/nowhere');
  await expect(bare.getByText('Post not found')).toBeVisible();
  await bare.close();
});

test('the served and the exported pages are the same bytes', async ({
  request,
  exported: { url, server, publish },
}) => {
  const post = await server.post(await server.writer());
  publish();
  for (const path of ['/', `/post/${post.id}`, '/feed.xml', '/sitemap.xml', '/login', '/edit-post/-']) {
    const [there, here] = await Promise.all([request.get(server.url + path), request.get(url + path)]);
    expect(Buffer.compare(await there.body(), await here.body()), path).toBe(0);
  }
});
