import { expect, test } from './site.ts';

test('the byline of a post leads to its author’s posts', async ({ page, site }) => {
  const author = await site.writer('Grace Sample');
  await site.post(author, { title: 'First of hers' });
  const post = await site.post(author, { title: 'Second of hers' });
  await site.post(await site.writer('Another'), { title: 'Somebody else’s' });
  await site.post(author, { title: 'Her draft', status: 'inactive' });
  await page.goto(`/post/${post.id}`);
  await page.getByRole('link', { name: 'Grace Sample' }).click();
  await expect(page).toHaveURL(`/author/${author.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Grace Sample' })).toBeVisible();
  const titles = page.getByRole('main').locator('a[href^="/post/"]');
  await expect(titles).toHaveText(['Second of hers', 'First of hers']);
  await expect(page).toHaveTitle(/Posts by Grace Sample/);
});

test('a post written in an author’s name by another never appears', async ({ page, request, site }) => {
  const [author, forger, silent] = [
    await site.writer('Honest Sample'),
    await site.writer('Forger'),
    await site.writer('Silent'),
  ];
  await site.post(author, { title: 'Honest work' });
  const forged = `forged-${author.id.slice(-6)}`;
  for (const { id } of [author, silent]) await site.publishText(forger, 'Forged', `${forged}-${id.slice(-4)}`, id);
  await page.goto(`/author/${author.id}`);
  await expect(page.getByRole('main').locator('a[href^="/post/"]')).toHaveText(['Honest work']);
  await expect(page.getByText('One post')).toBeVisible();
  for (const path of ['/', '/feed.xml', '/feed.json', '/sitemap.xml', '/archive', '/search?q=forged'])
    expect(await (await request.get(path)).text(), path).not.toContain(forged);
  for (const path of [`/author/${author.id}/page/2`, `/author/${silent.id}`, '/author/nobody'])
    expect((await request.get(path)).status(), path).toBe(404);
  const first = await request.get(`/author/${author.id}/page/1`, { maxRedirects: 0 });
  expect([first.status(), first.headers().location]).toEqual([301, `/author/${author.id}`]);
});
