import { expect, test } from './site.ts';

test('a missing post is 404, says so and goes home by itself, unless the reader stays', async ({ page, site }) => {
  // Moves the page's clock by hand, so that the test also passes on slow machines.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const response = await page.goto('/post/no-such-post');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Post not found', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go back to home' })).toBeVisible();
  await page.getByRole('button', { name: /stay/i }).click();
  await page.clock.fastForward(20_000);
  await expect(page).toHaveURL(/no-such-post$/);
  await page.reload();
  await expect(page.getByRole('button', { name: /stay/i })).toBeVisible();
  await page.clock.fastForward(20_000);
  await page.waitForURL(`${site.url}/`);
});

test('it offers a search and the newest posts @embedded', async ({ open, site, writer }) => {
  const page = await open({ javaScriptEnabled: false });
  const kept = await site.post(writer, { title: 'Kept in the drawer' });
  const taken = await site.post(writer, { title: 'Taken out of the drawer' });
  // The not-found page leaves out the newest posts if the backend is slow.
  const offers = (id: string) =>
    expect(async () => {
      await page.goto('/nowhere');
      expect(await page.locator(`a[href="/post/${id}"]`).count()).toBeGreaterThan(0);
    }).toPass();
  await offers(taken.id);
  await site.setStatus(writer, taken, 'inactive');
  await offers(kept.id);
  await expect(page.getByText('Taken out of the drawer')).toHaveCount(0);
  await page.getByRole('searchbox').fill('kept drawer');
  await page.getByRole('searchbox').press('Enter');
  await expect(page.getByRole('main').getByRole('link', { name: 'Kept in the drawer' })).toBeVisible();
});
