import { expect, test } from './site.ts';

test('an author’s page lists their public posts and none that another forged', async ({ page, request, site }) => {
  const [author, forger, silent] = [await site.writer('Honest Sample'), await site.writer(), await site.writer()];
  await site.post(author, { title: 'Her draft', status: 'inactive' });
  await site.post(author, { title: 'Honest work' });
  const forged = `forged-${author.id.slice(-6)}`;
  for (const { id } of [author, silent]) await site.publishText(forger, 'Forged', `${forged}-${id.slice(-4)}`, id);
  await page.goto(`/author/${author.id}`);
  await expect(page.getByRole('main').locator('a[href^="/post/"]')).toHaveText(['Honest work']);
  await expect(page.getByText('One post')).toBeVisible();
  await expect(page).toHaveTitle(/Posts by Honest Sample/);
  for (const path of ['/', '/feed.xml', '/feed.json', '/sitemap.xml', '/archive', '/search?q=forged'])
    expect(await (await request.get(path)).text(), path).not.toContain(forged);
  for (const path of [`/author/${author.id}/page/2`, `/author/${silent.id}`, '/author/nobody'])
    expect((await request.get(path)).status(), path).toBe(404);
  const first = await request.get(`/author/${author.id}/page/1`, { maxRedirects: 0 });
  expect([first.status(), first.headers().location]).toEqual([301, `/author/${author.id}`]);
});
