import type { Locator, Page } from 'playwright/test';
import { editPost, newPost, postForm } from './post-form.ts';
import { expect, type RunningSite, sentBy, test, type Writer } from './site.ts';

const cards = (page: Page) => page.getByRole('main').locator('a.card-link');
const listed = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) });

/** Publishes `count` posts without pictures. Returns their titles, oldest first. */
async function publish(site: RunningSite, writer: Writer, mark: string, count: number): Promise<string[]> {
  const titles = Array.from({ length: count }, (_, i) => `${mark} ${String(i + 1).padStart(2, '0')}`);
  for (const title of titles) await site.publishText(writer, title);
  return titles;
}

test('the list loads on demand, and its address keeps the choice', async ({ writerPage, site, writer }) => {
  await publish(site, writer, 'Listed', 30);
  const hidden = await site.post(writer, { title: 'My own draft', status: 'inactive' });
  await writerPage.goto('/all-posts');
  await expect(writerPage.getByRole('link', { name: 'Listed 30', exact: true })).toBeVisible();
  await expect(cards(writerPage)).toHaveCount(24);
  await expect(writerPage.getByText('My own draft')).toHaveCount(0);
  await expect(writerPage.getByText(/^24 of \d+ posts$/)).toBeVisible();
  for (const [width, columns] of Object.entries({ 360: 1, 900: 3, 1280: 4 })) {
    await writerPage.setViewportSize({ width: Number(width), height: 900 });
    const places = await cards(writerPage).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect(new Set(places).size, `${width} pixels`).toBe(columns);
  }
  // If loading more of the list fails, the posts already shown stay, an error appears, and Retry loads the next ones.
  await writerPage.route('**/articles/documents?*', (route) => route.abort());
  const more = writerPage.getByRole('button', { name: 'Load more' });
  await more.focus();
  await writerPage.keyboard.press('Enter');
  await expect(writerPage.getByRole('alert')).toContainText('Error: The server cannot be reached.');
  await expect(cards(writerPage)).toHaveCount(24);
  await writerPage.unroute('**/articles/documents?*');
  await writerPage.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => cards(writerPage).count()).toBeGreaterThan(24);
  const shown = await cards(writerPage).count();
  // Going back from a post shows as many posts as before.
  await cards(writerPage).last().click();
  await writerPage.waitForURL('**/post/**');
  await writerPage.goBack();
  await expect(cards(writerPage)).toHaveCount(shown);

  await writerPage.getByRole('button', { name: 'Mine' }).click();
  const draft = writerPage.getByRole('link', { name: 'My own draft', exact: true });
  await expect(draft).toHaveAttribute('href', `/post/${hidden.id}`);
  await expect(writerPage.getByText('24 of 31 posts', { exact: true })).toBeVisible();
  await expect(listed(writerPage, 'My own draft').getByText('Not published')).toBeVisible();
  await expect(writerPage.getByText('Not published')).toHaveCount(1);
  await expect(writerPage).toHaveURL(/\?scope=mine$/);
  await writerPage.reload();
  await expect(cards(writerPage)).toHaveCount(24);
  await expect(cards(writerPage).first()).toHaveText('My own draft');
  await writerPage.goBack();
  await expect(writerPage.getByRole('button', { name: 'All', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(writerPage.getByRole('link', { name: 'Listed 30', exact: true })).toBeVisible();
});

test('each card names its author, never a forged one', async ({ writerPage, site, writer }) => {
  const mark = `Named${writer.id.slice(-4)}`;
  const other = await site.writer('Grace of the Harbour');
  for (const n of [1, 2]) await site.publishText(other, `${mark} ${n} of another`);
  const [own = ''] = await publish(site, writer, mark, 1);
  const slug = await site.publishText(writer, `${mark} forged`, undefined, (await site.writer('Without a Post')).id);
  const questions = sentBy(writerPage, '/api/authors');
  await writerPage.goto(`/all-posts?q=${mark}`);
  for (const n of [1, 2])
    await expect(listed(writerPage, `${mark} ${n} of another`).getByText('Grace of the Harbour')).toBeVisible();
  await expect(listed(writerPage, own).getByText(writer.name, { exact: true })).toBeVisible();
  await expect(cards(writerPage)).toHaveCount(3);
  expect(questions).toHaveLength(1);
  const answer = await writerPage.request.get(`/api/authors?posts=${slug}`);
  expect([answer.status(), await answer.json()]).toEqual([200, {}]);
});

test('“Mine” lists the words kept on this device and leads back to them', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer, { title: 'Already there' });
  const kept = writerPage.getByRole('region', { name: 'Kept on this device, not yet sent' });
  writerPage.on('dialog', (dialog) => void dialog.accept());
  await writerPage.goto('/all-posts?scope=mine');
  await expect(listed(writerPage, 'Already there')).toBeVisible();
  await expect(kept).toHaveCount(0);
  await expect((await newPost(writerPage, { title: 'Half a thought' })).saved).toBeVisible();
  const form = await editPost(writerPage, post.id);
  await form.title.fill('Almost there');
  await expect(form.saved).toBeVisible();
  await writerPage.goto('/all-posts');
  await expect(cards(writerPage).first()).toBeVisible();
  await expect(kept).toHaveCount(0);
  await writerPage.getByRole('button', { name: 'Mine' }).click();
  const drafts = [
    /^Almost thereChanges to a post, saved today at .*Continue writing$/,
    /^Half a thoughtNew post, saved today at .*Continue writing$/,
  ];
  await expect(async () => {
    // Makes the list read the drafts again, because the form that was left may still hold its draft's lock at first.
    await writerPage.evaluate(() => void dispatchEvent(new Event('pageshow')));
    await expect(kept.getByRole('listitem')).toHaveText(drafts, { timeout: 10_000 });
  }).toPass();
  await writerPage.getByRole('searchbox', { name: 'Search titles' }).fill('thought');
  await expect(kept.getByRole('listitem')).toHaveCount(1);
  await kept.getByRole('link', { name: 'Continue writing “Half a thought”' }).click();
  await writerPage.getByRole('button', { name: 'Restore' }).click();
  await expect(postForm(writerPage).title).toHaveValue('Half a thought');
});

