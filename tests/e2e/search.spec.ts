import AxeBuilder from '@axe-core/playwright';
import { expect, ownSite, removeSite, test } from './site.ts';
import { publishText } from './writes.ts';

test('a reader without script finds a post by a word of its text', async ({ browser, site, writer }) => {
  const post = await site.post(writer, {
    title: 'Reading glasses',
    content: `<p>${'Some other words. '.repeat(40)}</p><p>Then <strong>kerning</strong> &lt;i&gt; begins.</p>`,
  });
  await site.post(writer, { title: 'Kerning', content: '<p>Nothing about it.</p>' });
  const page = await browser.newPage({ baseURL: site.url, javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('kern');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL('/search?q=kern');
  const results = page.getByRole('main').getByRole('listitem');
  await expect(results.getByRole('link')).toHaveText(['Kerning', 'Reading glasses']);
  await expect(results.nth(0).locator('mark')).toHaveText(['Kerning']);
  await expect(results.nth(1).locator('mark')).toHaveText(['kerning']);
  await expect(results.nth(1)).toContainText('Then kerning <i> begins.');
  await results.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`/post/${post.id}`);
  await page.close();
});

test('a question is shown as it was asked, and does no harm', async ({ page }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => dialogs.push(dialog.message()));
  for (const question of ['"><script>alert(1)</script>', "' OR 1=1 --", '*"(NEAR', '%00', '   ', '.'.repeat(5000)]) {
    const response = await page.goto(`/search?q=${encodeURIComponent(question)}`);
    expect(response?.status(), question).toBe(200);
    await expect(page.getByRole('searchbox')).toHaveValue(question.trim().slice(0, 200));
  }
  expect(dialogs).toEqual([]);
});

test('what is not there is said to be not there; inactive posts are not there', async ({ page, site, writer }) => {
  await site.post(writer, { title: 'Zebraic drafts', status: 'inactive' });
  await page.goto('/search?q=zebraic');
  await expect(page.getByRole('heading', { name: 'Nothing was found for “zebraic”' })).toBeVisible();
  await page.goto('/search');
  await expect(page.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: 'found' })).toHaveCount(0);
});

test('results go on past the first twenty', async ({ page, site, writer }) => {
  for (let n = 0; n < 23; n++)
    await publishText(site, writer, { slug: `quire-${n}-${writer.id.slice(-6)}`, title: `Quire ${n}` });
  await page.goto('/search?q=quire');
  const results = page.getByRole('main').getByRole('listitem');
  await expect(results).toHaveCount(20);
  await expect(page.getByText('Posts 1 to 20')).toBeVisible();
  await page.getByRole('link', { name: 'More results' }).click();
  await expect(page).toHaveURL('/search?q=quire&page=2');
  await expect(results).toHaveCount(3);
  await expect(page.getByText('Posts 21 to 23')).toBeVisible();
  await expect(page.getByRole('link', { name: 'More results' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Previous results' }).click();
  await expect(page).toHaveURL('/search?q=quire');
});

test('answers are neither indexed nor stored', async ({ page, request }) => {
  await page.goto('/search?q=words');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  for (const path of ['/search', '/search?q=words']) {
    const { headers, status } = await request
      .get(path)
      .then((got) => ({ headers: got.headers(), status: got.status() }));
    expect([status, headers['cache-control'], headers['x-page']], path).toEqual([200, 'no-store', undefined]);
  }
});

test('one address may search thirty times a minute, and is told when to come again', async ({ browser }) => {
  const site = await ownSite();
  try {
    const context = await browser.newContext({ baseURL: site.url });
    const page = await context.newPage();
    for (let n = 1; n <= 30; n++) expect((await page.request.get('/search?q=x')).status(), `search ${n}`).toBe(200);
    const refused = await page.goto('/search?q=x');
    expect(refused?.status()).toBe(429);
    expect(Number(refused?.headers()['retry-after'])).toBeGreaterThan(0);
    await expect(page.getByRole('heading', { name: 'Too many searches' })).toBeVisible();
    await expect(page.getByText(/Please wait \d+ seconds? and search again/)).toBeVisible();
    expect(await new AxeBuilder({ page }).analyze().then(({ violations }) => violations)).toEqual([]);
    expect((await page.request.get('/search')).status(), 'the empty form costs nothing').toBe(200);
    await context.close();
  } finally {
    await removeSite(site);
  }
});
