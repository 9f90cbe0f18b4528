import { linkOf, type ReceivedMail, startMailServer, type TestMailServer } from 'embedded-appwrite/testing';
import { Teams, Users } from 'node-appwrite';
import type { Browser, Page } from 'playwright/test';
import { newPassword } from './members.ts';
import { REAL } from './remote.ts';
import { test as base, expect, ownSite, PASSWORD, type RunningSite, removeSite, signIn, type Writer } from './site.ts';

interface Mailing {
  readonly site: RunningSite;
  readonly mail: TestMailServer;
}

const test = base.extend<object, { mailing: Mailing }>({
  mailing: [
    async ({ access }, use) => {
      const mail = await startMailServer({}, access === 'embedded' ? 0 : REAL?.mailPort);
      const site = await ownSite({ access, smtpPort: mail.port });
      await use({ site, mail });
      await removeSite(site);
      await mail.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

const linkIn = ({ email }: ReceivedMail): string => linkOf(email).href;

const guestPage = async (browser: Browser, site: RunningSite) =>
  (await browser.newContext({ baseURL: site.url })).newPage();

async function askFor(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
}

async function owner(site: RunningSite): Promise<Writer> {
  const writer = await site.writer('Olga');
  await new Teams(site.admin()).createMembership({ teamId: 'site', userId: writer.id, roles: ['owner'] });
  return writer;
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm the new password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Save password' }).click();
}

async function login(page: Page, { email }: Writer, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

test('a lost password is replaced by a link in a mail, which holds once', async ({
  browser,
  mailing: { site, mail },
}) => {
  const writer = await site.writer();
  const page = await guestPage(browser, site);
  await askFor(page, writer.email.toUpperCase());
  await expect(page.getByRole('status')).toContainText('an email is on its way');
  const link = linkIn(await mail.mailTo(writer.email));
  expect(link).toMatch(new RegExp(`^${site.url}/reset-password\\?`));
  await page.goto(link);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await choose(page, 'short');
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await choose(page, 'Another-horse-2');
  await expect(page.getByRole('status')).toContainText('Your password has been changed');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await login(page, writer, PASSWORD);
  await expect(page.getByRole('alert')).toContainText(/Invalid/);
  await login(page, writer, 'Another-horse-2');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();

  const second = await guestPage(browser, site);
  await second.goto(link);
  await choose(second, 'Another-horse-3');
  await expect(second.getByRole('alert')).toContainText('already used');
  await second.getByRole('link', { name: 'Ask for another link' }).click();
  await expect(second.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('an address that nobody has gets the same answer, and no mail', async ({ browser, mailing: { site, mail } }) => {
  const before = mail.offered.length;
  const page = await guestPage(browser, site);
  await askFor(page, 'nobody@example.com');
  await expect(page.getByRole('status')).toContainText('If nobody@example.com has an account, an email is on its way');
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toContainText('has expired or was already used');
  expect(mail.offered.slice(before)).not.toContain('nobody@example.com');
});

test('one address is sent few mails, however often it is asked about', async ({ access, mailing: { mail } }) => {
  const site = await ownSite({ access, smtpPort: mail.port, environment: { TRUSTED_PROXIES: 'loopback' } });
  try {
    const writer = await site.writer();
    const ask = (i: number) =>
      fetch(`${site.url}/api/recovery`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${i >> 8}.${i & 255}` },
        body: JSON.stringify({ email: writer.email }),
      });
    for (let i = 0; i < 60; i++) expect((await ask(i)).status).toBe(202);
    const last = await site.writer();
    await fetch(`${site.url}/api/recovery`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: last.email }),
    });
    await mail.mailTo(last.email);
    expect(mail.offered.filter((address) => address === writer.email).length).toBeLessThanOrEqual(3);
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        fetch(`${site.url}/api/recovery`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' },
          body: JSON.stringify({ email: `x${i}@example.com` }),
        }).then(({ status }) => status),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
  } finally {
    await removeSite(site);
  }
});

test('a link that does not hold any more says so on each page, and what to do', async ({
  browser,
  mailing: { site, mail },
}) => {
  const writer = await site.writer();
  const users = new Users(site.admin());
  // Dead links: a recovery replaced by a newer one, a one-time link of a deleted account, a withdrawn invitation.
  const page = await guestPage(browser, site);
  await askFor(page, writer.email);
  const recovery = linkIn(await mail.mailTo(writer.email));
  await users.updatePassword({ userId: writer.id, password: 'Another-horse-9' });
  await page.goto(recovery);
  await choose(page, 'Another-horse-2');
  await expect(page.getByRole('alert')).toHaveText('This link has expired or was already used.');
  await expect(page.getByRole('link', { name: 'Ask for another link' })).toHaveAttribute('href', '/forgot-password');

  await expect(page.getByRole('button', { name: 'Save password' })).toHaveCount(0);

  const ben = await site.writer('Ben Sample');
  const theirs = await signIn(await browser.newContext({ baseURL: site.url }), site, ben);
  await theirs.goto(`/verify-email?userId=${ben.id}&secret=y`);
  await expect(theirs.getByRole('alert')).toHaveText(
    'This link has expired or was already used. Your account page shows whether the address is verified, and can send a new link.',
  );
  await expect(theirs.getByRole('link', { name: 'To your account' })).toHaveAttribute('href', '/account');

  const token = await users.createToken({ userId: writer.id });
  await users.deleteSessions({ userId: writer.id });
  await users.updateStatus({ userId: writer.id, status: false });
  const teams = new Teams(site.admin());
  const invited = { teamId: 'site', email: 'late@example.com', roles: ['writer'], url: `${site.url}/welcome` };
  const membership = await new Teams(site.as(await owner(site))).createMembership(invited);
  const invitation = linkIn(await mail.mailTo(invited.email));
  await teams.deleteMembership({ teamId: 'site', membershipId: membership.$id });
  for (const link of [
    `/welcome#${writer.id}.${token.secret}`,
    `/welcome#${writer.id}.${'0'.repeat(64)}`,
    invitation,
    '/welcome',
  ]) {
    const late = await guestPage(browser, site);
    await late.goto(link);
    await expect(late.getByRole('alert'), link).toHaveText(
      'This link has expired or was already used. Ask for a new one.',
    );
    await expect(late.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
    await late.context().close();
  }

  await page.goto('/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByRole('main')).toContainText(/owner/);
});

test('somebody signed in accepts a mailed invitation, and is asked for no password', async ({
  browser,
  mailing: { site, mail },
}) => {
  const writer = await site.writer();
  await new Users(site.admin()).updateEmailVerification({ userId: writer.id, emailVerification: true });
  const invited = { teamId: 'site', email: writer.email, roles: ['writer'], url: `${site.url}/welcome` };
  await new Teams(site.as(await owner(site))).createMembership(invited);
  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, writer);
  await page.goto(linkIn(await mail.mailTo(writer.email)));
  await expect(page.getByRole('main').getByRole('status')).toHaveText('You have accepted the invitation.');
  await expect(page.getByRole('main').getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('whoever signed up first with an address loses it to the person who accepts an invitation there', async ({
  browser,
  mailing: { site, mail },
}) => {
  const stranger = await site.writer();
  const theirs = await signIn(await browser.newContext({ baseURL: site.url }), site, stranger);
  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, await owner(site));
  await page.goto('/site');
  await page.getByLabel('Email', { exact: true }).fill(stranger.email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('had an account whose address was never confirmed')).toBeVisible();
  const invited = await guestPage(browser, site);
  await invited.goto(linkIn(await mail.mailTo(stranger.email)));
  await expect(invited.getByText('Your address had an account here that was never confirmed.')).toBeVisible();
  await newPassword(invited);
  await invited.waitForURL(/\/$/);
  await expect(invited.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
  await theirs.goto('/account');
  await theirs.waitForURL(/\/login/);
});

test('somebody signed in whose address was never confirmed accepts an invitation, and chooses a new password', async ({
  browser,
  mailing: { site, mail },
}) => {
  const writer = await site.writer();
  const invited = { teamId: 'site', email: writer.email, roles: ['writer'], url: `${site.url}/welcome` };
  await new Teams(site.as(await owner(site))).createMembership(invited);
  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, writer);
  await page.goto(linkIn(await mail.mailTo(writer.email)));
  await newPassword(page);
  await page.waitForURL(/\/$/);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('where no mail is sent, the pages say so, and whom to ask', async ({ browser, page, site, access }) => {
  test.skip(REAL !== undefined && access !== 'embedded', 'the real server sends mail');
  await askFor(page, (await site.writer()).email);
  await expect(page.getByRole('alert')).toContainText('Ask its owner for a one-time link');
  const theirs = await signIn(await browser.newContext({ baseURL: site.url }), site, await owner(site));
  await theirs.goto('/site');
  await theirs.getByLabel('Email', { exact: true }).fill(`no-mail-${Date.now().toString(36)}@example.com`);
  await theirs.getByRole('button', { name: 'Send invitation' }).click();
  await expect(theirs.getByRole('dialog')).toContainText('This site doesn’t send email. Pass the link on yourself.');
  await theirs.goto('/account');
  const email = theirs.getByRole('region', { name: 'Email' });
  await expect(email.getByText('This site doesn’t send email, so addresses can’t be verified.')).toBeVisible();
  await expect(email.getByRole('button', { name: 'Verify this address' })).toHaveCount(0);
});

test('an address is verified by the link in a mail, where its account is signed in', async ({
  browser,
  mailing: { site, mail },
}) => {
  const writer = await site.writer();
  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, writer);
  await page.goto('/account');
  const email = page.getByRole('region', { name: 'Email' });
  await email.getByRole('button', { name: 'Verify this address' }).click();
  await expect(email.getByText(`An email with a link is on its way to ${writer.email}`)).toBeVisible();
  const link = linkIn(await mail.mailTo(writer.email));
  const another = await signIn(await browser.newContext({ baseURL: site.url }), site, await site.writer());
  for (const elsewhere of [await guestPage(browser, site), another]) {
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('alert')).toContainText('Sign in to the account that requested this email');
  }
  await page.reload();
  await expect(email.getByText('It is not verified yet.')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  await page.getByRole('link', { name: 'To your account' }).click();
  await expect(email.getByText('It is verified.')).toBeVisible();
  await page.goto(`/verify-email?userId=${writer.id}&secret=y`);
  await expect(page.getByRole('alert')).toContainText('has expired or was already used');
});

test('an invitation by mail signs up and joins', async ({ browser, mailing: { site, mail } }) => {
  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, await owner(site));
  await page.goto('/site');
  await page.getByLabel('Email', { exact: true }).fill('wim@example.com');
  await page.getByLabel('Role', { exact: true }).selectOption('editor');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('An invitation is on its way to wim@example.com.')).toBeVisible();
  const invited = await guestPage(browser, site);
  await invited.goto(linkIn(await mail.mailTo('wim@example.com')));
  await invited.getByLabel('Full name', { exact: true }).fill('Wim Writer');
  await invited.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await invited.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await invited.getByRole('button', { name: 'Save and continue' }).click();
  await invited.waitForURL(/\/$/);
  await page.reload();
  const item = page.getByRole('listitem').filter({ hasText: 'Wim Writer' });
  await expect(item.getByRole('combobox')).toHaveValue('editor');
  await expect(item).not.toContainText('Invited');
});
