import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

test('only its author reads an inactive post and publishes it', async ({ writerPage, page, site, writer, open }) => {
  const post = await site.post(writer, { title: 'Not yet', content: '<p>A secret draft.</p>', status: 'inactive' });
  // Pauses the clock, because a page that finds no post redirects to the home page after a while.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const response = await page.goto(`/post/${post.id}`);
  expect(response?.status()).toBe(404);
  expect(await page.content()).not.toContain('A secret draft.');
  expect((await page.request.get(site.view(post.featuredImage))).status()).toBe(404);
  const stranger = await open({ as: await site.writer('A Stranger'), path: '/all-posts' });
  await expect(stranger.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(stranger.getByText('Not yet')).toHaveCount(0);
  await stranger.clock.install();
  await stranger.clock.pauseAt(Date.now() + 60_000);
  await stranger.goto(`/post/${post.id}`);
  await expect(stranger.getByText('Post not found')).toBeVisible();
  await writerPage.goto(`/post/${post.id}`);
  await expect(writerPage.getByText('Not published')).toBeVisible();
  await expect(writerPage.getByText('A secret draft.')).toBeVisible();
  await writerPage.getByRole('main').getByRole('link', { name: 'Edit' }).click();
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue('Not yet');
  await expect(form.status).toHaveValue('inactive');
  await form.status.selectOption('active');
  await form.publish(post.id);
  expect(await site.text(`/post/${post.id}`)).toContain('A secret draft.');
});

test('the site hides a picture that the author’s browser could not', async ({ writerPage, page, site, writer }) => {
  const post = await site.post(writer, { title: 'Half taken back' });
  expect((await page.request.get(site.view(post.featuredImage))).status()).toBe(200);
  await writerPage.route('**/storage/buckets/media/files/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await writerPage.goto('/all-posts');
  const listed = writerPage.getByRole('listitem').filter({ hasText: 'Half taken back' });
  await listed.getByRole('button', { name: 'Deactivate' }).click();
  await expect(writerPage.getByText('“Half taken back” is no longer published.')).toBeAttached();
  await expect.poll(async () => (await page.request.get(site.view(post.featuredImage))).status()).toBe(404);
  expect((await writerPage.request.get(site.view(post.featuredImage))).status()).toBe(200);
});
