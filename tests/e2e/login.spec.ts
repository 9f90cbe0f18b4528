import { logIn, signedIn } from './members.ts';
import { expect, hold, refuse, sentBy, test } from './site.ts';

test.beforeEach(({ page }) => page.goto('/login'));

test('a guest who wanted to write comes to the form after signing in', async ({ page, site, writer }) => {
  await page.goto('/add-post');
  await page.waitForURL(`${site.url}/login`);
  await logIn(page, writer);
  await page.waitForURL(`${site.url}/add-post`);
  // After a deliberate logout, signing in does not return to the form.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${site.url}/login`);
  await logIn(page, writer);
  await page.waitForURL(`${site.url}/`);
  await signedIn(page);
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  // If the reader reopens the sign-in page, signing in no longer returns to the form.
  await page.goto('/add-post');
  await page.waitForURL(`${site.url}/login`);
  await page.goto('/login');
  await logIn(page, writer);
  await page.waitForURL(`${site.url}/`);
});

test('a wrong password and an unknown address get the same answer', async ({ page, writer }) => {
  const email = page.getByLabel('Email', { exact: true });
  for (const address of [writer.email, 'unknown@example.com']) {
    await logIn(page, { email: address }, 'Wrong-password-1');
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
    await expect(email).toHaveValue(address);
  }
  await refuse(page, '**/v1/account');
  await logIn(page, writer);
  const words = 'Login succeeded but user details are unavailable.';
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
});

test('the button reads "Signing in…" while it works and a second click sends nothing', async ({ page, writer }) => {
  const answer = await hold(page, '**/v1/account/sessions/email');
  const requests = sentBy(page, '/sessions/email');
  await logIn(page, writer);
  const busy = page.getByRole('button', { name: 'Signing in…' });
  await expect(busy).toBeVisible();
  await busy.click({ force: true });
  await page.getByLabel('Password', { exact: true }).press('Enter');
  answer();
  await signedIn(page);
  expect(requests).toHaveLength(1);
});
