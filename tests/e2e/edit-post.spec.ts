import { picture } from './pictures.ts';
import { editPost, postForm } from './post-form.ts';
import { expect, test } from './site.ts';

test('an update shows at once, and a new picture replaces the old', async ({ writerPage, page, site, writer }) => {
  const post = await site.post(writer, { title: 'Before', content: '<p>Old <strong>words</strong>.</p>' });
  const form = await editPost(writerPage, post.id);
  await expect(form.title).toHaveValue('Before');
  await expect(form.slug).toHaveValue(post.id);
  expect(await form.slug.isEditable()).toBe(false);
  const note = 'Slug is generated when the post is created and can’t be changed later.';
  await expect(writerPage.getByText(note)).toBeVisible();
  await expect(form.content.locator('strong')).toHaveText('words');
  await expect(form.submit).toHaveText('Update');
  await form.title.fill('After');
  await form.publish(post.id);
  await page.goto(`/post/${post.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('After');
  expect(await site.fileExists(post.featuredImage)).toBe(true);
  await editPost(writerPage, post.id);
  await form.chooseImage('new.png', await picture(600, 400, '#803030'));
  await form.publish(post.id);
  expect(await site.fileExists(post.featuredImage)).toBe(false);
  const image = writerPage.getByRole('main').locator('img').first();
  await expect(image).toBeVisible();
  expect(await image.getAttribute('src')).not.toContain(post.featuredImage);
});

test('a missing post says "Post not found." and goes home', async ({ writerPage, site }) => {
  await writerPage.clock.install();
  // Moves the page's clock by hand, because on a slow machine the page might redirect before the message is seen.
  await writerPage.clock.pauseAt(Date.now() + 60_000);
  await writerPage.goto('/edit-post/no-such-post');
  await expect(async () => {
    await writerPage.clock.runFor(100);
    await expect(writerPage.getByText('Post not found.')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await writerPage.clock.runFor(5000);
  await writerPage.clock.resume();
  await writerPage.waitForURL(`${site.url}/`);
  await writerPage.goto('/edit-post/-no-slug-');
  await writerPage.clock.runFor(1000);
  await writerPage.waitForURL(`${site.url}/`);
});

test('the form says that its post loads or failed, and Retry fetches it', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer);
  const path = `**/documents/${post.id}`;
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const json = { message: '', code: 500, type: 'general_unknown' };
  await writerPage.route(path, (route) => held.then(() => route.fulfill({ status: 500, json })));
  await writerPage.goto(`/edit-post/${post.id}`);
  await expect(writerPage.getByRole('main').getByText('Preparing your blog experience')).toBeHidden();
  await expect(writerPage.getByRole('main').getByText('Loading...')).toBeVisible();
  answer();
  await expect(writerPage.getByRole('heading', { name: 'Error: Failed to fetch post' })).toBeVisible();
  await writerPage.unroute(path);
  await writerPage.getByRole('button', { name: 'Retry' }).click();
  await expect(postForm(writerPage).title).toHaveValue(post.title);
});

test('another writer finds no way to edit, and the backend refuses it', async ({ open, site, writer, writerPage }) => {
  const post = await site.post(writer);
  const stranger = await site.writer('A Stranger');
  const page = await open({ as: stranger, path: `/post/${post.id}` });
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expect(site.update(post.id, { title: 'Mine now' }, stranger)).rejects.toMatchObject({ code: 401 });
  await writerPage.goto(`/post/${post.id}`);
  await expect(writerPage.getByRole('main').getByRole('link', { name: 'Edit' })).toBeVisible();
});