test('a letter typed while the list is being searched stays', async ({ writerPage }) => {
  await writerPage.goto('/all-posts');
  const field = writerPage.getByRole('searchbox', { name: 'Search titles' });
  await field.fill('a');
  // Types the next letter just after the field's delay of 300 ms, before the list shows the first search's results.
  await field.evaluate(async (input: HTMLInputElement) => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    const type = (text: string) => {
      setValue?.call(input, text);
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    type('ab');
    const next = new Promise<void>((resolve) => {
      setTimeout(() => {
        type('abc');
        resolve();
      }, 300);
    });
    for (const start = performance.now(); performance.now() - start < 400; );
    await next;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    type(`${input.value}d`);
  });
  await expect(writerPage.getByText('“abcd”')).toBeVisible();
  await expect(field).toHaveValue('abcd');
});

test('titles are searched and sorted, and Back undoes it', async ({ writerPage, site, writer }) => {
  const mark = `Quill${writer.id.slice(-4)}`;
  const titles = await publish(site, writer, mark, 3);
  await writerPage.goto('/all-posts');
  await expect(cards(writerPage).first()).toBeVisible();
  const field = writerPage.getByRole('searchbox', { name: 'Search titles' });
  await field.pressSequentially(mark.slice(1).toUpperCase());
  await expect(cards(writerPage)).toHaveText([...titles].reverse());
  await expect(writerPage.getByText('3 posts', { exact: true })).toBeVisible();
  await writerPage.getByRole('button', { name: 'Oldest' }).click();
  await expect(cards(writerPage)).toHaveText(titles);
  await writerPage.reload();
  await expect(cards(writerPage)).toHaveText(titles);
  await expect(field).toHaveValue(mark.slice(1).toUpperCase());
  await field.fill('no title holds this');
  await expect(writerPage.getByRole('heading', { name: 'No title contains “no title holds this”' })).toBeVisible();
  await writerPage.getByRole('button', { name: 'Show all' }).click();
  await expect(field).toHaveValue('');
  await writerPage.goBack();
  await expect(field).toHaveValue('no title holds this');
});

