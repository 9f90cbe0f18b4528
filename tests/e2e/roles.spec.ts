import { Query, Storage, Teams } from 'node-appwrite';
import { violationsOn } from './axe.ts';
import { asWriter, item, logIn, manage, member, newPassword, signedIn, status } from './members.ts';
import { editPost, storedTitles } from './post-form.ts';
import { expect, test } from './site.ts';

test('a lost password is replaced by a one-time link, which asks for none', async ({ open, site }) => {
  const owner = await member(site, 'owner', 'Olga Link');
  const serial = Date.now().toString(36);
  const lost = await site.writer(`Lost ${serial}`);
  const page = await open({ as: owner, path: '/site' });
  await page.getByRole('searchbox').fill(serial);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(status(page, 'One person')).toBeVisible();
  await manage(page, lost.name, 'One-time link');
  const there = await open({ path: await page.getByRole('dialog').getByLabel('One-time link').inputValue() });
  await expect(there.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await signedIn(there);
  await newPassword(there, '', 'Save and continue', 'Another-horse-2');
  await there.waitForURL(/\/$/);
  await signedIn(there);
  // Unlike the session from the one-time link, other sessions must confirm the current password.
  const other = await open();
  await logIn(other, lost, 'Another-horse-2');
  await signedIn(other);
  const cookies = (await other.context().cookies()).filter(({ name }) => name.startsWith('a_session'));
  for (const session of [await site.session(lost), ...cookies.map(({ value }) => decodeURIComponent(value))]) {
    const answer = await asWriter(site, { ...lost, session }, '/api/account/password', { password: 'Another-horse-3' });
    expect(answer.status).toBe(403);
  }
});

test('an account is deleted with its posts, or hands them over', async ({ open, site }) => {
  test.slow();
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const [one, two] = [await site.writer(`One ${serial}`), await site.writer(`Two ${serial}`)];
  const [kept, gone] = [await site.post(one), await site.post(two)];
  const draft = await site.post(one, { status: 'inactive' });
  const page = await open({ as: owner, path: '/site' });
  for (const [writer, choice] of [
    [one, 'Hand the posts over to me'],
    [two, 'Delete the posts and pictures too'],
  ] as const) {
    await manage(page, writer.name, 'Delete…');
    const dialog = page.getByRole('dialog', { name: `Delete ${writer.name}?` });
    await dialog.getByRole('radio', { name: choice }).check();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(status(page, `${writer.name}’s account was deleted`)).toBeVisible();
    await expect(item(page, writer.name)).toHaveCount(0);
  }
  await page.getByRole('searchbox').fill(`nobody${serial}`);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(status(page, 'No one matches that search.')).toBeVisible();
  expect(await site.text(`/post/${kept.id}`)).toContain(owner.name);
  expect(await site.status(`/post/${gone.id}`)).toBe(404);
  expect(await site.fileExists(gone.featuredImage)).toBe(false);
  expect((await site.stored(draft.id)).userId).toBe(owner.id);
  await site.update(draft.id, { title: 'Mine now' }, owner);
  const file = await new Storage(site.as(owner)).getFile({ bucketId: 'media', fileId: draft.featuredImage });
  expect(file.$permissions).toContain(`update("user:${owner.id}")`);
});

test('an editor hands a post over and deletes one, everywhere at once', async ({ open, site }) => {
  const serial = Date.now().toString(36);
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const heir = await member(site, 'writer', `Heir ${serial}`);
  const writer = await site.writer();
  const first = await site.post(writer, { title: `First ${serial}` });
  const second = await site.post(writer, { title: `Second ${serial}` });
  const editing = await open({ as: writer });
  const form = await editPost(editing, first.id);
  const page = await open({ as: editor, path: '/site#posts' });
  await page.getByRole('button', { name: `Hand over First ${serial}` }).click();
  await page.getByRole('dialog').getByLabel('Author').selectOption(heir.name);
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over the post' }).click();
  await expect(status(page, 'has a new author')).toBeVisible();
  expect(await site.text(`/post/${first.id}`)).toContain(heir.name);
  // A form that was already open shows why it cannot save the post.
  await form.title.fill('No longer mine');
  await form.submit.click();
  await expect(editing.getByText('Only the author of this post can edit it.')).toBeVisible();
  await expect.poll(() => storedTitles(editing)).toContain('No longer mine');
  // Opened again, it offers the unsaved words as a new post.
  editing.once('dialog', (leave) => void leave.accept());
  const turn = editing.getByRole('button', { name: 'New post' });
  // While the previous page still holds its draft's lock, the new page does not offer the draft.
  await expect(async () => {
    await editing.goto(`/edit-post/${first.id}`);
    await expect(turn).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(editing.getByRole('heading', { name: 'Only the author of this post can edit it.' })).toBeVisible();
  await expect(editing.getByRole('link', { name: 'Read the post' })).toBeVisible();
  await turn.click();
  await editing.waitForURL(`${site.url}/add-post`);
  await expect(form.offer).toContainText('No longer mine');
  await page.getByRole('button', { name: `Delete Second ${serial}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click();
  await expect(status(page, 'is deleted')).toBeVisible();
  expect(await site.status(`/post/${second.id}`)).toBe(404);
});

test('an editor renames a tag in all posts and merges two tags; writers may not', async ({ open, site }) => {
  const serial = Date.now().toString(36);
  const [ink, paper, encre] = [`Ink ${serial}`, `Paper ${serial}`, `Encre ${serial}`];
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const [one, two] = [await site.writer(), await site.writer()];
  const [first, draft] = [await site.post(one), await site.post(two, { status: 'inactive' })];
  const tagsOf = async (id: string) => (await site.stored(id)).tags;
  await site.update(first.id, { tags: [ink, paper] }, one);
  await site.update(draft.id, { tags: [ink] }, two);
  const from = `ink-${serial}`;
  for (const writer of [one, await member(site, 'writer', `Wim ${serial}`)]) {
    const body = { action: 'rename-tag', slug: from, name: 'Mine' };
    expect((await asWriter(site, writer, '/api/posts', body)).status).toBe(403);
  }
  expect(await tagsOf(first.id)).toEqual([ink, paper]);
  await expect.poll(() => site.status(`/tag/${from}`)).toBe(200);
  const page = await open({ as: editor, path: '/site#tags' });
  const rename = async (tag: string, name: string, button: string) => {
    const renaming = page.getByRole('button', { name: `Rename tag ${tag}` });
    // A busy site may have sent the former list, because it renders the new one for too long.
    let isAgain = false;
    await expect(async () => {
      if (isAgain) await page.reload();
      isAgain = true;
      await expect(renaming).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await renaming.click();
    await page.getByLabel('New name').fill(name);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await expect(status(page, `is now called ${name}`)).toBeVisible();
  };
  await rename(ink, encre, 'Rename');
  expect([await tagsOf(first.id), await tagsOf(draft.id)]).toEqual([[encre, paper], [encre]]);
  expect(await site.status(`/tag/encre-${serial}`)).toBe(200);
  await expect.poll(() => site.status(`/tag/${from}`)).toBe(404);
  await rename(encre, paper.toUpperCase(), 'Merge');
  expect(await tagsOf(first.id)).toEqual([paper.toUpperCase()]);
  expect(await site.text(`/post/${first.id}`)).toContain(`/tag/paper-${serial}`);
});

test('an editor cannot become an owner, nor an owner block or delete themselves', async ({ site }) => {
  const [owner, editor] = [await member(site, 'owner', 'Olga'), await member(site, 'editor', 'Edda')];
  const queries = [Query.equal('userId', editor.id)];
  const { memberships } = await new Teams(site.admin()).listMemberships({ teamId: 'site', queries });
  const membershipId = memberships[0]?.$id ?? '';
  const rise = new Teams(site.as(editor)).updateMembership({ teamId: 'site', membershipId, roles: ['owner'] });
  await expect(rise).rejects.toMatchObject({ code: 401 });
  for (const action of [
    { action: 'block', isBlocked: true } as const,
    { action: 'delete', posts: 'delete' } as const,
  ]) {
    const response = await asWriter(site, owner, '/api/people', { ...action, userId: owner.id });
    expect([response.status, (await response.json()).error]).toEqual([422, 'oneself']);
  }
});

test('the owner’s pages pass axe', async ({ open, site }) => {
  const owner = await member(site, 'owner', 'Olga Axe');
  await site.post(owner);
  const page = await open({ as: owner, path: '/site' });
  const parts = page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link');
  await expect(parts).toHaveCount(7);
  for (const part of await parts.all()) {
    await part.click();
    await expect(part).toHaveAttribute('aria-current', 'page');
    await expect(page.getByText('Loading…')).toHaveCount(0);
    expect(await violationsOn(page), page.url()).toEqual([]);
  }
  await page.goto('/claim#some-token-of-somebody');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);
});

test('the operator makes an owner by a command at any time, whose link signs in once', async ({ open, site }) => {
  const serial = Date.now().toString(36);
  const [olga, wim, nora] = [`Olga ${serial}`, `Wim ${serial}`, `Nora ${serial}`];
  const email = `nora-${serial}@example.com`;
  await member(site, 'owner', olga);
  const writer = await site.writer(wim);
  const links: string[] = [];
  for (const address of [writer.email, email]) {
    const said = await site.command('owner', address);
    expect(said).toContain(`${address} owns the site.`);
    links.push(/https?:\/\/\S+/.exec(said)?.[0] ?? '');
  }
  const page = await open({ path: links[0] });
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await newPassword(page);
  await page.waitForURL(/\/$/);
  await page.goto('/site');
  for (const name of [wim, email, olga]) await expect(item(page, name).getByRole('combobox')).toHaveValue('owner');
  const second = await open({ path: links[0] });
  await expect(second.getByRole('alert')).toContainText('already used');
  await second.goto(links[1] ?? '');
  await newPassword(second, nora);
  await second.waitForURL(/\/$/);
  await second.goto('/site');
  await expect(item(second, nora).getByRole('combobox')).toHaveValue('owner');
  await expect(site.command('owner', 'no address')).rejects.toMatchObject({ code: 1 });
});
