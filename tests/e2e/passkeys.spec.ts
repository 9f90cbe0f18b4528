import { App, linkOf } from 'embedded-appwrite/testing';
import { ID, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { violationsOn } from './axe.ts';
import { logIn, ownMailSite, signedIn } from './members.ts';
import { passkeyDevice, withoutSuggestions } from './passkey-device.ts';
import { newPost } from './post-form.ts';
import { expect, ownSite, withShared } from './site.ts';

/** A site on localhost, because browsers do not create passkeys for IP addresses. */
const onLocalhost = withShared('local', (access) =>
  ownSite({ access, host: 'localhost', environment: { TRUSTED_PROXIES: 'loopback' } }),
);
let serial = 0;
/** Gives each test its own network, because a network may use passkeys only 60 times in ten minutes. */
const test = onLocalhost.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern.
  extraHTTPHeaders: async ({}, use) => {
    serial += 1;
    await use({ 'X-Forwarded-For': `192.0.2.${serial}` });
  },
});
// Runs the tests in a single worker, so that the site is created only once.
test.describe.configure({ mode: 'default' });

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const passkeys = (page: Page) => part(page, 'Passkeys');
const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys(page).getByRole('status')).toHaveText(`“${name}” was added.`);
}

/** Logs out on /account, which redirects to /login. */
async function logOut(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/login$/);
}

