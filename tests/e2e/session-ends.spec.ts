import { Account, Databases, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, PASSWORD, test } from './site.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const articles = { databaseId: 'blog', collectionId: 'articles' } as const;

test('the session is removed while a post is written: sign in in place, and publishing goes on', async ({
  writerPage,
  site,
  writer,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill(`Interrupted ${writer.id}`);
  await form.write('Every word of it.');
  await form.chooseImage();
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  const boat = `data:image/png;base64,${(await picture(40, 30)).toString('base64')}`;
  await form.content.evaluate((text, src) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', `<p><img src="${src}" alt="A boat"></p>`);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, boat);
  await expect(writerPage.getByRole('button', { name: 'Sign in again' })).toBeVisible();
  await form.submit.click();

  await expect(dialog(writerPage)).toContainText(`${writer.name} (${writer.email})`);
  await expect(dialog(writerPage).getByLabel('Email')).toHaveValue(writer.email);
  await expect(dialog(writerPage).getByLabel('Password')).toBeFocused();
  await writerPage.keyboard.type('Wrong-horse-1');
  await writerPage.keyboard.press('Enter');
  await expect(dialog(writerPage).getByRole('alert')).toHaveText('Invalid email or password.');
  await dialog(writerPage).getByLabel('Password').fill(writer.password);
  await writerPage.keyboard.press('Enter');
  await writerPage.waitForURL(/\/post\/interrupted/);
  await expect(writerPage.getByText('Every word of it.')).toBeVisible();
  await expect(writerPage.getByRole('img', { name: 'A boat' })).toBeVisible();
});

test('the session is removed while an inactive post is edited; put off, the words stay and a button asks again', async ({
  writerPage,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'As it was', status: 'inactive' });
  await writerPage.goto(`/edit-post/${post.id}`);
  const form = postForm(writerPage);
  await expect(form.title).toHaveValue('As it was');
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  await form.title.fill('As it became');
  await form.submit.click();
  await dialog(writerPage).getByRole('button', { name: 'Not now' }).click();
  await expect(form.alert.filter({ hasText: /no longer signed in/ }).first()).toBeVisible();
  await expect(form.title).toHaveValue('As it became');
  await writerPage.getByRole('button', { name: 'Sign in again' }).click();
  await dialog(writerPage).getByLabel('Password').fill(writer.password);
  await dialog(writerPage).getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog(writerPage)).toBeHidden();
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  const document = await new Databases(site.admin()).getDocument({ ...articles, documentId: post.id });
  expect(document.title).toBe('As it became');
});

test('another user who signs in there gets neither the words nor the post', async ({ writerPage, site, writer }) => {
  const other = await site.writer('Another Writer');
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  const title = `Whose words ${writer.id}`;
  await form.title.fill(title);
  await form.write('Ada’s own.');
  await form.chooseImage();
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  await form.submit.click();
  await dialog(writerPage).getByLabel('Email').fill(other.email);
  await dialog(writerPage).getByLabel('Password').fill(other.password);
  await writerPage.keyboard.press('Enter');
  await expect(dialog(writerPage).getByRole('alert')).toContainText('This text was started with another account');
  const theirs = await writerPage.context().newPage();
  await theirs.goto('/add-post');
  await expect(postForm(theirs).content).toBeVisible();
  await expect(theirs.getByRole('region', { name: 'Unsaved words' })).toHaveCount(0);
  await theirs.close();

  await dialog(writerPage).getByLabel('Email').fill(writer.email);
  await dialog(writerPage).getByLabel('Password').fill(PASSWORD);
  await writerPage.keyboard.press('Enter');
  await writerPage.waitForURL(/\/post\/whose-words/);
  const [, slug = ''] = /\/post\/(.+)$/.exec(writerPage.url()) ?? [];
  const document = await new Databases(site.admin()).getDocument({ ...articles, documentId: slug });
  expect(document).toMatchObject({ title, userId: writer.id });
});

test('a sign-out in another tab is said at once, and nothing is sent as another user', async ({
  writerPage,
  writer,
  site,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill(`Two tabs ${writer.id}`);
  await form.write('Still here.');
  const second = await writerPage.context().newPage();
  await second.goto('/');
  await second.getByRole('button', { name: 'Logout' }).click();
  await expect(form.alert.filter({ hasText: /no longer signed in/ })).toBeVisible();
  await writerPage.getByRole('button', { name: 'Sign in again' }).click();
  await dialog(writerPage).getByLabel('Password').fill(writer.password);
  await writerPage.keyboard.press('Enter');
  await expect(dialog(writerPage)).toBeHidden();
  await expect(form.alert.filter({ hasText: /no longer signed in/ })).toHaveCount(0);
  await expect(form.content).toContainText('Still here.');
  // With `direct`, the SDK may keep the session instead of a cookie.
  if (site.access === 'direct') return;
  const [cookie] = (await writerPage.context().cookies()).filter(({ name }) => name.startsWith('a_session'));
  const client = site.as({ ...writer, session: cookie?.value ?? '' });
  expect((await new Account(client).get()).$id).toBe(writer.id);
});
