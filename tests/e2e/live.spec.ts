import { Databases, Query } from 'node-appwrite';
import { cuttable, editPost, postForm, storedTitles, subscribed } from './post-form.ts';
import { expect, test } from './site.ts';

test('the list follows what another writer publishes, changes and deletes', async ({ writerPage, site }) => {
  const other = await site.writer('Another Writer');
  const ready = subscribed(writerPage);
  await writerPage.goto('/all-posts');
  await expect(writerPage.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await ready;
  await expect(writerPage.getByText('Loading posts...')).toHaveCount(0);
  const title = `Hot off the press ${Date.now()}`;
  const cards = writerPage.getByRole('main').locator('a[href^="/post/"]');
  const post = await site.post(other, { title });
  await expect(cards.first()).toContainText(title);
  await site.update(post.id, { title: `${title}, corrected` }, other);
  await expect(cards.first()).toContainText('corrected');
  await site.post(other, { title: `${title}, a draft of another`, status: 'inactive' });
  await site.delete(post.id);
  await expect(writerPage.getByText(title)).toHaveCount(0);
});

test('after a gap in the connection the list is fetched again', async ({ writerPage, site }) => {
  const other = await site.writer('Another Writer');
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const realtime = await cuttable(writerPage, (message) => message.includes('"subscribe"') && resolve());
  await writerPage.goto('/all-posts');
  await ready;
  await expect(writerPage.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(writerPage.getByText('Loading posts...')).toHaveCount(0);
  const { promise: written, resolve: reopen } = Promise.withResolvers<void>();
  realtime.cut(written);
  const post = await site.post(other, { title: `Written in the gap ${Date.now()}` });
  reopen();
  await expect(writerPage.getByRole('link', { name: new RegExp(post.title) })).toBeVisible();
  await expect.poll(() => realtime.connections).toBe(2);
});

test('a form reports changes and deletion elsewhere', async ({ open, writerPage, site, writer }) => {
  const post = await site.post(writer, { title: 'On two desks' });
  const second = await open({ as: writer });
  const ready = subscribed(writerPage);
  const form = await editPost(writerPage, post.id);
  await ready;
  await form.title.fill('On the first desk');

  const otherForm = await editPost(second, post.id);
  await expect(otherForm.title).toHaveValue('On two desks');
  await otherForm.title.fill('On the second desk');
  await otherForm.submit.click();
  await form.says(/changed elsewhere after you opened it/);
  await expect(form.title).toHaveValue('On the first desk');
  await second.waitForURL(`${site.url}/post/${post.id}`);

  await form.submit.click();
  const dialog = writerPage.getByRole('dialog');
  await expect(dialog.locator('ins').last()).toHaveText('added: first');
  expect((await site.stored(post.id)).title).toBe('On the second desk');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await form.publish(post.id);
  await expect(writerPage.getByRole('heading', { level: 1 })).toHaveText('On the first desk');
  const { documents } = await new Databases(site.as(writer)).listDocuments({
    ...{ databaseId: 'blog', collectionId: 'revisions' },
    queries: [Query.equal('postId', post.id), Query.orderAsc('versionOf')],
  });
  expect(documents.map(({ title }) => title)).toEqual(['On two desks', 'On the second desk']);

  const again = subscribed(writerPage);
  await editPost(writerPage, post.id);
  await again;
  await form.title.fill('Nobody’s desk');
  await site.delete(post.id);
  await form.says(/deleted elsewhere while you had it open/);
  await expect(form.title).toHaveValue('Nobody’s desk');
  // A refused update shows the same message, not the backend's.
  await form.submit.click();
  await expect(form.submit).not.toHaveAttribute('aria-busy', 'true');
  await expect(form.alert.filter({ hasText: /requested ID/ })).toHaveCount(0);
  // The writer can save the words as a new post from the form or, once it is closed, from the post's address.
  const opening = writerPage.context().waitForEvent('page');
  await form.alert.getByRole('link', { name: 'New post' }).click();
  const fresh = await opening;
  await fresh.getByRole('button', { name: 'Restore' }).click();
  await expect(postForm(fresh).title).toHaveValue('Nobody’s desk');
  await fresh.close();
  // The form forgets the words that moved to the new post.
  await expect(form.saved).toHaveCount(0);
  await form.title.fill('Nobody’s desk any more');
  await expect.poll(() => storedTitles(writerPage)).toContain('Nobody’s desk any more');
  writerPage.once('dialog', (leave) => void leave.accept());
  const turn = writerPage.getByRole('button', { name: 'New post' });
  // While the previous page still holds its draft's lock, the new page does not offer the draft.
  await expect(async () => {
    await writerPage.goto(`/edit-post/${post.id}`);
    await expect(turn).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(writerPage.getByRole('heading', { name: 'Post not found.' })).toBeVisible();
  await turn.click();
  await writerPage.waitForURL(`${site.url}/add-post`);
  await expect(form.offer).toContainText('Nobody’s desk any more');
});

test('public pages never open a socket, for guests or for writers', async ({ page, writerPage, site, writer }) => {
  const post = await site.post(writer);
  const sockets: string[] = [];
  for (const each of [page, writerPage]) {
    each.on('websocket', (socket) => sockets.push(socket.url()));
    for (const path of ['/', `/post/${post.id}`]) {
      await each.goto(path);
      await each.waitForLoadState('networkidle');
    }
  }
  await expect(writerPage.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(sockets).toEqual([]);
});
