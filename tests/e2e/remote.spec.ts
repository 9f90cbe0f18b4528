import { Storage } from 'node-appwrite';
import { newPassword } from './members.ts';
import { editPost, inLine, stayInLine } from './post-form.ts';
import { expect, ownSite, withShared } from './site.ts';

const test = withShared('own', (access) => ownSite({ access }));
test.describe.configure({ mode: 'default' });

test('the remote refuses a password of six characters, in the product’s words', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Email', { exact: true }).fill('short@example.com');
  await newPassword(page, 'Short Sample', 'Create Account', 'Aa1!xy');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password format.' })).toBeVisible();
});

test('pictures that the remote refuses to transform are shown as they were stored', async ({
  open,
  access,
  own: site,
}) => {
  const writer = await site.writer();
  const post = await site.post(writer, { title: 'As it was stored' });
  const page = await open({ at: site });
  const bucket = { bucketId: 'media', name: 'Media', permissions: ['create("users")'], fileSecurity: true };
  await new Storage(site.admin()).updateBucket({ ...bucket, transformations: false });
  const refused: number[] = [];
  page.on('response', (response) => response.url().includes('/preview') && refused.push(response.status()));
  for (const path of [`/post/${post.id}`, '/']) {
    await page.goto(path);
    const image = page.getByRole('main').locator('img').first();
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
    expect(await image.evaluate((shown: HTMLImageElement) => shown.currentSrc)).toContain('/view?');
  }
  // The browser does not reveal the status of a request that another origin refused.
  expect(new Set(refused)).toEqual(new Set(access === 'direct' ? [] : [403]));
});

test('a form’s words wait in line while the remote is stopped, and readers notice nothing', async ({
  open,
  own: site,
}) => {
  const writer = await site.writer();
  const post = await site.post(writer, { title: 'Kept for readers' });
  expect(await site.status(`/post/${post.id}`)).toBe(200);
  const page = await open({ as: writer, at: site });
  await stayInLine(page);
  const form = await editPost(page, post.id);
  await form.title.fill('Kept for writers');
  await site.remote?.stop();
  await form.submit.click();
  await expect(inLine(page)).toBeVisible();
  expect(await site.text(`/post/${post.id}`)).toContain('Kept for readers');
  await site.remote?.start();
  await page.getByRole('link', { name: 'Read the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kept for writers');
});

test('changes past the site reach its pages without a webhook', async ({ own: site }) => {
  const writer = await site.writer();
  const post = await site.post(writer, { title: 'Before the change' });
  expect(await site.text(`/post/${post.id}`)).toContain('Before the change');
  // After receiving a webhook, the site does not poll for changes for a while. A restart makes it poll again.
  await site.stop();
  await site.start();
  await site.update(post.id, { title: 'Changed past the site' });
  await expect.poll(() => site.text(`/post/${post.id}`)).toContain('Changed past the site');
  await site.update(post.id, { status: 'inactive' });
  await expect.poll(() => site.status(`/post/${post.id}`)).toBe(404);
});

test('a refused key is logged, and pages without names are not stored', async ({ own: site }) => {
  await site.stop();
  site.environment.APPWRITE_API_KEY = `standard_${'0123456789abcdef'.repeat(4)}`;
  await site.start();
  await expect.poll(() => site.said).toMatch(/refuses APPWRITE_API_KEY .*Create a server key with users\.read/);
  const post = await site.post(await site.writer(), { title: 'Whose is it?' });
  for (const path of ['/', '/', `/post/${post.id}`, `/post/${post.id}`]) {
    const answer = await fetch(site.url + path);
    expect(await answer.text()).toContain('Whose is it?');
    expect([answer.status, answer.headers.get('x-page')]).toEqual([200, expect.stringMatching(/^rendered/)]);
  }
});
