import { expect, test } from './site.ts';

test('an address that nothing answers is 404 with the words and a way home', async ({ page, site }) => {
  const response = await page.goto('/nowhere/at-all');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('No route matches URL')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: /home/i }).first().click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('a post that does not exist is 404, says so and goes home by itself', async ({ page, site }) => {
  const response = await page.goto('/post/no-such-post');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Post not found', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go back to home' })).toBeVisible();
  await page.waitForURL(`${site.url}/`);
});

test('who wants to stay on it stays', async ({ page }) => {
  await page.clock.install();
  await page.goto('/post/no-such-post');
  await page.getByRole('button', { name: /stay/i }).click();
  await page.clock.fastForward(20_000);
  await expect(page).toHaveURL(/no-such-post$/);
});

test('it helps: a search that works without script, the newest posts, none that was taken back @embedded @server', async ({
  browser,
  site,
  writer,
}) => {
  const page = await browser.newPage({ baseURL: site.url, javaScriptEnabled: false });
  const kept = await site.post(writer, { title: 'Kept in the drawer' });
  const taken = await site.post(writer, { title: 'Taken out of the drawer' });
  await page.goto('/nowhere');
  await expect(page.getByRole('link', { name: 'Taken out of the drawer' })).toBeVisible();
  await site.setStatus(writer, taken, 'inactive');
  await page.goto('/nowhere');
  await expect(page.getByRole('link', { name: 'Kept in the drawer' })).toHaveAttribute('href', `/post/${kept.id}`);
  await expect(page.getByText('Taken out of the drawer')).toHaveCount(0);
  await page.getByRole('searchbox').fill('kept drawer');
  await page.getByRole('searchbox').press('Enter');
  await expect(page.getByRole('main').getByRole('link', { name: 'Kept in the drawer' })).toBeVisible();
  await page.close();
});

test('an address below /api that cannot be read answers 400 as JSON', async ({ request }) => {
  const response = await request.get('/api/%ZZ');
  expect([response.status(), response.headers()['content-type'], await response.json()]).toEqual([
    400,
    'application/json',
    { error: 'Bad Request' },
  ]);
});
