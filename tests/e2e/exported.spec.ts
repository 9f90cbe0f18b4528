import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { Users } from 'node-appwrite';
import { close } from '../support/gateway.ts';
import { startProgram } from '../support/program.ts';
import { violationsOn } from './axe.ts';
import { expect, ownSite, policyViolations, removeSite, withShared } from './site.ts';
import { startStaticHost } from './static-host.ts';

/** Exports a site into `directory`, which a static host serves at `url`. */
async function openExport() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const directory = mkdtempSync(join(tmpdir(), 'common-ink-export-'));
  const server = await ownSite({ environment: { SITE_URL: url } });
  const publish = () => server.command('export', directory);
  const host = await startStaticHost(directory, port);
  const end = async () => {
    await close(host);
    await removeSite(server);
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, directory, server, publish, [Symbol.asyncDispose]: end };
}

const test = withShared('exported', openExport);
test.describe.configure({ mode: 'default' });

test('an export reads as the site does, under old addresses too', async ({ open, request, exported }) => {
  const { url, server, publish } = exported;
  const writer = await server.writer();
  const post = await server.post(writer, { title: 'A post on a static host', content: '<p>Words from a file.</p>' });
  const other = await server.post(writer);
  const lines = [
    `/2019/03/04/ink.html /post/${post.id}`,
    `/post/of-old /post/${post.id}`,
    `/post/${other.id} /post/${post.id}`,
    `/?p=123 /post/${post.id}`,
    `/story.php?id=5 /post/${post.id}`,
  ];
  writeFileSync(join(server.dataDirectory, 'redirects'), lines.join('\n'));
  await publish();
  const page = await open({ baseURL: url });
  const violations = policyViolations(page);
  const failures: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });
  await page.goto('/');
  const card = page.getByRole('link', { name: /A post on a static host/ }).first();
  await card.click();
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
  const bare = await open({ baseURL: url, javaScriptEnabled: false, path: `/post/${post.id}` });
  await expect(bare.getByRole('heading', { level: 1, name: 'A post on a static host' })).toBeVisible();
  await bare.goto('/post/nowhere');
  await expect(bare.getByText('Post not found')).toBeVisible();

  for (const origin of [server.url, url]) {
    for (const path of ['/2019/03/04/ink.html', '/2019/03/04/ink', '/post/of-old', '/?a=b&p=123', '/story.php?id=5']) {
      const answer = await request.get(origin + path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers().location], origin + path).toEqual([301, `/post/${post.id}`]);
    }
    // A static host first redirects to the path without the slash.
    const slash = await request.get(`${origin}/post/of-old/`, { maxRedirects: origin === url ? 2 : 1 });
    expect([slash.status(), slash.url()]).toEqual([200, `${origin}/post/${post.id}`]);
    for (const [path, status] of Object.entries({ [`/post/${other.id}`]: 200, '/2019/03/04': 404, '/?p=1234': 200 }))
      expect((await request.get(origin + path, { maxRedirects: 0 })).status(), path).toBe(status);
  }
});

test('an old address of a draft redirects only while the post is published', async ({ request, exported }) => {
  const { url, server, publish } = exported;
  const writer = await server.writer();
  const draft = await server.post(writer, { status: 'inactive' });
  const lines = [`/?p=7 /post/${draft.id}`, `/${draft.id} /post/${draft.id}`, `/2020/draft /post/${draft.id}`];
  writeFileSync(join(server.dataDirectory, 'redirects'), lines.join('\n'));
  for (const status of ['inactive', 'active', 'inactive'] as const) {
    await server.setStatus(writer, draft, status);
    await publish();
    const otherwise = { '/?p=7': 200, [`/${draft.id}`]: 404, '/2020/draft': 404 };
    for (const origin of [server.url, url]) {
      for (const [path, usual] of Object.entries(otherwise)) {
        const answer = await request.get(origin + path, { maxRedirects: 0 });
        const found = [answer.status(), answer.headers().location];
        const wanted = status === 'active' ? [301, `/post/${draft.id}`] : [usual, undefined];
        expect(found, `${status} ${origin}${path}`).toEqual(wanted);
      }
    }
  }
});