test('a passkey is added, signs in, is renamed and removed', async ({ open, local }) => {
  test.slow();
  const page = await open({ as: await local.writer(), at: local, path: '/account' });
  await passkeyDevice(page);
  await withoutSuggestions(page);
  await expect(passkeys(page)).toContainText('You don’t have a passkey yet.');
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name', { exact: true })).not.toHaveValue('');
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await addPasskey(page, 'Laptop');
  await expect(passkeys(page).getByRole('listitem')).toContainText('never used');
  expect(await violationsOn(page)).toEqual([]);

  await logOut(page);
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('autocomplete', 'username webauthn');
  expect(await violationsOn(page)).toEqual([]);
  await byPasskey(page);
  await signedIn(page);
  await page.goto('/account');
  await expect(passkeys(page).getByRole('listitem')).toContainText('last used on');
  await passkeys(page).getByRole('button', { name: 'Rename Laptop' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Name is required');
  await dialog.getByLabel('Name', { exact: true }).fill('Desk');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(passkeys(page).getByRole('status')).toHaveText('The passkey is now called “Desk”.');
  await passkeys(page).getByRole('button', { name: 'Remove Desk' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(passkeys(page)).toContainText('You don’t have a passkey yet.');

  await logOut(page);
  await byPasskey(page);
  await expect(page.getByRole('alert')).toContainText('This passkey doesn’t work here.');
});

test('the e-mail field suggests a passkey', async ({ open, local }) => {
  const page = await open({ as: await local.writer(), at: local });
  await passkeyDevice(page);
  await addPasskey(page, 'Laptop');
  // After the logout, the simulated device accepts the suggested passkey at once.
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${local.url}/`);
  await signedIn(page);
});

test('each of two devices has its passkey, and one removes the other’s', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const [first, second] = [await open({ as: writer, at: local }), await open({ at: local })];
  for (const page of [first, second]) {
    await passkeyDevice(page);
    await withoutSuggestions(page);
  }
  await addPasskey(first, 'Phone');
  await logIn(second, writer);
  await signedIn(second);
  await addPasskey(second, 'Laptop');
  await expect(passkeys(second).getByRole('listitem')).toHaveCount(2);
  await passkeys(second).getByRole('button', { name: 'Remove Phone' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(passkeys(second).getByRole('listitem')).toHaveCount(1);
  // Logging out on one device ends the sessions on both.
  await logOut(first);
  for (const page of [first, second]) {
    await page.goto('/login');
    await byPasskey(page);
  }
  await expect(first.getByRole('alert')).toContainText('This passkey doesn’t work here.');
  await signedIn(second);
});

test('a passkey from the sign-up still signs in once the address is verified', async ({ access, open }) => {
  await using mailing = await ownMailSite({ access, host: 'localhost' });
  const { site, mail } = mailing;
  const page = await open({ at: site, path: '/signup' });
  await passkeyDevice(page);
  await withoutSuggestions(page);
  const email = `${ID.unique()}@example.com`;
  await page.getByLabel('Full name', { exact: true }).fill('Ida Keyless');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Sign up with a passkey instead of a password' }).click();
  await page.waitForURL(`${site.url}/`);
  await page.goto('/account');
  await part(page, 'Email').getByRole('button', { name: 'Verify this address' }).click();
  await page.goto(linkOf((await mail.mailTo(email)).email).href);
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  const reloaded = page.waitForEvent('load');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await reloaded;
  await page.goto('/login');
  await byPasskey(page);
  await signedIn(page);
});

test('an account without a password is made, gets one, and loses it', async ({ open, local }) => {
  test.slow();
  const page = await open({ at: local, path: '/signup' });
  await passkeyDevice(page);
  await withoutSuggestions(page);
  const signUp = page.getByRole('button', { name: 'Sign up with a passkey instead of a password' });
  await signUp.click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toHaveCount(0);
  const email = `${ID.unique()}@example.com`;
  await page.getByLabel('Full name', { exact: true }).fill('Ida Keyless');
  await page.getByLabel('Email', { exact: true }).fill(email);
  expect(await violationsOn(page)).toEqual([]);
  await signUp.click();
  await page.waitForURL(`${local.url}/`);
  await page.goto('/account');
  await expect(part(page, 'Password')).toContainText('You have none');
  expect(await violationsOn(page)).toEqual([]);
  await passkeys(page)
    .getByRole('button', { name: /^Remove / })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Set a password or add another passkey first.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const password = 'Another-horse-2';
  await part(page, 'Password').getByLabel('New password', { exact: true }).fill(password);
  await part(page, 'Password').getByLabel('Confirm the new password').fill(password);
  await page.getByRole('button', { name: 'Set a password' }).click();
  await expect(page.getByText('Your password was set.')).toBeVisible();
  const other = await open({ at: local });
  await logIn(other, { email }, password);
  await signedIn(other);

  await part(page, 'Password').getByRole('button', { name: 'Remove password' }).click();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove password' }).click();
  await expect(page.getByText('Your password was removed.')).toBeVisible();
  await expect(part(page, 'Password')).toContainText('You have none');
  await other.goto('/account');
  await other.waitForURL(/\/login$/);
  await logIn(other, { email }, password);
  await expect(other.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
});

test('a passkey alone is the second factor, and a recovery code helps where it is lost', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const page = await open({ as: writer, at: local });
  await passkeyDevice(page);
  await withoutSuggestions(page);
  await addPasskey(page, 'Laptop');
  const factor = part(page, 'Second factor');
  await factor.getByRole('button', { name: 'Switch on with a passkey' }).click();
  await expect(factor.getByRole('status').first()).toContainText(
    'If you sign in with a passkey, you don’t need a code.',
  );
  const codes = await factor.getByRole('listitem').allTextContents();
  expect(codes.length).toBeGreaterThanOrEqual(6);
  await logOut(page);
  await byPasskey(page);
  await signedIn(page);

  const lost = await open({ at: local });
  await logIn(lost, writer);
  await lost.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await lost.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '');
  await lost.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await signedIn(lost);
  expect((await new Users(local.admin()).get({ userId: writer.id })).mfa).toBe(true);
});

test('a passkey gives the code of an authenticator app', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const page = await open({ as: writer, at: local });
  await passkeyDevice(page);
  await withoutSuggestions(page);
  await addPasskey(page, 'Laptop');
  const factor = part(page, 'Second factor');
  await factor.getByRole('button', { name: 'Switch on', exact: true }).click();
  const app = new App(await factor.getByLabel('Key', { exact: true }).inputValue(), 0);
  await factor.getByLabel('Code', { exact: true }).fill(await app.code());
  await factor.getByRole('button', { name: 'Confirm' }).click();
  await expect(factor.getByRole('status').first()).toContainText(
    'If you sign in with a passkey, you don’t need a code.',
  );
  await logOut(page);
  await logIn(page, writer);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await signedIn(page);

  await page.goto('/account');
  await factor.getByRole('button', { name: 'Switch off' }).click();
  expect(await violationsOn(page)).toEqual([]);
  // For a passkey, the server provides a code. Each code works only once, so this may have to wait for the next one.
  await expect(async () => {
    const use = factor.getByRole('button', { name: 'Use a passkey' });
    // A previous attempt may have removed the button.
    if (await use.isVisible()) await use.click({ timeout: 60_000 });
    await expect(factor.getByText('The second factor is off.')).toBeVisible({ timeout: 3000 });
  }).toPass();
});

test('a passkey confirms a change of address and the deletion of the account', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const page = await open({ as: writer, at: local });
  await passkeyDevice(page);
  await addPasskey(page, 'Laptop');
  const email = part(page, 'Email');
  await email.getByLabel('New email').fill(`new-${writer.email}`);
  await email.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(email.getByLabel('Current password')).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);
  await email.getByRole('button', { name: 'Change email' }).click();
  await expect(email.getByRole('status').first()).toContainText(`You’ll sign in as new-${writer.email}`);
  await expect(email).toContainText(`new-${writer.email}. You sign in with it.`);

  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(`${local.url}/`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  const found = new Users(local.admin()).get({ userId: writer.id });
  await expect(found).rejects.toMatchObject({ code: 404 });
});

test('refused passkeys are told in words', async ({ open, local }) => {
  test.slow();
  const page = await open({ as: await local.writer(), at: local });
  const device = await passkeyDevice(page);
  await withoutSuggestions(page);
  await addPasskey(page, 'Laptop');
  await logOut(page);
  // Gives the browser the same challenge twice, so that the second sign-in fails.
  let first: string | undefined;
  await page.route('**/api/passkeys/options', async (route) => {
    first ??= await (await route.fetch()).text();
    await route.fulfill({ contentType: 'application/json', body: first });
  });
  await byPasskey(page);
  await signedIn(page);
  await logOut(page);
  await byPasskey(page);
  await expect(page.getByRole('alert')).toContainText('That took too long.');
  await page.unroute('**/api/passkeys/options');
  await device.resetCounters();
  await byPasskey(page);
  await expect(page.getByRole('alert')).toContainText('A copy of this passkey was used');
  await device.refuse();
  await byPasskey(page);
  await expect(page.getByRole('alert')).toContainText('No passkey was used.');
});

test('a passkey is offered after a sign-in with a password until that is refused', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const page = await open({ at: local });
  await passkeyDevice(page);
  const offer = page.getByRole('complementary', { name: 'Sign in without your password' });
  await logIn(page, writer);
  await page.waitForURL(`${local.url}/`);
  await expect(offer).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.reload();
  await signedIn(page);
  await expect(offer).toHaveCount(0);
  await logOut(page);
  await logIn(page, writer);
  await offer.getByRole('button', { name: 'Don’t ask again' }).click();
  await expect(offer).toHaveCount(0);
  await logOut(page);
  await logIn(page, writer);
  await page.waitForURL(`${local.url}/`);
  await signedIn(page);
  await expect(offer).toHaveCount(0);

  await page.route('**/api/passkeys', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), isAsked: true } });
  });
  await page.goto('/account');
  await expect(passkeys(page)).toContainText('The site’s owner asks you to add a passkey');
});

test('a writer whose session has ended signs in from the form with a passkey', async ({ open, local }) => {
  test.slow();
  const writer = await local.writer();
  const page = await open({ as: writer, at: local });
  await passkeyDevice(page);
  await addPasskey(page, 'Laptop');
  const form = await newPost(page, { title: `By passkey ${writer.id}`, text: 'Every word of it.', image: true });
  await new Users(local.admin()).deleteSessions({ userId: writer.id });
  await form.submit.click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  // After the sign-in, the form continues its submission.
  await page.waitForURL(/\/post\/by-passkey/);
  await expect(page.getByText('Every word of it.')).toBeVisible();
});

test('no passkey is offered on an address that can have none', async ({ page, writerPage }) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /passkey/ })).toHaveCount(0);
  await writerPage.goto('/account');
  await expect(part(writerPage, 'Second factor').getByRole('button', { name: 'Switch on' })).toBeVisible();
  await expect(passkeys(writerPage)).toHaveCount(0);
});
