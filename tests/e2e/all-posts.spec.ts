import { expect, test } from './site.ts';

test('the list shows active posts, can be switched to one’s own inactive ones, and loads on demand', async ({
  writerPage,
  site,
  writer,
}) => {
  for (let number = 1; number <= 30; number += 1) await site.post(writer, { title: `Listed ${number}` });
  const hidden = await site.post(writer, { title: 'My own draft', status: 'inactive' });
  await writerPage.goto('/all-posts');
  const cards = writerPage.getByRole('main').locator('a[href^="/post/"]');
  await expect(writerPage.getByRole('link', { name: /Listed 30/ })).toBeVisible();
  const before = await cards.count();
  expect(before).toBeLessThan(30);
  await expect(writerPage.getByText('My own draft')).toHaveCount(0);
  await writerPage.getByRole('button', { name: /load more/i }).click();
  await expect.poll(() => cards.count()).toBeGreaterThan(before);
  await writerPage.getByText('Inactive', { exact: false }).first().click();
  await expect(writerPage.getByRole('link', { name: /My own draft/ })).toHaveAttribute('href', `/post/${hidden.id}`);
});

test('a list that cannot be fetched says why and Retry fetches it', async ({ writerPage, site, writer }) => {
  await site.post(writer, { title: 'After the fault' });
  await writerPage.route('**/collections/articles/documents?*', (route) => route.fulfill({ status: 503, body: '' }));
  await writerPage.goto('/all-posts');
  await expect(writerPage.getByText(/^Error: /)).toBeVisible();
  await writerPage.unroute('**/collections/articles/documents?*');
  await writerPage.getByRole('button', { name: 'Retry' }).click();
  await expect(writerPage.getByRole('link', { name: /After the fault/ })).toBeVisible();
});
