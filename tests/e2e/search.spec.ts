import { createPosts } from '../support/bulk-posts.ts';
import { violationsOn } from './axe.ts';
import { expect, ownSite, test } from './site.ts';

test('a reader without script finds a post by a word of its text', async ({ open, site, writer }) => {
  const content = `<p>${'Some other words. '.repeat(40)}</p><p>Then <strong>kerning</strong> &lt;i&gt; begins.</p>`;
  const post = await site.post(writer, { title: 'Reading glasses', content });
  await site.post(writer, { title: 'Kerning', content: '<p>Nothing about it.</p>' });
  const page = await open({ javaScriptEnabled: false });
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
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await results.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`/post/${post.id}`);
  for (const path of ['/search', '/search?q=words']) {
    const { status, headers } = await fetch(site.url + path);
    expect([status, headers.get('cache-control'), headers.get('x-page')], path).toEqual([200, 'no-store', null]);
  }
});

test('a question is shown as asked and does no harm', async ({ page }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => dialogs.push(dialog.message()));
  for (const question of ['"><script>alert(1)</script>', "' OR 1=1 --", '*"(NEAR', '%00', '   ', '.'.repeat(5000)]) {
    const response = await page.goto(`/search?q=${encodeURIComponent(question)}`);
    expect(response?.status(), question).toBe(200);
    await expect(page.getByRole('searchbox')).toHaveValue(question.trim().slice(0, 200));
  }
  expect(dialogs).toEqual([]);
});

test('results go on past the first twenty', async ({ page, site, writer }) => {
  const quire = (n: number) => ({ $id: `quire-${n}`, title: `Quire ${n}`, content: '<p>Plain.</p>' });
  await createPosts(site.admin(), writer.id, 23, quire);
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

test('one address may search thirty times a minute and is told when to come again', async ({ open }) => {
  await using site = await ownSite();
  const page = await open({ at: site });
  // Repeats the searches until all fall within one minute, because each minute allows thirty.
  await expect(async () => {
    const statuses = await Promise.all(Array.from({ length: 31 }, () => site.status('/search?q=x')));
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    const refused = await page.goto('/search?q=x');
    expect(refused?.status()).toBe(429);
    expect(Number(refused?.headers()['retry-after'])).toBeGreaterThan(0);
  }).toPass({ timeout: 300_000 });
  await expect(page.getByRole('heading', { name: 'Too many searches' })).toBeVisible();
  await expect(page.getByText(/Please wait \d+ seconds? and search again/)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  expect(await site.status('/search'), 'the empty form costs nothing').toBe(200);
});
