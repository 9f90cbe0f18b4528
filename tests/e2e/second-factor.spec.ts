import { readFile } from 'node:fs/promises';
import { App } from 'embedded-appwrite/testing';
import { Account, AuthenticatorType, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { loadAxe, violationsOn } from './axe.ts';
import { guestPage, newPassword, openAs } from './members.ts';
import { postForm } from './post-form.ts';
import { expect, type RunningSite, test, type Writer } from './site.ts';

async function login(page: Page, { email, password }: Writer): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

test('a second factor is switched on, asked for, lost, replaced by a recovery code and switched off', async ({
  browser,
  site,
  writer,
  writerPage: page,
}) => {
  test.slow();
  await page.goto('/account');
  const part = page.getByRole('region', { name: 'Second factor' });
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  await part.getByRole('button', { name: 'Switch on' }).click();
  await expect(part.getByRole('img', { name: 'The key as a QR code' })).toBeVisible();
  const app = new App(await part.getByLabel('Key', { exact: true }).inputValue(), 0);
  await part.getByLabel('Code', { exact: true }).fill('000000');
  await part.getByRole('button', { name: 'Confirm' }).click();
  await expect(part.getByText('That code isn’t right.')).toBeVisible();
  await part.getByLabel('Code', { exact: true }).fill(await app.code());
  await part.getByRole('button', { name: 'Confirm' }).click();
  await expect(part.getByText('The second factor is on.')).toBeVisible();
  const codes = await part.getByRole('listitem').allTextContents();
  expect(codes.length).toBeGreaterThanOrEqual(6);
  await loadAxe(page);
  expect(await violationsOn(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    part.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('recovery-codes.txt');
  const [title, ...lines] = (await readFile(await download.path(), 'utf8')).split('\n');
  expect(title).toBe(`Recovery codes for ${new URL(site.url).host}. Each code works once.`);
  expect(lines).toEqual(['', ...codes, '']);
  await part.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(part.getByText(codes[0] ?? '')).toHaveCount(0);
  await page.reload();
  await expect(part.getByText('The second factor is on.')).toBeVisible();

  const other = await (await browser.newContext({ baseURL: site.url })).newPage();
  await login(other, writer);
  await expect(other.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(other.getByLabel('Code', { exact: true })).toBeFocused();
  await expect(other.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveCount(0);
  await loadAxe(other);
  expect(await violationsOn(other)).toEqual([]);
  await other.getByRole('button', { name: 'Use a recovery code instead' }).click();
  expect(await violationsOn(other)).toEqual([]);
  await other.getByRole('button', { name: 'Use the app instead' }).click();
  // A session that still owes its second factor counts as a guest.
  expect((await other.request.post(`${site.url}/api/revalidate`, { data: { author: true } })).status()).toBe(401);
  await other.getByLabel('Code', { exact: true }).fill('000000');
  await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('alert')).toContainText('That code isn’t right.');
  // Returning to the page starts again at the password.
  await login(other, writer);
  await other.getByLabel('Code', { exact: true }).fill(await app.code());
  await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();

  for (const [code, works] of [
    [codes[0], true],
    [codes[0], false],
  ] as const) {
    const lost = await (await browser.newContext({ baseURL: site.url })).newPage();
    await login(lost, writer);
    await lost.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await lost.getByLabel('Recovery code', { exact: true }).fill(code ?? '');
    await lost.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    if (works) await expect(lost.getByRole('button', { name: 'Logout' })).toBeVisible();
    else await expect(lost.getByRole('alert')).toContainText('was already used');
    await lost.context().close();
  }

  await part.getByRole('button', { name: 'Switch off' }).click();
  await part.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
  await part.getByRole('button', { name: 'Confirm' }).click();
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  expect((await new Users(site.admin()).get({ userId: writer.id })).mfa).toBe(false);
  const plain = await (await browser.newContext({ baseURL: site.url })).newPage();
  await login(plain, writer);
  await plain.waitForURL(`${site.url}/`);

  // Switches it on again from a session without a challenge, with recovery codes left from before.
  await plain.goto('/account');
  const again = plain.getByRole('region', { name: 'Second factor' });
  await again.getByRole('button', { name: 'Switch on' }).click();
  const second = new App(await again.getByLabel('Key', { exact: true }).inputValue(), 0);
  await again.getByLabel('Code', { exact: true }).fill(await second.code());
  await again.getByRole('button', { name: 'Confirm' }).click();
  await expect(again.getByText('The second factor is on.')).toBeVisible();
  const fresh = await again.getByRole('listitem').allTextContents();
  expect(fresh.some((code) => codes.includes(code))).toBe(false);
});

async function appOf(site: RunningSite, writer: Writer): Promise<App> {
  const account = new Account(site.as(writer));
  const type = AuthenticatorType.Totp;
  const app = new App((await account.createMFAAuthenticator({ type })).secret, 0);
  await account.updateMFAAuthenticator({ type, otp: app.now() });
  await account.updateMFA({ mfa: true });
  return app;
}

test('a one-time link asks somebody with a second factor for a code, then for a new password', async ({
  browser,
  site,
}) => {
  test.slow();
  const writer = await site.writer();
  const app = await appOf(site, writer);
  const users = new Users(site.admin());
  const link = async () => `/welcome#${writer.id}.${(await users.createToken({ userId: writer.id })).secret}`;
  const page = await guestPage(browser, site);
  await page.goto(await link());
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.goto('/login');
  await page.goto(await link());
  await page.getByLabel('Code', { exact: true }).fill(await app.code());
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await newPassword(page);
  await page.waitForURL(/\/login$/);
  await login(page, writer);
  await page.getByLabel('Code', { exact: true }).fill(await app.code());
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/$/);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('a writer with a second factor, whose session ends meanwhile, signs in again from the form and publishes', async ({
  site,
  writer,
  writerPage: page,
}) => {
  test.slow();
  const app = await appOf(site, writer);
  await page.goto('/add-post');
  const form = postForm(page);
  await form.title.fill(`Two steps ${writer.id}`);
  await form.write('Every word of it.');
  await form.chooseImage();
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  await form.submit.click();

  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(writer.password);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused();
  await loadAxe(page);
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('That code isn’t right.');
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(writer.password);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Code', { exact: true }).fill(await app.code());
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await form.submit.click();
  await page.waitForURL(/\/post\/two-steps/);
  await expect(page.getByText('Every word of it.')).toBeVisible();
});

test('a second factor whose authenticator the operator took away is off, and can be switched on again', async ({
  browser,
  site,
}) => {
  const writer = await site.writer();
  await appOf(site, writer);
  await new Users(site.admin()).deleteMFAAuthenticator({ userId: writer.id, type: AuthenticatorType.Totp });
  const page = await openAs(browser, site, writer, '/account');
  const part = page.getByRole('region', { name: 'Second factor' });
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  await expect(part.getByRole('button', { name: 'Switch on' })).toBeVisible();
});
