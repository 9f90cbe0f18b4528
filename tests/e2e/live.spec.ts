import { Databases } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { postForm } from './post-form.ts';
import { expect, type RunningSite, signIn, test, type Writer } from './site.ts';

const place = { databaseId: 'blog', collectionId: 'articles' } as const;
const change = (site: RunningSite, writer: Writer, documentId: string, title: string) =>
  new Databases(site.as(writer)).updateDocument({ ...place, documentId, data: { title } });
const remove = (site: RunningSite, writer: Writer, documentId: string) =>
  new Databases(site.as(writer)).deleteDocument({ ...place, documentId });

const titlesKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('common-ink');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(({ title }) => title));
          };
        };
      }),
  );

async function subscribed(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket', (each) => each.url().includes('/realtime'));
  await socket.waitForEvent('framereceived', (frame) => `${frame.payload}`.includes('"subscribe"'));
}

test('the list of one browser follows what another writer publishes, changes and deletes', async ({
  writerPage,
  site,
}) => {
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
  await change(site, other, post.id, `${title}, corrected`);
  await expect(cards.first()).toContainText('corrected');
  await site.post(other, { title: `${title}, a draft of another`, status: 'inactive' });
  await remove(site, other, post.id);
  await expect(writerPage.getByText(title)).toHaveCount(0);
});

test('after a gap in the connection the list is fetched again', async ({ writerPage, site }) => {
  const other = await site.writer('Another Writer');
  let cut = () => {};
  let connections = 0;
  await writerPage.routeWebSocket(/\/realtime/, (route) => {
    connections += 1;
    const server = route.connectToServer();
    cut = () => {
      server.close();
      route.close({ code: 1012 });
    };
  });
  await writerPage.goto('/all-posts');
  await expect.poll(() => connections).toBe(1);
  await expect(writerPage.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(writerPage.getByText('Loading posts...')).toHaveCount(0);
  await writerPage.waitForTimeout(300);
  cut();
  const post = await site.post(other, { title: `While nobody listened ${Date.now()}` });
  await expect(writerPage.getByRole('link', { name: new RegExp(post.title) })).toBeVisible();
  await expect.poll(() => connections).toBe(2);
});

test('an open form says that its post was changed elsewhere, then that it was deleted; the words stay', async ({
  browser,
  writerPage,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'On two desks' });
  const context = await browser.newContext({ baseURL: site.url });
  const second = await signIn(context, site, writer);
  const ready = subscribed(writerPage);
  await writerPage.goto(`/edit-post/${post.id}`);
  await ready;
  const form = postForm(writerPage);
  await form.title.fill('On the first desk');

  await second.goto(`/edit-post/${post.id}`);
  const otherForm = postForm(second);
  await expect(otherForm.title).toHaveValue('On two desks');
  await otherForm.title.fill('On the second desk');
  await otherForm.submit.click();
  await expect(form.alert.filter({ hasText: /changed elsewhere after you opened it/ })).toBeVisible();
  await expect(form.title).toHaveValue('On the first desk');
  await second.waitForURL(`${site.url}/post/${post.id}`);

  await form.submit.click();
  const dialog = writerPage.getByRole('dialog');
  await expect(dialog.locator('ins').last()).toHaveText('added: first');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  await expect(writerPage.getByRole('heading', { level: 1 })).toHaveText('On the first desk');

  const again = subscribed(writerPage);
  await writerPage.goto(`/edit-post/${post.id}`);
  await again;
  await form.title.fill('Nobody’s desk');
  await remove(site, writer, post.id);
  await expect(form.alert.filter({ hasText: /deleted elsewhere while you had it open/ })).toBeVisible();
  await expect(form.title).toHaveValue('Nobody’s desk');
  // A refused update shows the same message, not the backend's.
  await form.submit.click();
  await expect(form.submit).not.toHaveAttribute('aria-busy', 'true');
  await expect(form.alert.filter({ hasText: /requested ID/ })).toHaveCount(0);

  // The writer can save the words as a new post: from the form, or, once it is closed, from the post's address.
  const opening = writerPage.context().waitForEvent('page');
  await form.alert.getByRole('link', { name: 'New post' }).click();
  const fresh = await opening;
  await fresh.getByRole('button', { name: 'Restore' }).click();
  await expect(postForm(fresh).title).toHaveValue('Nobody’s desk');
  await fresh.close();
  await form.title.fill('Nobody’s desk any more');
  await expect(writerPage.getByText(/Saved on this device/)).toBeVisible();
  await expect.poll(() => titlesKept(writerPage)).toContain('Nobody’s desk any more');
  writerPage.once('dialog', (leave) => void leave.accept());
  await writerPage.reload();
  await expect(writerPage.getByRole('heading', { name: 'Post not found.' })).toBeVisible();
  await writerPage.getByRole('button', { name: 'New post' }).click();
  await writerPage.waitForURL(`${site.url}/add-post`);
  await expect(writerPage.getByRole('region', { name: 'Unsaved words' })).toContainText('Nobody’s desk any more');
  await context.close();
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
