import { postPermissions } from '#blog/permissions.ts';
import { item, logIn, manage, member, newPassword, status } from './members.ts';
import { newPost } from './post-form.ts';
import { expect, test } from './site.ts';

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
