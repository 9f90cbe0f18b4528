import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { Teams } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { expect, ownSite, PASSWORD, removeSite, signIn, test, type Writer } from './site.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name });
const field = (page: Page, region: string, label: string) => part(page, region).getByLabel(label, { exact: true });

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

test('a name that cannot be one is refused in words', async ({ writerPage: page }) => {
  await page.goto('/account');
  for (const [name, expected] of [
    ['   ', 'Name is required'],
    ['x'.repeat(81), 'Name too long'],
  ] as const) {
    await field(page, 'Name', 'Name').fill(name);
    await part(page, 'Name').getByRole('button', { name: 'Save name' }).click();
    await expect(part(page, 'Name').getByText(expected, { exact: true })).toBeVisible();
    await expect(field(page, 'Name', 'Name')).toBeFocused();
  }
});

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
  await expect(part(page, 'Email').getByRole('alert')).toHaveText('That’s not your current password.');
  await expect(field(page, 'Email', 'New email')).toHaveValue(fresh.toUpperCase());

  await field(page, 'Email', 'Current password').fill(PASSWORD);
  await change.click();
  await expect(part(page, 'Email').getByRole('status')).toHaveText(`You’ll sign in as ${fresh} from now on.`);
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
  await expect(part(page, 'Email').getByRole('alert')).toHaveText(/already your address/);
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
  await expect(part(page, 'Password').getByRole('alert')).toHaveText('That’s not your current password.');
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
  await expect(list).toContainText('You’re not signed in anywhere else.');
  await lost.close();
});

test('all posts and pictures come as one file that opens without the site', async ({
  site,
  writer,
  writerPage: page,
}) => {
  const shown = await site.upload(writer, await picture(), 'inside.png');
  const published = await site.post(writer, {
    title: 'One & <two>',
    content: `<p>Words.</p><img src="${site.view(shown)}" alt="Inside">`,
  });
  const draft = await site.post(writer, { title: 'A draft', status: 'inactive' });
  await site.post(await site.writer('Somebody Else'), { title: 'Not mine' });

  await page.goto('/account');
  const downloads = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything' }).click();
  const file = await (await downloads).path();
  await expect(part(page, 'Your posts and pictures').getByRole('status')).toHaveText(
    '2 posts and 3 pictures are in the file.',
  );
  const entries = unzipSync(readFileSync(file));
  const text = (name: string) => strFromU8(entries[name] ?? new Uint8Array());
  expect(Object.keys(entries).toSorted()).toEqual(
    [
      `pictures/${draft.featuredImage}.png`,
      `pictures/${published.featuredImage}.png`,
      `pictures/${shown}.png`,
      `posts/${draft.id}.html`,
      `posts/${published.id}.html`,
      'posts.json',
    ].toSorted(),
  );
  expect(entries[`pictures/${shown}.png`]?.length).toBe((await picture()).length);
  expect(text(`posts/${published.id}.html`)).toContain('<h1>One &amp; &lt;two&gt;</h1>');
  expect(text(`posts/${published.id}.html`)).toContain(`<img src="../pictures/${shown}.png" alt="Inside">`);
  const { posts } = JSON.parse(text('posts.json')) as { posts: { id: string; status: string; content: string }[] };
  expect(new Map(posts.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [published.id, 'active'],
      [draft.id, 'inactive'],
    ]),
  );
});

test('a deleted account takes its posts and pictures from every page, and nothing of anybody else', async ({
  page: reader,
  site,
  writer,
  writerPage: page,
}) => {
  const own = await site.post(writer, { title: 'Soon gone' });
  const draft = await site.post(writer, { title: 'Never seen', status: 'inactive' });
  const other = await site.post(await site.writer('Somebody Else'), { title: 'Stays here' });
  const statusOf = async (path: string) => (await fetch(site.url + path)).status;
  expect(await statusOf(`/post/${own.id}`)).toBe(200);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account' });
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('Password is required', { exact: true })).toBeVisible();
  await dialog.getByLabel('Current password').fill('Wrong-password-1');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('That’s not your current password.');
  expect(await statusOf(`/post/${own.id}`)).toBe(200);

  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(`${site.url}/`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  expect(await statusOf(`/post/${own.id}`)).toBe(404);
  expect(await statusOf(`/post/${other.id}`)).toBe(200);
  for (const path of ['/', '/feed.xml', `/author/${writer.id}`]) {
    expect(await (await fetch(site.url + path)).text(), path).not.toContain('Soon gone');
  }
  for (const { featuredImage } of [own, draft]) expect(await site.fileExists(featuredImage)).toBe(false);
  expect(await site.fileExists(other.featuredImage)).toBe(true);

  await reader.goto('/login');
  await reader.getByLabel('Email', { exact: true }).fill(writer.email);
  await reader.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await reader.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(reader.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
});

test('nobody deletes an account by asking the endpoint past the page', async ({ site, writer }) => {
  const ask = (headers: Record<string, string>, body: string) =>
    fetch(`${site.url}/api/account/delete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }).then(({ status }) => status);
  const cookie = `a_session_common-ink=${writer.session}`;
  const right = JSON.stringify({ password: PASSWORD });
  expect(await ask({}, right)).toBe(401);
  expect(await ask({ cookie, origin: 'https://elsewhere.example' }, right)).toBe(403);
  expect(await ask({ cookie }, '{}')).toBe(400);
  expect(await ask({ cookie }, JSON.stringify({ password: 'x' }))).toBe(422);
  expect(await ask({ cookie }, JSON.stringify({ password: 'Wrong-password-1' }))).toBe(422);
  expect((await fetch(`${site.url}/api/account/delete`)).status).toBe(405);
});

test('whoever leaves may leave the posts to the owner of the site; the last owner stays', async ({
  browser,
  access,
}) => {
  const site = await ownSite({ access });
  try {
    const [owner, writer] = [await site.writer('Olga Owner'), await site.writer('Wim Writer')];
    await new Teams(site.admin()).createMembership({ teamId: 'site', userId: owner.id, roles: ['owner'] });
    const post = await site.post(writer);
    const leave = async (who: Writer, choice: string) => {
      const page = await signIn(await browser.newContext({ baseURL: site.url }), site, who);
      await page.goto('/account');
      await page.getByRole('button', { name: 'Delete account…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: choice }).check();
      await dialog.getByLabel('Current password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      return { page, dialog };
    };
    const { page } = await leave(writer, 'Leave my posts to the owner of the site');
    await page.waitForURL(/\/$/);
    expect(await (await fetch(`${site.url}/post/${post.id}`)).text()).toContain('Olga Owner');
    const { dialog } = await leave(owner, 'Delete my posts and pictures too');
    await expect(dialog.getByRole('alert')).toContainText('The site needs an owner');
    expect((await fetch(`${site.url}/post/${post.id}`)).status).toBe(200);
  } finally {
    await removeSite(site);
  }
});
