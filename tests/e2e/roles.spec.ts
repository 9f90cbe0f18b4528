import { Databases, Storage, Teams } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { loadAxe, violationsOn } from './axe.ts';
import { article, asWriter, guestPage, item, manage, member, openAs } from './members.ts';
import { postForm } from './post-form.ts';
import { REAL } from './remote.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

test('a lost password is replaced by a one-time link, which asks for none', async ({ browser, site }) => {
  const owner = await member(site, 'owner', 'Olga Link');
  const serial = Date.now().toString(36);
  const lost = await site.writer(`Lost ${serial}`);
  const page = await openAs(browser, site, owner, '/site');
  await page.getByRole('searchbox').fill(serial);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'One person' })).toBeVisible();
  await manage(page, lost.name, 'One-time link');
  const link = await page.getByRole('dialog').getByLabel('One-time link').inputValue();
  const there = await guestPage(browser, site);
  await there.goto(link);
  await expect(there.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await there.getByLabel('Password', { exact: true }).fill('Another-horse-2');
  await there.getByLabel('Confirm password', { exact: true }).fill('Another-horse-2');
  await expect(there.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
  await there.getByRole('button', { name: 'Save and continue' }).click();
  await there.waitForURL(/\/$/);
  // Other sessions have to confirm the current password.
  await expect(there.getByRole('button', { name: 'Logout' })).toBeVisible();
  const elsewhere = { ...lost, session: await site.session(lost) };
  const signedIn = await fetch(`${site.backend}/account/sessions/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-appwrite-project': 'common-ink' },
    body: JSON.stringify({ email: lost.email, password: 'Another-horse-2' }),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const byPassword = { ...lost, session: decodeURIComponent(/^[^=]+=([^;]+)/.exec(cookie)?.[1] ?? '') };
  expect((await asWriter(site, byPassword, '/api/people')).status).toBe(403);
  for (const session of [elsewhere, byPassword]) {
    const { status } = await asWriter(site, session, '/api/account/password', { password: 'Another-horse-3' });
    expect(status).toBe(403);
  }
});

test('where members alone may write, the backend refuses everybody else, and the pages say so', async ({
  access,
  browser,
}) => {
  test.slow();
  const site = await ownSite({ access });
  try {
    const [owner, writer] = [await member(site, 'owner', 'Olga'), await member(site, 'writer', 'Wim')];
    const stranger = await site.writer('Stranger');
    const page = await openAs(browser, site, owner, '/site#writing');
    await page.getByRole('radio', { name: /^Members only/ }).check();
    await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
    await expect(new Databases(site.as(stranger)).createDocument(article(stranger, 'not-mine'))).rejects.toMatchObject({
      code: 401,
    });
    await new Databases(site.as(writer)).createDocument(article(writer, 'wims-own'));

    const guest = await guestPage(browser, site);
    await guest.goto('/signup');
    await expect(guest.getByText('Only members can write on this site.')).toBeVisible();
    const form = postForm(await openAs(browser, site, stranger, '/add-post'));
    await form.title.fill('Let me in');
    await form.content.click();
    await form.content.pressSequentially('Please.');
    await form.chooseImage();
    await form.submit.click();
    await expect(form.title.page().getByText('Only members can write on this site')).toBeVisible();
    await expect(form.title).toHaveValue('Let me in');

    await page.getByRole('radio', { name: /^Everyone/ }).check();
    await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
    await form.submit.click();
    await form.title.page().waitForURL(/\/post\//);
  } finally {
    await removeSite(site);
  }
});

test('the setting WRITERS decides before any screen', async ({ browser }) => {
  const site = await ownSite({ environment: { WRITERS: 'members' } });
  try {
    const owner = await member(site, 'owner', 'Olga');
    const page = await openAs(browser, site, owner, '/site#writing');
    await expect(page.getByText('has set this with WRITERS')).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Everyone/ })).toBeDisabled();
    expect((await asWriter(site, owner, '/api/site', { writers: 'everyone' })).status).toBe(422);
    const stranger = await site.writer('Stranger');
    await expect(new Databases(site.as(stranger)).createDocument(article(stranger, 'no'))).rejects.toMatchObject({
      code: 401,
    });
  } finally {
    await removeSite(site);
  }
});

test('an account is deleted with its posts, or hands them over', async ({ browser, site }) => {
  test.slow();
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const [one, two] = [await site.writer(`One ${serial}`), await site.writer(`Two ${serial}`)];
  const [kept, gone] = [await site.post(one), await site.post(two)];
  const draft = await site.post(one, { status: 'inactive' });
  const page = await openAs(browser, site, owner, '/site');
  for (const [writer, choice] of [
    [one, 'Hand the posts over to me'],
    [two, 'Delete the posts and pictures too'],
  ] as const) {
    await manage(page, writer.name, 'Delete…');
    const dialog = page.getByRole('dialog', { name: `Delete ${writer.name}?` });
    await dialog.getByRole('radio', { name: choice }).check();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByRole('status').filter({ hasText: `${writer.name}’s account was deleted` })).toBeVisible();
    await expect(item(page, writer.name)).toHaveCount(0);
  }
  await page.getByRole('searchbox').fill(`nobody${serial}`);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No one matches that search.' })).toBeVisible();
  expect(await (await fetch(`${site.url}/post/${kept.id}`)).text()).toContain(owner.name);
  expect((await fetch(`${site.url}/post/${gone.id}`)).status).toBe(404);
  expect(await site.fileExists(gone.featuredImage)).toBe(false);
  const own = new Databases(site.as(owner));
  const place = { databaseId: 'blog', collectionId: 'articles' };
  expect((await own.getDocument({ ...place, documentId: draft.id })).userId).toBe(owner.id);
  await own.updateDocument({ ...place, documentId: draft.id, data: { title: 'Mine now' } });
  const file = await new Storage(site.as(owner)).getFile({ bucketId: 'media', fileId: draft.featuredImage });
  expect(file.$permissions).toContain(`update("user:${owner.id}")`);
});

test('an editor hands a post over and deletes one, and it is so everywhere', async ({ browser, site }) => {
  const serial = Date.now().toString(36);
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const heir = await member(site, 'writer', `Heir ${serial}`);
  const writer = await site.writer();
  const [first, second] = [
    await site.post(writer, { title: `First ${serial}` }),
    await site.post(writer, { title: `Second ${serial}` }),
  ];
  const editing = await openAs(browser, site, writer, `/edit-post/${first.id}`);
  await expect(editing.getByLabel('Title')).toHaveValue(`First ${serial}`);
  const page = await openAs(browser, site, editor, '/site#posts');
  await page.getByRole('button', { name: `Hand over First ${serial}` }).click();
  await page.getByRole('dialog').getByLabel('Author').selectOption(heir.name);
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over the post' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'has a new author' })).toBeVisible();
  expect(await (await fetch(`${site.url}/post/${first.id}`)).text()).toContain(heir.name);
  // A form that was already open shows the true reason.
  await editing.getByLabel('Title').fill('No longer mine');
  await editing.getByRole('button', { name: 'Update' }).click();
  await expect(editing.getByText('Only the author of this post can edit it.')).toBeVisible();
  await page.getByRole('button', { name: `Delete Second ${serial}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is deleted' })).toBeVisible();
  expect((await fetch(`${site.url}/post/${second.id}`)).status).toBe(404);
});

test('an editor renames a tag in everybody’s posts, and makes two tags one', async ({ browser, site }) => {
  const serial = Date.now().toString(36);
  const [ink, paper] = [`Ink ${serial}`, `Paper ${serial}`];
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const [one, two] = [await site.writer(), await site.writer()];
  const [first, draft] = [await site.post(one), await site.post(two, { status: 'inactive' })];
  const place = { databaseId: 'blog', collectionId: 'articles' };
  const tagsOf = async (id: string) =>
    (await new Databases(site.admin()).getDocument({ ...place, documentId: id })).tags;
  await new Databases(site.as(one)).updateDocument({ ...place, documentId: first.id, data: { tags: [ink, paper] } });
  await new Databases(site.as(two)).updateDocument({ ...place, documentId: draft.id, data: { tags: [ink] } });
  const from = `ink-${serial}`;
  for (const writer of [one, await member(site, 'writer', `Wim ${serial}`)]) {
    const body = { action: 'rename-tag', slug: from, name: 'Mine' };
    expect((await asWriter(site, writer, '/api/posts', body)).status).toBe(403);
  }
  expect(await tagsOf(first.id)).toEqual([ink, paper]);
  await expect.poll(async () => (await fetch(`${site.url}/tag/${from}`)).status).toBe(200);

  const page = await openAs(browser, site, editor, '/site#tags');
  await page.getByRole('button', { name: `Rename tag ${ink}` }).click();
  await page.getByLabel('New name').fill(`Encre ${serial}`);
  await page.getByRole('button', { name: 'Rename', exact: true }).first().click();
  await expect(page.getByRole('status').filter({ hasText: `is now called Encre ${serial}` })).toBeVisible();
  expect([await tagsOf(first.id), await tagsOf(draft.id)]).toEqual([[`Encre ${serial}`, paper], [`Encre ${serial}`]]);
  expect((await fetch(`${site.url}/tag/encre-${serial}`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${site.url}/tag/${from}`)).status).toBe(404);

  await page.getByRole('button', { name: `Rename tag Encre ${serial}` }).click();
  await page.getByLabel('New name').fill(paper.toUpperCase());
  await page.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('status').filter({ hasText: `is now called ${paper.toUpperCase()}` })).toBeVisible();
  expect(await tagsOf(first.id)).toEqual([paper.toUpperCase()]);
  expect(await (await fetch(`${site.url}/post/${first.id}`)).text()).toContain(`/tag/paper-${serial}`);
});

test('nobody does more than their role allows, past the screens either', async ({ site }) => {
  const serial = Date.now().toString(36);
  const people = {
    editor: await member(site, 'editor', `Edda ${serial}`),
    writer: await member(site, 'writer', `Wim ${serial}`),
    stranger: await site.writer(),
  };
  const other = await site.writer();
  const post = await site.post(other);
  const actions = [
    { action: 'invite', email: `x-${serial}@example.com`, role: 'owner', by: 'link' },
    { action: 'role', userId: people.editor.id, role: 'owner' },
    { action: 'block', userId: other.id, isBlocked: true },
    { action: 'end-sessions', userId: other.id },
    { action: 'link', userId: other.id },
    { action: 'delete', userId: other.id, posts: 'delete' },
  ];
  for (const [name, writer] of Object.entries(people)) {
    for (const body of actions) {
      expect((await asWriter(site, writer, '/api/people', body)).status, `${name}: ${body.action}`).toBe(403);
    }
    expect((await asWriter(site, writer, '/api/site', { writers: 'members' })).status, name).toBe(403);
    expect((await asWriter(site, writer, '/api/people')).status, name).toBe(name === 'editor' ? 200 : 403);
    const { memberships } = await new Teams(site.admin()).listMemberships({ teamId: 'site' });
    const own = memberships.find(({ userId }) => userId === writer.id);
    const membershipId = own?.$id ?? memberships[0]?.$id ?? '';
    await expect(
      new Teams(site.as(writer)).updateMembership({ teamId: 'site', membershipId, roles: ['owner'] }),
    ).rejects.toMatchObject({ code: name === 'stranger' ? 404 : 401 });
  }
  for (const name of ['writer', 'stranger'] as const) {
    for (const body of [
      { action: 'take-back', slug: post.id },
      { action: 'delete', slug: post.id },
      { action: 'hand-over', slug: post.id, userId: people.writer.id },
      { action: 'rename-tag', slug: 'ink', name: 'Mine' },
    ]) {
      const { status } = await asWriter(site, people[name], '/api/posts', body);
      expect(status, `${name}: ${body.action}`).toBe(403);
    }
  }
  for (const path of ['/api/people', '/api/posts', '/api/site', '/api/claim', '/api/account/password']) {
    const response = await fetch(site.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status, path).toBe(401);
  }
  expect((await fetch(`${site.url}/post/${post.id}`)).status).toBe(200);
});

test('a draft and its pictures are their author’s alone, past the screens too', async ({ site }) => {
  const serial = Date.now().toString(36);
  const author = await site.writer();
  const post = await site.post(author, { status: 'inactive', title: `Only mine ${serial}` });
  const document = { databaseId: 'blog', collectionId: 'articles', documentId: post.id };
  const file = { bucketId: 'media', fileId: post.featuredImage };
  for (const role of ['owner', 'editor'] as const) {
    const other = await member(site, role, `Edda ${serial} ${role}`);
    const [databases, storage] = [new Databases(site.as(other)), new Storage(site.as(other))];
    const permissions = [`read("user:${other.id}")`, `update("user:${other.id}")`];
    for (const [what, tried] of Object.entries({
      'reads the draft': () => databases.getDocument(document),
      'publishes it': () => databases.updateDocument({ ...document, data: { status: 'active' } }),
      'takes it': () => databases.updateDocument({ ...document, permissions }),
      'deletes it': () => databases.deleteDocument(document),
      'sees its picture': () => storage.getFileView(file),
      'takes its picture': () => storage.updateFile({ ...file, permissions }),
      'deletes its picture': () => storage.deleteFile(file),
    })) {
      const { code } = await tried().then(
        () => ({ code: 200 }),
        (error: { code: number }) => error,
      );
      expect([401, 404], `${role}: ${what}`).toContain(code);
    }
    for (const action of [{ action: 'take-back' }, { action: 'delete' }, { action: 'hand-over', userId: other.id }]) {
      const { status } = await asWriter(site, other, '/api/posts', { ...action, slug: post.id });
      expect(status, `${role}: ${action.action}`).toBe(404);
    }
    const link = { action: 'make', slug: post.id, holds: 'day' };
    expect((await asWriter(site, other, '/api/draft-link', link)).status, role).toBe(404);
  }
  const { $permissions, status } = await new Databases(site.as(author)).getDocument<
    Awaited<ReturnType<Databases['getDocument']>> & { status: string }
  >(document);
  expect([status, $permissions]).toEqual(['inactive', postPermissions('inactive', author.id)]);
});

test('the last owner stays, and nobody blocks or deletes themselves', async ({ access }) => {
  test.skip(REAL !== undefined && access !== 'embedded', 'the project has the owners of other tests, too');
  const site = await ownSite({ access });
  try {
    const owner = await member(site, 'owner', 'Olga');
    const ask = async (body: unknown) => {
      const response = await asWriter(site, owner, '/api/people', body);
      return `${response.status} ${(await response.json()).error ?? ''}`;
    };
    for (const role of ['editor', null]) {
      expect(await ask({ action: 'role', userId: owner.id, role })).toBe('422 last-owner');
    }
    expect(await ask({ action: 'block', userId: owner.id, isBlocked: true })).toBe('422 oneself');
    expect(await ask({ action: 'delete', userId: owner.id, posts: 'delete' })).toBe('422 oneself');
    const second = await member(site, 'owner', 'Otto');
    expect(await ask({ action: 'role', userId: second.id, role: 'editor' })).toBe('200 ');
    expect(await ask({ action: 'role', userId: owner.id, role: 'owner' })).toBe('200 ');
  } finally {
    await removeSite(site);
  }
});

test('the pages can be used without sight', async ({ browser, site }) => {
  const owner = await member(site, 'owner', 'Olga Axe');
  await site.post(owner);
  for (const path of ['/site', '/site#posts', '/site#writing', '/site#import', '/claim#some-token-of-somebody']) {
    const page = await openAs(browser, site, owner, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await loadAxe(page);
    expect(await violationsOn(page), path).toEqual([]);
    await page.context().close();
  }
});
