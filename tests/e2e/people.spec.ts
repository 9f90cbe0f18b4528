import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { guestPage, item, manage, member, newPassword, openAs } from './members.ts';
import { postForm } from './post-form.ts';
import { expect, ownSite, PASSWORD, removeSite, test } from './site.ts';

test('the link of the first start makes one owner, once', async ({ access, browser }) => {
  test.slow();
  const site = await ownSite({ access });
  try {
    const [, path = ''] = /https?:\/\/[^/\s]+(\/claim#\S+)/.exec(site.said) ?? [];
    expect(path).not.toBe('');

    const wrong = await openAs(browser, site, await site.writer('Eve'), '/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa');
    await wrong.getByRole('button', { name: 'Become the owner' }).click();
    await expect(wrong.getByRole('alert')).toContainText('has expired or was already used');

    const page = await guestPage(browser, site);
    await page.goto(path);
    await expect(page.getByText('This site has no owner yet.')).toBeVisible();
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    await page.getByLabel('Full name', { exact: true }).fill('Olga Owner');
    await page.getByLabel('Email', { exact: true }).fill('olga@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('You are signed in as Olga Owner.')).toBeVisible();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
    await page.getByRole('button', { name: 'Become the owner' }).click();
    await page.waitForURL(/\/site$/);
    await expect(item(page, 'Olga Owner').getByRole('combobox')).toHaveValue('owner');

    const late = await openAs(browser, site, await site.writer('Late'), path);
    await late.getByRole('button', { name: 'Become the owner' }).click();
    await expect(late.getByRole('alert')).toContainText('has expired or was already used');
    await expect(late.getByText('This site has no owner yet.')).toHaveCount(0);

    await site.stop();
    await site.start();
    expect(site.said).not.toContain('/claim#');
  } finally {
    await removeSite(site);
  }
});

test('the operator makes an owner by a command at any time, whose link signs in once', async ({ access, browser }) => {
  test.slow();
  const site = await ownSite({ access });
  try {
    await member(site, 'owner', 'Olga');
    const writer = await site.writer('Wim');
    const links: string[] = [];
    for (const email of [writer.email, 'new@example.com']) {
      const said = await site.command('owner', email);
      expect(said).toContain(`${email} owns the site.`);
      links.push(/https?:\/\/\S+/.exec(said)?.[0] ?? '');
    }
    const page = await guestPage(browser, site);
    await page.goto(links[0] ?? '');
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    await newPassword(page);
    await page.waitForURL(/\/$/);
    await page.goto('/site');
    await expect(item(page, 'Wim').getByRole('combobox')).toHaveValue('owner');
    await expect(item(page, 'new@example.com').getByRole('combobox')).toHaveValue('owner');
    await expect(item(page, 'Olga').getByRole('combobox')).toHaveValue('owner');

    const second = await guestPage(browser, site);
    await second.goto(links[0] ?? '');
    await expect(second.getByRole('alert')).toContainText('already used');
    await second.goto(links[1] ?? '');
    await newPassword(second, 'Nora New');
    await second.waitForURL(/\/$/);
    await second.goto('/site');
    await expect(item(second, 'Nora New').getByRole('combobox')).toHaveValue('owner');
    await expect(site.command('owner', 'no address')).rejects.toMatchObject({ code: 1 });
  } finally {
    await removeSite(site);
  }
});

test('an invited writer comes by the link, posts, is taken back by an editor and blocked by the owner', async ({
  browser,
  site,
}) => {
  test.slow();
  const serial = Date.now().toString(36);
  const [owner, editor] = [
    await member(site, 'owner', `Olga ${serial}`),
    await member(site, 'editor', `Edda ${serial}`),
  ];
  const page = await openAs(browser, site, owner, '/site');
  await page.getByLabel('Email', { exact: true }).fill(`wim-${serial}@example.com`);
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByRole('dialog').getByLabel('One-time link').inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(item(page, `wim-${serial}`)).toContainText('Invited');

  const invited = await guestPage(browser, site);
  await invited.goto(link);
  await expect(invited.getByText(`You are signed in as wim-${serial}@example.com`)).toBeVisible();
  await newPassword(invited, `Wim ${serial}`);
  await invited.waitForURL(/\/$/);
  const second = await guestPage(browser, site);
  await second.goto(link);
  await expect(second.getByRole('alert')).toContainText('already used');

  await invited.goto('/add-post');
  const form = postForm(invited);
  const slug = `wims-post-${serial}`;
  await form.title.fill(`Wims post ${serial}`);
  await form.content.click();
  await invited.keyboard.type('Spam.');
  await form.slug.fill(slug);
  await form.chooseImage();
  await form.submit.click();
  await invited.waitForURL(new RegExp(`/post/${slug}$`));
  const wim = await new Databases(site.admin()).getDocument({
    databaseId: 'blog',
    collectionId: 'articles',
    documentId: slug,
  });

  const desk = await openAs(browser, site, editor, '/site#posts');
  await desk.getByRole('button', { name: `Unpublish Wims post ${serial}` }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'is no longer public' })).toBeVisible();
  expect((await fetch(`${site.url}/post/${slug}`)).status).toBe(404);
  expect(await (await fetch(site.url)).text()).not.toContain(`Wims post ${serial}`);
  const taken = await new Databases(site.admin()).getDocument({
    databaseId: 'blog',
    collectionId: 'articles',
    documentId: slug,
  });
  expect(taken.$permissions.toSorted()).toEqual(postPermissions('inactive', wim.userId).toSorted());
  await invited.goto(`/edit-post/${slug}`);
  await expect(form.title).toHaveValue(`Wims post ${serial}`);

  await form.title.fill('What I meant to say');
  await page.reload();
  await manage(page, `Wim ${serial}`, 'Block');
  await expect(page.getByRole('status').filter({ hasText: 'is blocked' })).toBeVisible();
  await form.submit.click();
  await expect(invited.getByText('Your session has ended. Your text is still here')).toBeVisible();
  await expect(form.title).toHaveValue('What I meant to say');
  const back = await guestPage(browser, site);
  await back.goto('/login');
  await back.getByLabel('Email', { exact: true }).fill(`wim-${serial}@example.com`);
  await back.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await back.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(back.getByRole('alert')).toContainText(/blocked/i);
});