test('a writer changes and deletes own posts in the list', async ({ writerPage, page, site, writer }) => {
  const mark = `Own${writer.id.slice(-4)}`;
  const other = await site.writer('Somebody Else');
  await site.publishText(other, `${mark} of another`);
  await publish(site, writer, mark, 1);
  const post = await site.post(writer, { title: `${mark} with a picture` });
  await writerPage.goto(`/all-posts?q=${mark}`);
  await expect(cards(writerPage)).toHaveCount(3);
  await expect(listed(writerPage, `${mark} of another`).getByRole('button')).toHaveCount(0);
  const own = listed(writerPage, post.title);
  for (const [name, path] of Object.entries({ Edit: '/edit-post/', Preview: '/post/' }))
    await expect(own.getByRole('link', { name: `${name} “${post.title}”` })).toHaveAttribute('href', path + post.id);
  const guestSees = async () => (await page.request.get(`/post/${post.id}`)).status();
  const press = async (button: Locator) => {
    await button.focus();
    await writerPage.keyboard.press('Enter');
  };

  await press(own.getByRole('button', { name: 'Deactivate' }));
  await expect(own.getByText('Not published')).toBeVisible();
  await expect(own.getByRole('button', { name: 'Activate' })).toBeFocused();
  await expect(writerPage.getByText('2 posts', { exact: true })).toBeVisible();
  await expect(writerPage.getByText(`“${post.title}” is no longer published. Readers can’t see it.`)).toBeAttached();
  expect(await guestSees()).toBe(404);
  await writerPage.keyboard.press('Enter');
  await expect(own.getByRole('button', { name: 'Deactivate' })).toBeFocused();
  await expect(writerPage.getByText(`“${post.title}” is published.`)).toBeAttached();
  expect(await guestSees()).toBe(200);

  await press(own.getByRole('button', { name: 'Delete' }));
  const dialog = writerPage.getByRole('dialog', { name: 'Confirm deletion' });
  const warning = 'This action cannot be undone. The post and its media will be permanently removed.';
  await expect(dialog).toContainText(warning);
  await writerPage.keyboard.press('Escape');
  await expect(own.getByRole('button', { name: 'Delete' })).toBeFocused();
  await writerPage.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete post' }).click();
  await expect(own).toHaveCount(0);
  await expect(cards(writerPage).first()).toBeFocused();
  await expect(writerPage.getByText(`“${post.title}” was deleted.`)).toBeAttached();
  await expect(writerPage.getByText('2 posts', { exact: true })).toBeVisible();
  expect(await guestSees()).toBe(404);
  expect(await site.fileExists(post.featuredImage)).toBe(false);

  // Clears the session cookie: without a session, the page only shows a message and a link. If browsers reach Appwrite
  // directly, this site has no session cookie, so the test ends here.
  if (site.access === 'direct') return;
  await writerPage.context().clearCookies();
  const left = listed(writerPage, `${mark} 01`);
  await press(left.getByRole('button', { name: 'Deactivate' }));
  await expect(left.getByRole('alert')).toHaveText('Your session has ended. Nothing was changed.');
  await expect(left.getByRole('link', { name: 'Sign in again' })).toBeVisible();
  await writerPage.getByRole('button', { name: 'Mine' }).click();
  await expect(writerPage.getByText('Error: You are no longer signed in.')).toBeVisible();
  await expect(writerPage.getByRole('main').getByRole('link', { name: 'Sign in again' })).toBeVisible();
});
