import { readFile } from 'node:fs/promises';
import { App } from 'embedded-appwrite/testing';
import { AuthenticatorType, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { violationsOn } from './axe.ts';
import { appOf, logIn, newPassword, signedIn } from './members.ts';
import { newPost } from './post-form.ts';
import { expect, test } from './site.ts';

/** Enters a code where the sign-in asks for one, and submits it. */
async function enter(page: Page, code: () => Promise<string>): Promise<void> {
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeVisible();
  await field.fill(await code());
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

test('a second factor is switched on, used and switched off', async ({ open, site, writer, writerPage: page }) => {
  test.slow();
  await page.goto('/account');
  const part = page.getByRole('region', { name: 'Second factor' });
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  await part.getByRole('button', { name: 'Switch on' }).click();
  await expect(part.getByRole('img', { name: 'The key as a QR code' })).toBeVisible();
  const app = new App(await part.getByLabel('Key', { exact: true }).inputValue(), 0);
  const confirm = async (code: string) => {
    await part.getByLabel('Code', { exact: true }).fill(code);
    await part.getByRole('button', { name: 'Confirm' }).click();
  };
  await confirm('000000');
  await expect(part.getByText('That code isn’t right.')).toBeVisible();
  await confirm(await app.code());
  await expect(part.getByText('The second factor is on.')).toBeVisible();
  const codes = await part.getByRole('listitem').allTextContents();
  expect(codes.length).toBeGreaterThanOrEqual(6);
  expect(await violationsOn(page)).toEqual([]);
  const downloads = page.waitForEvent('download');
  await part.getByRole('button', { name: 'Save as a file' }).click();
  const download = await downloads;
  expect(download.suggestedFilename()).toBe('recovery-codes.txt');
  const [title, ...lines] = (await readFile(await download.path(), 'utf8')).split('\n');
  expect(title).toBe(`Recovery codes for ${new URL(site.url).host}. Each code works once.`);
  expect(lines).toEqual(['', ...codes, '']);
  await part.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(part.getByText(codes[0] ?? '')).toHaveCount(0);
  await page.reload();
  await expect(part.getByText('The second factor is on.')).toBeVisible();

  const other = await open();
  await logIn(other, writer);
  await expect(other.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(other.getByLabel('Code', { exact: true })).toBeFocused();
  await expect(other.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveCount(0);
  expect(await violationsOn(other)).toEqual([]);
  await other.getByRole('button', { name: 'Use a recovery code instead' }).click();
  expect(await violationsOn(other)).toEqual([]);
  await other.getByRole('button', { name: 'Use the app instead' }).click();
  // A session counts as a guest's until its second factor is confirmed.
  expect((await other.request.post(`${site.url}/api/revalidate`, { data: { author: true } })).status()).toBe(401);
  await enter(other, async () => '000000');
  await expect(other.getByRole('alert')).toContainText('That code isn’t right.');
  // Opening the page again restarts the sign-in at the password.
  await other.goto('/login');
  await logIn(other, writer);
  await enter(other, () => app.code());
  await signedIn(other);

  for (const works of [true, false]) {
    const lost = await open();
    await logIn(lost, writer);
    await lost.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await lost.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '');
    await lost.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    if (works) await signedIn(lost);
    else await expect(lost.getByRole('alert')).toContainText('was already used');
  }

  await part.getByRole('button', { name: 'Switch off' }).click();
  await confirm(codes[1] ?? '');
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  expect((await new Users(site.admin()).get({ userId: writer.id })).mfa).toBe(false);
  const plain = await open();
  await logIn(plain, writer);
  await plain.waitForURL(`${site.url}/`);
  // Switches the second factor on again, in a session that was not asked for a code, while old recovery codes remain.
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

test('a one-time link asks a user with a second factor for a code, then for a new password', async ({ open, site }) => {
  test.slow();
  const writer = await site.writer();
  const app = await appOf(site, writer);
  const users = new Users(site.admin());
  const link = async () => `/welcome#${writer.id}.${(await users.createToken({ userId: writer.id })).secret}`;
  const page = await open({ path: await link() });
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.goto('/login');
  await page.goto(await link());
  await enter(page, () => app.code());
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await newPassword(page);
  await page.waitForURL(/\/login$/);
  await logIn(page, writer);
  await enter(page, () => app.code());
  await page.waitForURL(/\/$/);
  await signedIn(page);
});

test('a writer with a second factor signs in again from the form', async ({ site, writer, writerPage: page }) => {
  test.slow();
  const app = await appOf(site, writer);
  const form = await newPost(page, { title: `Two steps ${writer.id}`, text: 'Every word of it.', image: true });
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  await form.submit.click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(writer.password);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('That code isn’t right.');
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(writer.password);
  await page.keyboard.press('Enter');
  const code = dialog.getByLabel('Code', { exact: true });
  await expect(code).toBeVisible();
  await code.fill(await app.code());
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await form.publish(/\/post\/two-steps/);
  await expect(page.getByText('Every word of it.')).toBeVisible();
});

test('a second factor without its authenticator is off', async ({ open, site }) => {
  const writer = await site.writer();
  await appOf(site, writer);
  await new Users(site.admin()).deleteMFAAuthenticator({ userId: writer.id, type: AuthenticatorType.Totp });
  const page = await open({ as: writer, path: '/account' });
  const part = page.getByRole('region', { name: 'Second factor' });
  await expect(part.getByText('The second factor is off.')).toBeVisible();
  await expect(part.getByRole('button', { name: 'Switch on' })).toBeVisible();
});
