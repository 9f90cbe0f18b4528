import { postPermissions } from '#blog/permissions.ts';
import { item, logIn, manage, member, newPassword, signedIn, status } from './members.ts';
import { newPost } from './post-form.ts';
import { expect, ownSite, test } from './site.ts';

test('the link of the first start makes one owner, once', async ({ access, open }) => {
  test.slow();
  await using site = await ownSite({ access });
  const [, path = ''] = /https?:\/\/[^/\s]+(\/claim#\S+)/.exec(site.said) ?? [];
  expect(path).not.toBe('');
  const wrong = await open({ at: site, as: await site.writer('Eve'), path: '/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa' });
  await wrong.getByRole('button', { name: 'Become the owner' }).click();
  await expect(wrong.getByRole('alert')).toContainText('has expired or was already used');
  const page = await open({ at: site, path });
  await expect(page.getByText('This site has no owner yet.')).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.getByLabel('Email', { exact: true }).fill('olga@example.com');
  await newPassword(page, 'Olga Owner', 'Create Account');
  await expect(page.getByText('You are signed in as Olga Owner.')).toBeVisible();
  await signedIn(page);
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await page.waitForURL(/\/site$/);
  await expect(item(page, 'Olga Owner').getByRole('combobox')).toHaveValue('owner');
  const late = await open({ at: site, as: await site.writer('Late'), path });
  await late.getByRole('button', { name: 'Become the owner' }).click();
  await expect(late.getByRole('alert')).toContainText('has expired or was already used');
  await expect(late.getByText('This site has no owner yet.')).toHaveCount(0);
  await site.stop();
  await site.start();
  expect(site.said).not.toContain('/claim#');
});

test('the operator makes an owner by a command at any time, whose link signs in once', async ({ access, open }) => {
  test.slow();
  await using site = await ownSite({ access });
  await member(site, 'owner', 'Olga');
  const writer = await site.writer('Wim');
  const links: string[] = [];
  for (const email of [writer.email, 'new@example.com']) {
    const said = await site.command('owner', email);
    expect(said).toContain(`${email} owns the site.`);
    links.push(/https?:\/\/\S+/.exec(said)?.[0] ?? '');
  }
  const page = await open({ at: site, path: links[0] });
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await newPassword(page);
  await page.waitForURL(/\/$/);
  await page.goto('/site');
  for (const name of ['Wim', 'new@example.com', 'Olga'])
    await expect(item(page, name).getByRole('combobox')).toHaveValue('owner');
  const second = await open({ at: site, path: links[0] });
  await expect(second.getByRole('alert')).toContainText('already used');
  await second.goto(links[1] ?? '');
  await newPassword(second, 'Nora New');
  await second.waitForURL(/\/$/);
  await second.goto('/site');
  await expect(item(second, 'Nora New').getByRole('combobox')).toHaveValue('owner');
  await expect(site.command('owner', 'no address')).rejects.toMatchObject({ code: 1 });
});

test('an invited writer posts, is unpublished by an editor and blocked by the owner', async ({ open, site }) => {
  test.slow();
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const email = `wim-${serial}@example.com`;
  const page = await open({ as: owner, path: '/site' });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByRole('dialog').getByLabel('One-time link').inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(item(page, `wim-${serial}`)).toContainText('Invited');

  const invited = await open({ path: link });
  await expect(invited.getByText(`You are signed in as ${email}`)).toBeVisible();
  await newPassword(invited, `Wim ${serial}`);
  await invited.waitForURL(/\/$/);
  const second = await open({ path: link });
  await expect(second.getByRole('alert')).toContainText('already used');

  const [title, slug] = [`Wims post ${serial}`, `wims-post-${serial}`];
  const form = await newPost(invited, { title, slug, text: 'Spam.', image: true });
  await form.publish(slug);
  const { userId } = await site.stored(slug);

  const desk = await open({ as: editor, path: '/site#posts' });
  await desk.getByRole('button', { name: `Unpublish ${title}` }).click();
  await expect(status(desk, 'is no longer public')).toBeVisible();
  expect(await site.status(`/post/${slug}`)).toBe(404);
  expect(await site.text('/')).not.toContain(title);
  expect((await site.stored(slug)).$permissions.toSorted()).toEqual(postPermissions('inactive', userId).toSorted());
  await invited.goto(`/edit-post/${slug}`);
  await expect(form.title).toHaveValue(title);

  await form.title.fill('What I meant to say');
  await page.reload();
  await manage(page, `Wim ${serial}`, 'Block');
  await expect(status(page, 'is blocked')).toBeVisible();
  await form.submit.click();
  await expect(invited.getByText('Your session has ended. Your text is still here')).toBeVisible();
  await expect(form.title).toHaveValue('What I meant to say');
  const back = await open();
  await logIn(back, { email });
  await expect(back.getByRole('alert')).toContainText(/blocked/i);
});
