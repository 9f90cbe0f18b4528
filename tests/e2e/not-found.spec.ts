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
  await page.waitForURL(`${site.url}/`, { timeout: 10_000 });
});

test('who wants to stay on it stays', async ({ page }) => {
  await page.clock.install();
  await page.goto('/post/no-such-post');
  await page.getByRole('button', { name: /stay/i }).click();
  await page.clock.fastForward(20_000);
  await expect(page).toHaveURL(/no-such-post$/);
});

for (const [path, status] of [
  ['/%', 400],
  ['/post/%E0%A4%A', 400],
] as const) {
  test(`${path} answers ${status}`, async ({ request }) => {
    expect((await request.get(path)).status()).toBe(status);
  });
}
