import { linkOf } from 'embedded-appwrite/testing';
import { Teams, Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { item, logIn, member, newPassword, ownMailSite, signedIn } from './members.ts';
import { REAL } from './remote.ts';
import { type Access, expect, withShared } from './site.ts';

async function openMailing(access: Access) {
  const opened = await ownMailSite({ access, environment: { TRUSTED_PROXIES: 'loopback' } });
  const { site, mail } = opened;
  return {
    ...opened,
    /** Returns the link in the email sent to an address. */
    linkTo: async (address: string) => linkOf((await mail.mailTo(address)).email).href,
    /** Invites an address on behalf of a new owner. */
    async invite(email: string) {
      const teams = new Teams(site.as(await member(site, 'owner', 'Olga')));
      const invited = { teamId: 'site', email, roles: ['writer'], url: `${site.url}/welcome` };
      return (await teams.createMembership(invited)).$id;
    },
  };
}

const test = withShared('mailing', openMailing);
// Runs the tests in a single worker, so that the site that sends email is created only once.
test.describe.configure({ mode: 'default' });

async function askFor(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm the new password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Save password' }).click();
}

const expired = 'This link has expired or was already used.';

test('a lost password is replaced by a link that works once', async ({ open, mailing: { site, linkTo } }) => {
  const writer = await site.writer();
  const page = await open({ at: site });
  await askFor(page, writer.email.toUpperCase());
  await expect(page.getByRole('status')).toContainText('an email is on its way');
  const link = await linkTo(writer.email);
  expect(link).toMatch(new RegExp(`^${site.url}/reset-password\\?`));
  await page.goto(link);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await choose(page, 'short');
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await choose(page, 'Another-horse-2');
  await expect(page.getByRole('status')).toContainText('Your password has been changed');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(/\/login$/);
  await logIn(page, writer);
  await expect(page.getByRole('alert')).toContainText(/Invalid/);
  await logIn(page, writer, 'Another-horse-2');
  await signedIn(page);
  const second = await open({ at: site, path: link });
  await choose(second, 'Another-horse-3');
  await expect(second.getByRole('alert')).toHaveText(expired);
  await second.getByRole('link', { name: 'Ask for another link' }).click();
  await expect(second.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('an unknown address gets the same answer and no mail', async ({ open, mailing: { site, mail } }) => {
  const before = mail.offered.length;
  const page = await open({ at: site });
  await askFor(page, 'nobody@example.com');
  await expect(page.getByRole('status')).toContainText('If nobody@example.com has an account, an email is on its way');
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toContainText(expired);
  expect(mail.offered.slice(before)).not.toContain('nobody@example.com');
});

test('an address is sent at most three mails, however often it is asked for', async ({ mailing: { site, mail } }) => {
  const [writer, last] = [await site.writer(), await site.writer()];
  const ask = async (email: string, from: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
    const body = JSON.stringify({ email });
    return (await fetch(`${site.url}/api/recovery`, { method: 'POST', headers, body })).status;
  };
  for (let i = 0; i < 60; i++) expect(await ask(writer.email, `10.1.0.${i}`)).toBe(202);
  await ask(last.email, '10.2.0.1');
  await mail.mailTo(last.email);
  expect(mail.offered.filter((address) => address === writer.email).length).toBeLessThanOrEqual(3);
  // More than twice the limit, because the ten minutes for which it applies may end meanwhile.
  const statuses = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(`x${i}@example.com`, '10.9.9.9')));
  expect(new Set(statuses)).toEqual(new Set([202, 429]));
});

test('an expired link says so on each page, and what to do', async ({ open, mailing: { site, linkTo, invite } }) => {
  const writer = await site.writer();
  const users = new Users(site.admin());
  const page = await open({ at: site });
  await askFor(page, writer.email);
  const recovery = await linkTo(writer.email);
  await users.updatePassword({ userId: writer.id, password: 'Another-horse-9' });
  await page.goto(recovery);
  await choose(page, 'Another-horse-2');
  await expect(page.getByRole('alert')).toHaveText(expired);
  await expect(page.getByRole('link', { name: 'Ask for another link' })).toHaveAttribute('href', '/forgot-password');
  await expect(page.getByRole('button', { name: 'Save password' })).toHaveCount(0);
  const ben = await site.writer('Ben Sample');
  const theirs = await open({ at: site, as: ben, path: `/verify-email?userId=${ben.id}&secret=y` });
  const advice = 'Your account page shows whether the address is verified, and can send a new link.';
  await expect(theirs.getByRole('alert')).toHaveText(`${expired} ${advice}`);
  await expect(theirs.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
  // Opens a blocked account's one-time link, a guessed link, a withdrawn invitation, and the page without a secret.
  const token = await users.createToken({ userId: writer.id });
  await users.deleteSessions({ userId: writer.id });
  await users.updateStatus({ userId: writer.id, status: false });
  const membershipId = await invite('late@example.com');
  const invitation = await linkTo('late@example.com');
  await new Teams(site.admin()).deleteMembership({ teamId: 'site', membershipId });
  const guess = `/welcome#${writer.id}.${'0'.repeat(64)}`;
  for (const link of [`/welcome#${writer.id}.${token.secret}`, guess, invitation, '/welcome']) {
    const late = await open({ at: site, path: link });
    await expect(late.getByRole('alert'), link).toHaveText(`${expired} Ask for a new one.`);
    await expect(late.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  }
  await page.goto('/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByRole('main')).toContainText(/owner/);
});

test('a signed-in writer accepts a mailed invitation', async ({ open, mailing: { site, linkTo, invite } }) => {
  for (const emailVerification of [true, false]) {
    const writer = await site.writer();
    if (emailVerification)
      await new Users(site.admin()).updateEmailVerification({ userId: writer.id, emailVerification });
    await invite(writer.email);
    const page = await open({ at: site, as: writer, path: await linkTo(writer.email) });
    if (emailVerification) {
      await expect(page.getByRole('main').getByRole('status')).toHaveText('You have accepted the invitation.');
      await expect(page.getByRole('main').getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
      await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
      await expect(page.getByRole('alert')).toHaveCount(0);
    } else {
      await newPassword(page);
      await page.waitForURL(/\/$/);
    }
    await signedIn(page);
  }
});

test('a site that sends no mail says so, and whom to ask', async ({ open, page, site, access }) => {
  test.skip(REAL !== undefined && access !== 'embedded', 'the real server sends mail');
  await askFor(page, (await site.writer()).email);
  await expect(page.getByRole('alert')).toContainText('Ask its owner for a one-time link');
  const theirs = await open({ as: await member(site, 'owner', 'Olga'), path: '/site' });
  await theirs.getByLabel('Email', { exact: true }).fill(`no-mail-${Date.now().toString(36)}@example.com`);
  await theirs.getByRole('button', { name: 'Send invitation' }).click();
  await expect(theirs.getByRole('dialog')).toContainText('This site doesn’t send email. Pass the link on yourself.');
  await theirs.goto('/account');
  const email = theirs.getByRole('region', { name: 'Email' });
  await expect(email.getByText('This site doesn’t send email, so addresses can’t be verified.')).toBeVisible();
  await expect(email.getByRole('button', { name: 'Verify this address' })).toHaveCount(0);
});

test('an address is verified by the link in a mail', async ({ open, mailing: { site, linkTo } }) => {
  const writer = await site.writer();
  const page = await open({ at: site, as: writer, path: '/account' });
  const email = page.getByRole('region', { name: 'Email' });
  await email.getByRole('button', { name: 'Verify this address' }).click();
  await expect(email.getByText(`An email with a link is on its way to ${writer.email}`)).toBeVisible();
  const link = await linkTo(writer.email);
  for (const as of [undefined, await site.writer()]) {
    const elsewhere = await open({ at: site, as, path: link });
    await expect(elsewhere.getByRole('alert')).toContainText('Sign in to the account that requested this email');
  }
  await page.reload();
  await expect(email.getByText('It is not verified yet.')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await expect(email.getByText('It is verified.')).toBeVisible();
});

test('an invitation by mail signs up and joins', async ({ open, mailing: { site, linkTo } }) => {
  const page = await open({ at: site, as: await member(site, 'owner', 'Olga'), path: '/site' });
  await page.getByLabel('Email', { exact: true }).fill('wim@example.com');
  await page.getByLabel('Role', { exact: true }).selectOption('editor');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('An invitation is on its way to wim@example.com.')).toBeVisible();
  const invited = await open({ at: site, path: await linkTo('wim@example.com') });
  await newPassword(invited, 'Wim Writer');
  await invited.waitForURL(/\/$/);
  await page.reload();
  await expect(item(page, 'Wim Writer').getByRole('combobox')).toHaveValue('editor');
  await expect(item(page, 'Wim Writer')).not.toContainText('Invited');
});
