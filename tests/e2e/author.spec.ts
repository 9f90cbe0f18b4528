import { expect, test } from './site.ts';
import { publishText } from './writes.ts';

test('the byline of a post leads to its author’s posts', async ({ page, site }) => {
  const author = await site.writer('Grace Sample');
  const other = await site.writer('Another');
  await site.post(author, { title: 'First of hers' });
  const post = await site.post(author, { title: 'Second of hers' });
  await site.post(other, { title: 'Somebody else’s' });
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
  const [author, forger] = [await site.writer('Honest Sample'), await site.writer('Forger')];
  await site.post(author, { title: 'Honest work' });
  const forged = `forged-${author.id.slice(-6)}`;
  for (let n = 1; n <= 3; n++) {
    await publishText(site, forger, { slug: `${forged}-${n}`, title: 'Forged', inTheNameOf: author });
  }
  await page.goto(`/author/${author.id}`);
  await expect(page.getByRole('main').locator('a[href^="/post/"]')).toHaveText(['Honest work']);
  await expect(page.getByText('One post')).toBeVisible();
  for (const path of ['/', '/feed.xml', '/feed.json', '/sitemap.xml', '/archive', '/search?q=forged']) {
    expect(await (await request.get(path)).text(), path).not.toContain(forged);
  }
});

test('an author has pages of 24 posts, and no page without a post', async ({ page, request, site }) => {
  const author = await site.writer('Prolific Sample');
  for (let n = 1; n <= 25; n++)
    await publishText(site, author, { slug: `work-${n}-${author.id.slice(-6)}`, title: `Work ${n}` });
  await page.goto(`/author/${author.id}`);
  await page.getByRole('link', { name: /Older/ }).click();
  await expect(page).toHaveURL(`/author/${author.id}/page/2`);
  await expect(page.getByRole('main').locator('a[href^="/post/"]')).toHaveText(['Work 1']);
  const silent = await site.writer('Silent Sample');
  for (const path of [`/author/${author.id}/page/3`, `/author/${silent.id}`, '/author/nobody']) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  const first = await request.get(`/author/${author.id}/page/1`, { maxRedirects: 0 });
  expect([first.status(), first.headers().location]).toEqual([301, `/author/${author.id}`]);
});

test('the archive leads from years to posts', async ({ page, request, site, writer }) => {
  const post = await site.post(writer, { title: 'To be found in the archive' });
  const year = new Date().getUTCFullYear();
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Archive' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'To be found in the archive' })).toBeVisible();
  await main.getByRole('link', { name: new RegExp(`^${year}`) }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Posts of ${year}` })).toBeVisible();
  await page.getByRole('link', { name: 'To be found in the archive' }).click();
  await expect(page).toHaveURL(`/post/${post.id}`);
  for (const path of ['/archive/1999', `/archive/${year}/page/2`, '/archive/x']) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});
