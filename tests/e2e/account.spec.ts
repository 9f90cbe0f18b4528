import type { Page } from 'playwright/test';
import { loadAxe, violationsOn } from './axe.ts';
import { expect, PASSWORD, signIn, test } from './site.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name });
const field = (page: Page, region: string, label: string) => part(page, region).getByLabel(label, { exact: true });

test('a guest is sent to sign in', async ({ page }) => {
  await page.goto('/account');
  await page.waitForURL(/\/login$/);
});

test('a changed name stands on the post, home, the author’s page and in the feeds at once', async ({
  site,
  writer,
  writerPage: page,
}) => {
  const post = await site.post(writer);
  const pages = [`/post/${post.id}`, '/', `/author/${writer.id}`, '/feed.xml', '/atom.xml', '/feed.json'];
  const textOf = async (path: string) => (await fetch(site.url + path)).text();
  for (const path of pages) expect(await textOf(path), path).toContain('Ada Sample');

  await page.goto('/all-posts');
  await page.getByRole('banner').getByRole('link', { name: 'Account' }).click();
  await expect(field(page, 'Name', 'Name')).toHaveValue('Ada Sample');
  await field(page, 'Name', 'Name').fill('  Ada <b>Renamed</b> ');
  await part(page, 'Name').getByRole('button', { name: 'Save name' }).click();
  await expect(part(page, 'Name').getByRole('status')).toHaveText('Your name was changed.');
  for (const path of pages.slice(0, 3)) expect(await textOf(path), path).toContain('Ada Renamed');
  for (const path of pages) {
    await expect.poll(() => textOf(path), path).toContain('Ada Renamed');
    expect(await textOf(path), path).not.toContain('Ada Sample');
  }
});

for (const { name, expected } of [
  { name: '   ', expected: 'Name is required' },
  { name: 'x'.repeat(81), expected: 'Name too long' },
]) {
  test(`a name of ${name.length} characters that cannot be one is refused in words`, async ({ writerPage: page }) => {
    await page.goto('/account');
    await field(page, 'Name', 'Name').fill(name);
    await part(page, 'Name').getByRole('button', { name: 'Save name' }).click();
    await expect(part(page, 'Name').getByText(expected, { exact: true })).toBeVisible();
    await expect(field(page, 'Name', 'Name')).toBeFocused();
  });
}

test('a new address takes the password, and is what the writer signs in with', async ({
  page: other,
  writer,
  writerPage: page,
}) => {
  await page.goto('/account');
  const fresh = `new-${writer.email}`;
  const change = part(page, 'Email').getByRole('button', { name: 'Change email' });
  await field(page, 'Email', 'New email').fill(fresh.toUpperCase());
  await field(page, 'Email', 'Current password').fill('Wrong-password-1');
  await change.click();
  await expect(part(page, 'Email').getByRole('alert')).toHaveText('The current password is not right.');
  await expect(field(page, 'Email', 'New email')).toHaveValue(fresh.toUpperCase());

  await field(page, 'Email', 'Current password').fill(PASSWORD);
  await change.click();
  await expect(part(page, 'Email').getByRole('status')).toHaveText(`You sign in as ${fresh} from now on.`);
  await expect(part(page, 'Email')).toContainText(`${fresh}. You sign in with it.`);

  await other.goto('/login');
  await other.getByLabel('Email', { exact: true }).fill(fresh);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('somebody else’s address is refused in words', async ({ site, writerPage: page }) => {
  const { email } = await site.writer('Somebody Else');
  await page.goto('/account');
  await field(page, 'Email', 'New email').fill(email);
  await field(page, 'Email', 'Current password').fill(PASSWORD);
  await part(page, 'Email').getByRole('button', { name: 'Change email' }).click();
  await expect(part(page, 'Email').getByRole('alert')).toHaveText(/address already/);
});

test('a new password takes the old one, and ends every other session', async ({
  browser,
  site,
  writer,
  writerPage: page,
}) => {
  const elsewhere = await browser.newContext({ baseURL: site.url });
  const other = await elsewhere.newPage();
  const logIn = async (password: string) => {
    await other.goto('/login');
    await other.getByLabel('Email', { exact: true }).fill(writer.email);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  };
  await logIn(PASSWORD);
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();

  await page.goto('/account');
  await expect(part(page, 'Where you are signed in').getByRole('listitem')).toHaveCount(2);
  const fill = async (old: string, password: string, confirm = password) => {
    await field(page, 'Password', 'Current password').fill(old);
    await field(page, 'Password', 'New password').fill(password);
    await field(page, 'Password', 'Confirm the new password').fill(confirm);
    await part(page, 'Password').getByRole('button', { name: 'Change password' }).click();
  };
  await fill(PASSWORD, 'Another-horse-2', 'Another-horse-3');
  await expect(part(page, 'Password').getByText('Passwords do not match', { exact: true })).toBeVisible();
  await fill('Wrong-password-1', 'Another-horse-2');
  await expect(part(page, 'Password').getByRole('alert')).toHaveText('The current password is not right.');
  await fill(PASSWORD, 'Another-horse-2');
  await expect(part(page, 'Password').getByRole('status')).toHaveText(/Your password was changed/);
  await expect(part(page, 'Where you are signed in').getByRole('listitem')).toHaveCount(1);

  await other.goto('/all-posts');
  await other.waitForURL(/\/login$/);
  await logIn(PASSWORD);
  await expect(other.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
  await logIn('Another-horse-2');
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
  await elsewhere.close();
});

test('a device is signed out from the list, and all others with one press', async ({
  browser,
  site,
  writer,
  writerPage: page,
}) => {
  const again = { ...writer, session: await site.session(writer) };
  const lost = await browser.newContext({ baseURL: site.url });
  const lostPage = await signIn(lost, site, again);
  for (let i = 0; i < 2; i++) await site.session(writer);

  await page.goto('/account');
  const list = part(page, 'Where you are signed in');
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expect(list.getByRole('listitem').first()).toContainText('This device');
  await expect(list.getByRole('listitem').first().getByRole('button')).toHaveCount(0);
  await list
    .getByRole('button', { name: /^Sign out (?!all)/ })
    .first()
    .click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await list.getByRole('button', { name: 'Sign out all other devices' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByRole('status')).toHaveText('All other devices are signed out.');
  await lostPage.goto('/all-posts');
  await lostPage.waitForURL(/\/login$/);
  await page.reload();
  await expect(list).toContainText('You are signed in nowhere else.');
  await lost.close();
});

test('the page is sound for assistive technology', async ({ writerPage: page }) => {
  await page.goto('/account');
  await expect(part(page, 'Where you are signed in').getByRole('listitem')).toHaveCount(1);
  await loadAxe(page);
  expect(await violationsOn(page)).toEqual([]);
});
