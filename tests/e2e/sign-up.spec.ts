import type { Page } from 'playwright/test';
import { newPassword, signedIn } from './members.ts';
import { expect, hold, refuse, sentBy, test } from './site.ts';

test.beforeEach(({ page }) => page.goto('/signup'));

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('a field that is left with a fault says so', async ({ page }) => {
  for (const [name, fill, expected] of [
    ['Full name', '<b></b>', 'Name is required'],
    ['Email', 'nobody', 'Enter a valid email'],
    ['Password', 'lower-case-1', 'Add at least one uppercase letter'],
    ['Confirm password', '', 'Please confirm your password'],
  ] as const) {
    await field(page, name).fill(fill);
    await field(page, name).blur();
    await expect(page.getByText(expected, { exact: true })).toBeVisible();
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true');
  }
});

test('submitting an empty form sends nothing and takes the writer to the first fault', async ({ page }) => {
  const sent = sentBy(page, '', 'POST');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expect(page.getByText('Please confirm your password')).toBeVisible();
  await expect(field(page, 'Full name')).toBeFocused();
  expect(sent).toEqual([]);
});

test('a visitor signs up with six characters and is signed in on the home page @embedded', async ({ page, site }) => {
  const email = `New.${Date.now()}@Example.com`;
  await field(page, 'Email').fill(`  ${email} `);
  await newPassword(page, '  Grace   <i>Sample</i> ', 'Create Account', 'Aa1!xy');
  await page.waitForURL(`${site.url}/`);
  await signedIn(page);
  const account = await page.evaluate(async () =>
    (await fetch('/v1/account', { headers: { 'X-Appwrite-Project': 'common-ink' } })).json(),
  );
  expect(account).toMatchObject({ name: 'Grace Sample', email: email.toLowerCase() });
});

test('a taken e-mail address is said in the banner and nothing typed is lost', async ({ page, writer }) => {
  await field(page, 'Email').fill(writer.email.toUpperCase());
  const answer = await hold(page, '**/v1/account');
  await newPassword(page, 'Second', 'Create Account');
  await expect(page.getByRole('button', { name: 'Creating account…' })).toBeVisible();
  answer();
  const banner = page.getByRole('alert').filter({ hasText: 'An account with this email already exists.' });
  await expect(banner).toBeVisible();
  const [said, first] = [await banner.boundingBox(), await field(page, 'Full name').boundingBox()];
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(first?.y ?? 0);
  await expect(field(page, 'Full name')).toHaveValue('Second');
});

test('an account whose user cannot be read says so @embedded', async ({ page }) => {
  await refuse(page, '**/v1/account', { method: 'GET' });
  await field(page, 'Email').fill(`unread.${Date.now()}@example.com`);
  await newPassword(page, 'Somebody', 'Create Account');
  const words = 'Account created but unable to fetch user details.';
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
});
