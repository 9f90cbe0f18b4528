/** Site members with roles, and steps that several tests share. */
import { isDeepStrictEqual } from 'node:util';
import { App, startMailServer } from 'embedded-appwrite/testing';
import { Account, AuthenticatorType, Teams } from 'node-appwrite';
import type { Page } from 'playwright/test';
import type { SiteRole } from '#blog/people.ts';
import type { Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { REAL } from './remote.ts';
import { expect, ownSite, PASSWORD, type RunningSite, removeSite, type SiteOptions, type Writer } from './site.ts';

export async function member(site: RunningSite, role: SiteRole, name: string): Promise<Writer> {
  const writer = await site.writer(name);
  await new Teams(site.admin()).createMembership({ teamId: 'site', userId: writer.id, roles: [role] });
  return writer;
}

/** Switches on a writer's second factor. Returns the app that generates the codes. */
export async function appOf(site: RunningSite, writer: Writer): Promise<App> {
  const account = new Account(site.as(writer));
  const type = AuthenticatorType.Totp;
  const app = new App((await account.createMFAAuthenticator({ type })).secret, 0);
  await account.updateMFAAuthenticator({ type, otp: app.now() });
  await account.updateMFA({ mfa: true });
  return app;
}

/** Signs in with a password, on /login. */
export async function logIn(page: Page, { email }: Pick<Writer, 'email'>, password = PASSWORD): Promise<void> {
  if (!page.url().endsWith('/login')) await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until the browser has left /login and the header shows a signed-in user. */
export async function signedIn(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname !== '/login');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
}

/** Starts a separate site and a mail server, through which the backend and, with `sendsNews`, the site send email. */
export async function ownMailSite({ access = 'embedded', ...options }: SiteOptions = {}, sendsNews = false) {
  const mail = await startMailServer({}, access === 'embedded' ? 0 : REAL?.mailPort);
  const smtp = { SMTP_HOST: '127.0.0.1', SMTP_PORT: `${mail.port}`, MAIL_FROM: 'ink@example.com' };
  const environment = { ...(sendsNews && smtp), ...options.environment };
  const site = await ownSite({ ...options, access, smtpPort: mail.port, environment });
  return { mail, site, [Symbol.asyncDispose]: () => removeSite(site).then(() => mail.stop()) };
}

export const item = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

export const status = (page: Page, hasText: string) => page.getByRole('status').filter({ hasText });

export async function manage(page: Page, name: string, button: string): Promise<void> {
  await item(page, name).getByText('Manage', { exact: true }).click();
  await item(page, name).getByRole('button', { name: button }).click();
}

export const asWriter = (site: RunningSite, { session }: Writer, path: string, body?: unknown) =>
  fetch(site.url + path, {
    headers: { cookie: `a_session_common-ink=${session}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });

/** Replaces the site's settings through the API, as an owner does. */
export async function saveSettings(site: RunningSite, owner: Writer, settings: Settings): Promise<void> {
  const { current }: SettingsState = await (await asWriter(site, owner, '/api/settings')).json();
  if (isDeepStrictEqual(current.settings, settings)) return;
  const answer = await asWriter(site, owner, '/api/settings', { base: current.version, settings });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function newPassword(page: Page, name = '', button = 'Save and continue', password = PASSWORD) {
  if (name) await page.getByLabel('Full name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: button }).click();
}
