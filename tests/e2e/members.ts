import { Teams } from 'node-appwrite';
import type { Browser, Page } from 'playwright/test';
import type { SiteRole } from '#blog/people.ts';
import { postPermissions } from '#blog/permissions.ts';
import { PASSWORD, type RunningSite, signIn, type Writer } from './site.ts';

export async function member(site: RunningSite, role: SiteRole, name: string): Promise<Writer> {
  const writer = await site.writer(name);
  await new Teams(site.admin()).createMembership({ teamId: 'site', userId: writer.id, roles: [role] });
  return writer;
}

export async function openAs(browser: Browser, site: RunningSite, writer: Writer, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url });
  const page = await signIn(context, site, writer);
  await page.goto(path);
  return page;
}

export const guestPage = async (browser: Browser, site: RunningSite) =>
  (await browser.newContext({ baseURL: site.url })).newPage();

export const item = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

export async function manage(page: Page, name: string, button: string): Promise<void> {
  await item(page, name).getByText('Manage', { exact: true }).click();
  await item(page, name).getByRole('button', { name: button }).click();
}

export const asWriter = (site: RunningSite, { session }: Writer, path: string, body?: unknown) =>
  fetch(site.url + path, {
    headers: { cookie: `a_session_common-ink=${session}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });

export const article = (writer: Writer, documentId: string) => ({
  databaseId: 'blog',
  collectionId: 'articles',
  documentId,
  data: { title: 'By hand', content: '', status: 'active', featuredImage: '', userId: writer.id },
  permissions: postPermissions('active', writer.id),
});

export async function newPassword(page: Page, name?: string): Promise<void> {
  if (name) await page.getByLabel('Full name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save and continue' }).click();
}
