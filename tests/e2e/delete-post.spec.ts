import { Databases, ID, Query, Storage, Users } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { backendRequests, expect, refuse, test } from './site.ts';

test('“Delete post” removes a post, its file and versions', async ({ writerPage, page, site, writer }) => {
  const post = await site.post(writer, { title: 'Soon gone' });
  const revisions = { databaseId: 'blog', collectionId: 'revisions' };
  const databases = new Databases(site.admin());
  for (const versionOf of ['1', '2', '3']) {
    const data = { postId: post.id, versionOf, title: 'Former', status: 'active', size: 1 };
    const permissions = postPermissions('inactive', writer.id);
    await databases.createDocument({ ...revisions, documentId: ID.unique(), data, permissions });
  }
  const requests = backendRequests(writerPage);
  // If the busy server answered later than the page waits, the page itself would delete the versions.
  await writerPage.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await writerPage.goto(`/post/${post.id}`);
  const remove = writerPage.getByRole('main').getByRole('button', { name: 'Delete', exact: true });
  const dialog = writerPage.getByRole('dialog', { name: 'Confirm deletion' });
  const confirm = dialog.getByRole('button', { name: 'Delete post' });
  await remove.click();
  await expect(dialog).toContainText('This action cannot be undone.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  const end = await refuse(writerPage, `**/documents/${post.id}`, { method: 'DELETE' });
  await remove.click();
  await confirm.click();
  await expect(writerPage.getByText('Failed to delete post')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await site.fileExists(post.featuredImage)).toBe(true);
  expect(await site.status(`/post/${post.id}`)).toBe(200);
  await end();

  await remove.click();
  await confirm.click();
  await writerPage.waitForURL(`${site.url}/`);
  expect(await site.status(`/post/${post.id}`)).toBe(404);
  expect(await site.fileExists(post.featuredImage)).toBe(false);
  // The server, not the page, deletes the previous versions: a browser may delete only a few documents a minute.
  const { total } = await databases.listDocuments({ ...revisions, queries: [Query.equal('postId', post.id)] });
  expect(total).toBe(0);
  expect(requests.filter((each) => each.startsWith('DELETE') && each.includes('/revisions/'))).toEqual([]);
  await page.goto('/');
  await expect(page.getByRole('link', { name: /Soon gone/ })).toHaveCount(0);
  // The backend answers guests with 404. The page must not take this to mean that the post was deleted.
  const hidden = await site.post(writer, { status: 'inactive' });
  await writerPage.goto(`/post/${hidden.id}`);
  await remove.click();
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  await confirm.click();
  await expect(writerPage.getByText('Your session has ended. Nothing was changed.')).toBeVisible();
  expect(await site.fileExists(hidden.featuredImage)).toBe(true);
});

test('deleting a post hides its picture if only a draft still shows it', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer);
  const draft = await site.post(writer, { status: 'inactive' });
  await site.update(draft.id, { featuredImage: post.featuredImage }, writer);
  const storage = new Storage(site.admin());
  const permissions = async () =>
    (await storage.getFile({ bucketId: 'media', fileId: post.featuredImage })).$permissions;
  expect(await permissions()).toContain('read("any")');
  await writerPage.goto(`/post/${post.id}`);
  await writerPage.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
  await writerPage.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click();
  await writerPage.waitForURL(`${site.url}/`);
  expect(await permissions()).not.toContain('read("any")');
});
