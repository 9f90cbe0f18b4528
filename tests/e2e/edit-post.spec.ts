import type { Route } from 'playwright/test';
import { picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, signIn, test } from './site.ts';

test('the form comes filled, the slug locked, and an update shows at once', async ({
  writerPage,
  page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'Before', content: '<p>Old <strong>words</strong>.</p>' });
  await writerPage.goto(`/edit-post/${post.id}`);
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue('Before');
  await expect(form.slug).toHaveValue(post.id);
  expect(await form.slug.isEditable()).toBe(false);
  await expect(
    writerPage.getByText('Slug is generated when the post is created and can’t be changed later.'),
  ).toBeVisible();
  await expect(form.content.locator('strong')).toHaveText('words');
  await expect(writerPage.getByRole('button', { name: 'Update', exact: true })).toBeVisible();
  await form.title.fill('After');
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  await page.goto(`/post/${post.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('After');
  expect(await site.fileExists(post.featuredImage)).toBe(true);
});

test('a new picture replaces the old one, whose file is gone', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer);
  await writerPage.goto(`/edit-post/${post.id}`);
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue(post.title);
  await form.chooseImage('new.png', await picture(600, 400, '#803030'));
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  expect(await site.fileExists(post.featuredImage)).toBe(false);
  const image = writerPage.getByRole('main').locator('img').first();
  await expect(image).toBeVisible();
  expect(await image.getAttribute('src')).not.toContain(post.featuredImage);
});

test('when the update fails the old picture stays and the new one is removed', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer);
  await writerPage.goto(`/edit-post/${post.id}`);
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue(post.title);
  const uploaded = writerPage.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().includes('/files'),
  );
  await writerPage.route('**/documents/**', (route) =>
    route.request().method() === 'PATCH' || route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { message: 'No.', code: 500, type: 'general_unknown', version: '1.9.6' } })
      : route.continue(),
  );
  await form.chooseImage('new.png', await picture(600, 400, '#803030'));
  await form.submit.click();
  await expect(form.alert.filter({ hasText: 'No.' })).toBeVisible();
  const { $id } = await (await uploaded).json();
  expect(await site.fileExists(post.featuredImage)).toBe(true);
  await expect.poll(() => site.fileExists($id)).toBe(false);
});

test('a post that does not exist says "Post not found." and goes home; an address without a slug does at once', async ({
  writerPage,
  site,
}) => {
  await writerPage.clock.install();
  await writerPage.goto('/edit-post/no-such-post');
  await writerPage.clock.runFor(1000);
  await expect(writerPage.getByText('Post not found.')).toBeVisible();
  await writerPage.clock.runFor(5000);
  await writerPage.waitForURL(`${site.url}/`);
  await writerPage.goto('/edit-post/-no-slug-');
  await writerPage.clock.runFor(1000);
  await writerPage.waitForURL(`${site.url}/`);
});

test('a post on its way says "Loading...", one that cannot be fetched why, and Retry fetches it', async ({
  writerPage,
  site,
  writer,
}) => {
  const post = await site.post(writer);
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const refuse = (route: Route) =>
    held.then(() => route.fulfill({ status: 500, json: { message: '', code: 500, type: 'general_unknown' } }));
  await writerPage.route(`**/documents/${post.id}`, refuse);
  await writerPage.goto(`/edit-post/${post.id}`);
  await expect(writerPage.getByRole('main').getByText('Preparing your blog experience')).toBeHidden();
  await expect(writerPage.getByRole('main').getByText('Loading...')).toBeVisible();
  answer();
  await expect(writerPage.getByRole('heading', { name: 'Error: Failed to fetch post' })).toBeVisible();
  await writerPage.unroute(`**/documents/${post.id}`, refuse);
  await writerPage.getByRole('button', { name: 'Retry' }).click();
  await expect(postForm(writerPage).title).toHaveValue(post.title);
});

test('somebody else cannot edit: no form to submit, and the SDK call is refused', async ({
  browser,
  site,
  writer,
  writerPage,
}) => {
  const post = await site.post(writer);
  const stranger = await site.writer('A Stranger');
  const context = await browser.newContext({ baseURL: site.url });
  const page = await signIn(context, site, stranger);
  await page.goto(`/post/${post.id}`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('button', { name: 'Delete' })).toHaveCount(0);
  const document = `${site.backend}/databases/blog/collections/articles/documents/${post.id}`;
  const refused = await page.evaluate(async (address) => {
    const response = await fetch(address, {
      method: 'PATCH',
      headers: { 'X-Appwrite-Project': 'common-ink', 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'Mine now' } }),
    });
    return response.status;
  }, document);
  expect(refused).toBe(401);
  await context.close();
  await writerPage.goto(`/post/${post.id}`);
  await expect(writerPage.getByRole('main').getByRole('link', { name: 'Edit' })).toBeVisible();
});
