import { postForm } from './post-form.ts';
import { expect, signIn, test } from './site.ts';

test('an inactive post is nowhere to be read but by its author, who can edit it', async ({
  writerPage,
  page,
  site,
  writer,
  browser,
}) => {
  const post = await site.post(writer, { title: 'Not yet', content: '<p>A secret draft.</p>', status: 'inactive' });
  const response = await page.goto(`/post/${post.id}`);
  expect(response?.status()).toBe(404);
  expect(await page.content()).not.toContain('A secret draft.');
  for (const path of ['/', '/page/2'])
    expect(await (await page.request.get(path)).text(), path).not.toContain('Not yet');
  const picture = await page.request.get(site.view(post.featuredImage));
  expect(picture.status()).toBe(404);

  const context = await browser.newContext({ baseURL: site.url });
  const stranger = await signIn(context, site, await site.writer('A Stranger'));
  await stranger.goto('/all-posts');
  await expect(stranger.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(stranger.getByText('Not yet')).toHaveCount(0);
  await stranger.goto(`/post/${post.id}`);
  await expect(stranger.getByText('Post not found')).toBeVisible();
  await context.close();

  await writerPage.goto(`/post/${post.id}`);
  await expect(writerPage.getByText('Not published')).toBeVisible();
  await expect(writerPage.getByText('A secret draft.')).toBeVisible();
  await writerPage.getByRole('main').getByRole('link', { name: 'Edit' }).click();
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue('Not yet');
  await expect(form.status).toHaveValue('inactive');
  await form.status.selectOption('active');
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  const published = await page.request.get(`/post/${post.id}`);
  expect(published.status()).toBe(200);
  expect(await published.text()).toContain('A secret draft.');
});

test('a post taken back is gone for guests before the form has answered', async ({
  writerPage,
  page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'Taken back' });
  expect((await page.request.get(`/post/${post.id}`)).status()).toBe(200);
  await writerPage.goto(`/edit-post/${post.id}`);
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue('Taken back');
  await form.status.selectOption('inactive');
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  expect((await page.request.get(`/post/${post.id}`)).status()).toBe(404);
  expect(await (await page.request.get('/')).text()).not.toContain('Taken back');
  const picture = await page.request.get(site.view(post.featuredImage));
  expect(picture.status()).toBe(404);
});

test('the picture of a post taken back is gone for guests, too, when its author’s browser could not hide it', async ({
  writerPage,
  page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'Half taken back' });
  expect((await page.request.get(site.view(post.featuredImage))).status()).toBe(200);
  await writerPage.route('**/storage/buckets/media/files/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await writerPage.goto('/all-posts');
  const listed = writerPage.getByRole('listitem').filter({ hasText: 'Half taken back' });
  await listed.getByRole('button', { name: 'Deactivate' }).click();
  await expect(writerPage.getByText('“Half taken back” is no longer published.')).toBeAttached();
  expect((await page.request.get(site.view(post.featuredImage))).status()).toBe(404);
  expect((await writerPage.request.get(site.view(post.featuredImage))).status()).toBe(200);
});