test('the search of an export finds words in context', async ({ open, exported: { url, server, publish } }) => {
  const writer = await server.writer('Ada Sample');
  const filler = 'Some other words. '.repeat(40);
  const post = await server.post(writer, {
    title: 'Reading glasses',
    content: `<p>${filler}</p><p>Then <strong>kerning</strong> &lt;i&gt; begins.</p><h2>End</h2>`,
  });
  await server.update(post.id, { tags: ['Type', 'Lead'], language: 'nl' }, writer);
  await server.post(writer, { title: 'Kerning, a résumé', content: '<p>Nothing about it.</p>' });
  await server.post(writer, { title: 'A kerning draft', status: 'inactive' });
  await publish();
  const page = await open({ baseURL: url });
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('dialog', (dialog) => faults.push(dialog.message()));
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).press('Enter');
  await page.getByRole('searchbox').fill('kern');
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL('/search?q=kern');
  await expect(page.getByRole('heading', { name: 'Results for “kern”' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '2 posts' })).toBeVisible();
  const results = page.getByRole('main').getByRole('listitem');
  await expect(results.getByRole('link')).toHaveText(['Kerning, a résumé', 'Reading glasses']);
  await expect(results.nth(0).locator('mark')).toHaveText(['Kerning']);
  await expect(results.nth(1).locator('mark')).toHaveText(['kerning']);
  await expect(results.nth(1)).toContainText('Then kerning <i> begins.');
  await expect(results.nth(1)).toContainText('Ada Sample');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await violationsOn(page)).toEqual([]);
  await results.nth(1).getByRole('link').press('Enter');
  await expect(page).toHaveURL(`/post/${post.id}`);
  for (const question of ['resume', '"><script>alert(1)</script>', '__proto__', "' OR 1=1 --", '%00', '{query}']) {
    await page.goto(`/search?q=${encodeURIComponent(question)}`);
    await expect(page.getByRole('searchbox')).toHaveValue(question);
    const heading = question === 'resume' ? 'Results for' : 'Nothing was found for';
    await expect(page.getByRole('heading', { name: `${heading} “${question}”` })).toBeVisible();
  }
  expect(faults).toEqual([]);
  await page.route('**/search-index/*', (route) => route.abort());
  await page.goto('/search?q=kern');
  await expect(page.getByRole('heading', { name: 'Search couldn’t be loaded' })).toBeVisible();

  const bare = await open({ baseURL: url, javaScriptEnabled: false, path: '/search?q=kern' });
  // Playwright's text locators skip `noscript`.
  const words = await bare.locator('noscript').innerHTML();
  expect(words).toContain('Search needs JavaScript');
  expect(words).toContain('href="/archive"');
});

test('--watch follows changes through a restart', async ({ request, exported }) => {
  const { url, directory, server } = exported;
  const writer = await server.writer();
  const [edited, hidden, deleted] = [await server.post(writer), await server.post(writer), await server.post(writer)];
  // Waits for current pages. Otherwise, the first export could write old ones, and the next would write them again.
  for (const { id } of [edited, hidden, deleted]) await server.text(`/post/${id}`);
  const env = { ...process.env, ...server.environment };
  const watching = startProgram(process.execPath, ['scripts/export.ts', directory, '--watch'], { env });
  const words = async (path: string) => (await request.get(url + path)).text();
  await watching.until(/Watching/);
  const begun = watching.said().length;
  await server.update(edited.id, { content: '<p>Words of the edit.</p>' }, writer);
  await expect.poll(() => words(`/post/${edited.id}`)).toContain('Words of the edit.');
  await watching.until(new RegExp(`wrote {3}post/${edited.id}/index\\.html\\.br\\n[^]* 0 removed`), begun);
  for (const other of [hidden, deleted]) expect(watching.said().slice(begun)).not.toContain(other.id);

  await new Users(server.admin()).updateName({ userId: writer.id, name: 'Another Name' });
  for (const path of [`/post/${edited.id}`, `/author/${writer.id}`, '/'])
    await expect.poll(() => words(path), path).toContain('Another Name');

  await server.setStatus(writer, hidden, 'inactive');
  await server.delete(deleted.id);
  for (const { id } of [hidden, deleted]) {
    await expect.poll(async () => (await request.get(`${url}/post/${id}`)).status()).toBe(404);
    for (const path of ['/', '/feed.xml', '/sitemap.xml', '/search-index/0.json'])
      await expect.poll(() => words(path), path).not.toContain(id);
  }

  await server.stop();
  await server.start();
  await server.update(edited.id, { content: '<p>After the absence.</p>' }, writer);
  await expect.poll(() => words(`/post/${edited.id}`), { timeout: 120_000 }).toContain('After the absence.');
  watching.child.kill('SIGTERM');
  expect(await watching.ended).toBe(0);
});
