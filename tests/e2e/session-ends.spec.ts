import { Account, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { editPost, newPost, paste, postForm } from './post-form.ts';
import { expect, type RunningSite, test, type Writer } from './site.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const endSessions = (site: RunningSite, { id }: Writer) => new Users(site.admin()).deleteSessions({ userId: id });
async function signInAgain(page: Page, { password }: Writer): Promise<void> {
  await dialog(page).getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

test('a writer whose session ends signs in again in place and publishes', async ({ writerPage, site, writer }) => {
  // An unpublished post, because the backend answers 404 for it once the session has ended.
  const post = await site.post(writer, { title: 'As it was', status: 'inactive' });
  const form = await editPost(writerPage, post.id);
  await endSessions(site, writer);
  await form.title.fill('As it became');
  await form.content.click();
  const boat = `data:image/png;base64,${(await picture(40, 30)).toString('base64')}`;
  await paste(form.content, { 'text/html': `<p><img src="${boat}" alt="A boat"></p>` });
  const again = writerPage.getByRole('button', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  await form.submit.click();
  await expect(dialog(writerPage)).toContainText(`${writer.name} (${writer.email})`);
  await expect(dialog(writerPage).getByLabel('Email')).toHaveValue(writer.email);
  await expect(dialog(writerPage).getByLabel('Password')).toBeFocused();
  await dialog(writerPage).getByRole('button', { name: 'Not now' }).click();
  await form.says(/no longer signed in/);
  await expect(form.title).toHaveValue('As it became');
  await again.click();
  await signInAgain(writerPage, { ...writer, password: 'Wrong-horse-1' });
  await expect(dialog(writerPage).getByRole('alert')).toHaveText('Invalid email or password.');
  await signInAgain(writerPage, writer);
  await expect(dialog(writerPage)).toBeHidden();
  await form.publish(post.id);
  await expect(writerPage.getByRole('img', { name: 'A boat' })).toBeVisible();
  expect((await site.stored(post.id)).title).toBe('As it became');
});

test('another user who signs in there gets neither the words nor the post', async ({ writerPage, site, writer }) => {
  const other = await site.writer('Another Writer');
  const title = `Whose words ${writer.id}`;
  const form = await newPost(writerPage, { title, text: 'Ada’s own.', image: true });
  await endSessions(site, writer);
  await form.submit.click();
  await dialog(writerPage).getByLabel('Email').fill(other.email);
  await signInAgain(writerPage, other);
  await expect(dialog(writerPage).getByRole('alert')).toContainText('This text was started with another account');
  const theirs = await writerPage.context().newPage();
  await expect((await newPost(theirs)).content).toBeVisible();
  await expect(postForm(theirs).offer).toHaveCount(0);
  await theirs.close();
  await dialog(writerPage).getByLabel('Email').fill(writer.email);
  await signInAgain(writerPage, writer);
  await writerPage.waitForURL(/\/post\/whose-words/);
  const [, slug = ''] = /\/post\/(.+)$/.exec(writerPage.url()) ?? [];
  expect(await site.stored(slug)).toMatchObject({ title, userId: writer.id });
});

test('a sign-out in another tab is reported at once', async ({ writerPage, writer, site }) => {
  const form = await newPost(writerPage, { title: `Two tabs ${writer.id}`, text: 'Still here.' });
  const second = await writerPage.context().newPage();
  await second.goto('/');
  await second.getByRole('button', { name: 'Logout' }).click();
  await form.says(/no longer signed in/);
  await writerPage.getByRole('button', { name: 'Sign in again' }).click();
  await signInAgain(writerPage, writer);
  await expect(dialog(writerPage)).toBeHidden();
  await expect(form.alert.filter({ hasText: /no longer signed in/ })).toHaveCount(0);
  await expect(form.content).toContainText('Still here.');
  // If browsers reach Appwrite directly, the SDK may keep the session in local storage, with no cookie to check.
  if (site.access === 'direct') return;
  const [cookie] = (await writerPage.context().cookies()).filter(({ name }) => name.startsWith('a_session'));
  const client = site.as({ ...writer, session: cookie?.value ?? '' });
  expect((await new Account(client).get()).$id).toBe(writer.id);
});
