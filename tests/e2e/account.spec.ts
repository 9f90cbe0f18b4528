import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { logIn, signedIn } from './members.ts';
import { picture } from './pictures.ts';
import { expect, PASSWORD, test } from './site.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name });
const field = (page: Page, region: string, label: string) => part(page, region).getByLabel(label, { exact: true });

test('a changed name shows at once on every page and in the feeds', async ({ open, site }) => {
  const writer = await site.writer('Ada Former');
  const post = await site.post(writer);
  const pages = [`/post/${post.id}`, '/', `/author/${writer.id}`, '/feed.xml', '/atom.xml', '/feed.json'];
  for (const path of pages) expect(await site.text(path), path).toContain('Ada Former');
  const page = await open({ as: writer, path: '/all-posts' });
  await page.getByRole('banner').getByRole('link', { name: 'Account' }).click();
  const save = async (name: string) => {
    await field(page, 'Name', 'Name').fill(name);
    await part(page, 'Name').getByRole('button', { name: 'Save name' }).click();
  };
  await expect(field(page, 'Name', 'Name')).toHaveValue('Ada Former');
  for (const [name, expected] of Object.entries({ '   ': 'Name is required', ['x'.repeat(81)]: 'Name too long' })) {
    await save(name);
    await expect(part(page, 'Name').getByText(expected, { exact: true })).toBeVisible();
    await expect(field(page, 'Name', 'Name')).toBeFocused();
  }
  await save('  Ada <b>Renamed</b> ');
  await expect(part(page, 'Name').getByRole('status')).toHaveText('Your name was changed.');
  for (const path of pages.slice(0, 3)) expect(await site.text(path), path).toContain('Ada Renamed');
  for (const path of pages) {
    await expect.poll(() => site.text(path), path).toContain('Ada Renamed');
    expect(await site.text(path), path).not.toContain('Ada Former');
  }
});

test('a new email takes the password and signs in', async ({ page: other, site, writer, writerPage: page }) => {
  await page.goto('/account');
  const fresh = `new-${writer.email}`;
  const change = async (email: string, password: string) => {
    await field(page, 'Email', 'New email').fill(email);
    await field(page, 'Email', 'Current password').fill(password);
    await part(page, 'Email').getByRole('button', { name: 'Change email' }).click();
  };
  await change((await site.writer('Somebody Else')).email, PASSWORD);
  await expect(part(page, 'Email').getByRole('alert')).toHaveText(/already your address/);
  await change(fresh.toUpperCase(), 'Wrong-password-1');
  await expect(part(page, 'Email').getByRole('alert')).toHaveText('That’s not your current password.');
  await expect(field(page, 'Email', 'New email')).toHaveValue(fresh.toUpperCase());
  await change(fresh.toUpperCase(), PASSWORD);
  await expect(part(page, 'Email').getByRole('status')).toHaveText(`You’ll sign in as ${fresh} from now on.`);
  await expect(part(page, 'Email')).toContainText(`${fresh}. You sign in with it.`);
  await logIn(other, { email: fresh });
  await signedIn(other);
});

test('a new password takes the old one and ends other sessions', async ({ page: other, writer, writerPage: page }) => {
  await logIn(other, writer);
  await signedIn(other);
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
  await logIn(other, writer);
  await expect(other.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
  await logIn(other, writer, 'Another-horse-2');
  await signedIn(other);
});

test('one device or all others are signed out from the list', async ({ open, site, writer, writerPage: page }) => {
  const lost = await open({ as: { ...writer, session: await site.session(writer) } });
  for (let i = 0; i < 2; i++) await site.session(writer);
  await page.goto('/account');
  const list = part(page, 'Where you are signed in');
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expect(list.getByRole('listitem').first()).toContainText('This device');
  await expect(list.getByRole('listitem').first().getByRole('button')).toHaveCount(0);
  const others = list.getByRole('button', { name: /^Sign out (?!all)/ });
  await others.first().click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await list.getByRole('button', { name: 'Sign out all other devices' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByRole('status')).toHaveText('All other devices are signed out.');
  await lost.goto('/all-posts');
  await lost.waitForURL(/\/login$/);
  await page.reload();
  await expect(list).toContainText('You’re not signed in anywhere else.');
});

test('all posts and pictures are downloaded as one file', async ({ site, writer, writerPage: page }) => {
  const shown = await site.upload(writer, await picture(), 'inside.png');
  const content = `<p>Words.</p><img src="${site.view(shown)}" alt="Inside">`;
  const published = await site.post(writer, { title: 'One & <two>', content });
  const draft = await site.post(writer, { title: 'A draft', status: 'inactive' });
  await site.post(await site.writer('Somebody Else'), { title: 'Not mine' });
  await page.goto('/account');
  const downloads = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything' }).click();
  const entries = unzipSync(readFileSync(await (await downloads).path()));
  const status = part(page, 'Your posts and pictures').getByRole('status');
  await expect(status).toHaveText('2 posts and 3 pictures are in the file.');
  const text = (name: string) => strFromU8(entries[name] ?? new Uint8Array());
  const pictures = [draft.featuredImage, published.featuredImage, shown].map((id) => `pictures/${id}.png`);
  const names = [...pictures, `posts/${draft.id}.html`, `posts/${published.id}.html`, 'posts.json'];
  expect(Object.keys(entries).toSorted()).toEqual(names.toSorted());
  expect(entries[`pictures/${shown}.png`]?.length).toBe((await picture()).length);
  expect(text(`posts/${published.id}.html`)).toContain('<h1>One &amp; &lt;two&gt;</h1>');
  expect(text(`posts/${published.id}.html`)).toContain(`<img src="../pictures/${shown}.png" alt="Inside">`);
  const { posts } = JSON.parse(text('posts.json')) as { posts: { id: string; status: string }[] };
  const statuses = Object.fromEntries(posts.map(({ id, status }) => [id, status]));
  expect(statuses).toEqual({ [published.id]: 'active', [draft.id]: 'inactive' });
});

test('a deleted account loses its own posts only', async ({ page: reader, site, writer, writerPage: page }) => {
  const own = await site.post(writer, { title: 'Soon gone' });
  const draft = await site.post(writer, { title: 'Never seen', status: 'inactive' });
  const other = await site.post(await site.writer('Somebody Else'), { title: 'Stays here' });
  expect(await site.status(`/post/${own.id}`)).toBe(200);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account' });
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await confirm.click();
  await expect(dialog.getByText('Password is required', { exact: true })).toBeVisible();
  await dialog.getByLabel('Current password').fill('Wrong-password-1');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText('That’s not your current password.');
  expect(await site.status(`/post/${own.id}`)).toBe(200);
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await confirm.click();
  await page.waitForURL(`${site.url}/`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  expect(await site.status(`/post/${own.id}`)).toBe(404);
  expect(await site.status(`/post/${other.id}`)).toBe(200);
  for (const path of ['/', '/feed.xml', `/author/${writer.id}`])
    expect(await site.text(path), path).not.toContain('Soon gone');
  for (const { featuredImage } of [own, draft]) expect(await site.fileExists(featuredImage)).toBe(false);
  expect(await site.fileExists(other.featuredImage)).toBe(true);
  await logIn(reader, writer);
  await expect(reader.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
});
