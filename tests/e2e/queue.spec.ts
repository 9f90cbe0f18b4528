/** Posts submitted without a connection are sent later, in order and only once (decision 034). */

import { Databases, Query } from 'node-appwrite';
import type { BrowserContext, Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { editPost, inLine, keepBusy, loading, newPost, paste, postForm, stayInLine, stored } from './post-form.ts';
import { ARTICLES, expect, hold, patient, type RunningSite, sessionCookie, test, type Writer } from './site.ts';

const postsOf = async (site: RunningSite, writer: Writer) =>
  (await new Databases(site.admin()).listDocuments({ ...ARTICLES, queries: [Query.equal('userId', writer.id)] }))
    .documents;
const kept = (page: Page) => page.getByRole('region', { name: 'Kept on this device, not yet sent' });
const status = (page: Page) => page.getByRole('status');

interface Stored {
  readonly title: string;
  readonly queued?: { readonly state: string };
}
const states = async (page: Page) =>
  (await stored<Stored>(page, 'drafts')).map(({ title, queued }) => `${title} ${queued?.state}`).toSorted();

/** Writes a post with a featured picture and one in the text, and queues it while offline. */
async function putInLine(page: Page, title: string, slug: string): Promise<void> {
  const loaded = loading(page);
  const form = await newPost(page, { title, slug, image: true });
  await expect(page.getByText(/picture\.png, /)).toBeVisible();
  await loaded();
  await page.context().setOffline(true);
  await form.write('Written below ground.');
  await paste(form.content, {}, await picture(80, 50), 'in-text.png');
  await expect(form.content.locator('img.uploading')).toBeVisible();
  await form.submit.click();
  await page.getByRole('button', { name: 'Publish anyway' }).click();
  await expect(inLine(page)).toBeVisible();
}

/** Holds one of the browser's locks in this page. Returns a function that releases it. */
async function holdLock(page: Page, name: string): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(
    (lock) =>
      new Promise<{ release: () => void }>((resolve) => {
        void navigator.locks.request(lock, () => new Promise<void>((release) => resolve({ release })));
      }),
    name,
  );
  return () => held.evaluate(({ release }) => release());
}

/** Closes the page and goes online in a new one, so that `page` sends nothing. Returns the new page. */
async function elsewhere(context: BrowserContext, page: Page): Promise<Page> {
  const next = await context.newPage();
  await next.route('**/all-posts', (route) => route.fulfill({ body: '' }));
  await page.close();
  await context.setOffline(false);
  await next.unrouteAll();
  return next;
}

test('a post put in line offline is published once with its pictures after the browser was closed', async ({
  playwright,
  launchOptions,
  site,
  writer,
}, info) => {
  const start = async () => {
    const context = await playwright.chromium.launchPersistentContext(info.outputPath('profile'), {
      ...launchOptions,
      baseURL: site.url,
      locale: 'en-GB',
    });
    await context.addCookies([sessionCookie(site, writer)]);
    return patient(context);
  };
  const slug = `tunnel-${writer.id}`;
  const before = await start();
  await putInLine(await before.newPage(), 'In a tunnel', slug);
  await before.close();
  expect(await postsOf(site, writer)).toEqual([]);

  const after = await start();
  const page = await after.newPage();
  await page.goto('/account');
  await expect(status(page).filter({ hasText: '“In a tunnel” was published.' })).toBeVisible();
  await page.getByRole('link', { name: 'Read the post' }).click();
  await expect(page).toHaveURL(`/post/${slug}`);
  await expect(page.getByText('Written below ground.')).toBeVisible();
  const [post, ...others] = await postsOf(site, writer);
  expect(others).toEqual([]);
  expect(post?.content).toMatch(/<img src="\/v1\/storage\/[^"]+"[^>]* width="80" height="50">/);
  expect(await site.status(site.view(post?.featuredImage).slice(site.url.length))).toBe(200);
  for (const image of await page.locator('article img').all()) {
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  }
  await page.goto('/all-posts?scope=mine');
  await expect(page.getByRole('link', { name: 'In a tunnel' }).first()).toBeVisible();
  await expect(kept(page)).toHaveCount(0);
  expect(await stored(page, 'pictures')).toEqual([]);
  await after.close();
});

test('posts wait while the server is stopped and are sent in order once it answers @embedded', async ({
  writerPage: page,
  site,
  writer,
}) => {
  test.slow();
  const slugs = ['first', 'second'].map((name) => `${name}-${writer.id}`);
  const loadedFirst = loading(page);
  const form = await newPost(page, { title: 'First', slug: slugs[0], text: 'One.', image: true });
  await expect(page.getByText(/picture\.png, /)).toBeVisible();
  const second = await page.context().newPage();
  const loadedSecond = loading(second);
  for (const each of [page, second]) await stayInLine(each);
  const other = await newPost(second, { title: 'Second', slug: slugs[1], text: 'Two.', image: true });
  await expect(second.getByText(/picture\.png, /)).toBeVisible();
  await expect(other.saved).toBeVisible();
  for (const loaded of [loadedFirst, loadedSecond]) await loaded();
  await site.stop('SIGKILL');
  await form.submit.click();
  await expect(inLine(page)).toBeVisible();
  await paste(other.content, {}, await picture(40, 30), 'late.png');
  await expect(other.content.locator('img.uploading')).toBeVisible();
  await other.submit.click();
  await second.getByRole('button', { name: 'Publish anyway' }).click();
  await expect(inLine(second)).toBeVisible();
  expect(await states(second)).toEqual(['First waiting', 'Second waiting']);

  await site.start();
  const published = async (title: string) => {
    const told = [page, second].map((each) =>
      status(each)
        .filter({ hasText: `“${title}” was published.` })
        .count(),
    );
    return (await Promise.all(told)).reduce((sum, count) => sum + count, 0);
  };
  // Each page waits up to a minute before it tries again.
  for (const title of ['First', 'Second']) await expect.poll(() => published(title), { timeout: 300_000 }).toBe(1);
  const posts = (await postsOf(site, writer)).toSorted((a, b) => a.$createdAt.localeCompare(b.$createdAt));
  expect(posts.map(({ $id }) => $id)).toEqual(slugs);
  await expect.poll(() => states(page)).toEqual([]);
});

test('an answer that was lost makes no second post', async ({ writerPage: page, site, writer }) => {
  const slug = `lost-${writer.id}`;
  await stayInLine(page);
  let isLost = false;
  await page.route(/\/documents$/, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  const form = await newPost(page, { title: 'Once', slug, text: 'Once only.', image: true });
  await expect(page.getByText(/picture\.png, /)).toBeVisible();
  await form.submit.click();
  await expect(status(page).filter({ hasText: '“Once” was published.' })).toBeVisible();
  expect((await postsOf(site, writer)).map(({ $id }) => $id)).toEqual([slug]);
});

test('a change that meets another one is compared in the form', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer, { title: 'As it was', content: '<p>Begun.</p>' });
  const loaded = loading(writerPage);
  const form = await editPost(writerPage, post.id);
  const context = writerPage.context();
  await form.title.fill('As it became');
  await expect(form.saved).toBeVisible();
  await loaded();
  await context.setOffline(true);
  await form.submit.click();
  await expect(inLine(writerPage)).toBeVisible();
  await site.update(post.id, { content: '<p>Begun elsewhere.</p>' }, writer);
  const page = await elsewhere(context, writerPage);
  await page.goto('/account');
  await expect(
    status(page).filter({ hasText: '“As it became” could not be sent and needs your attention.' }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'See your posts' }).click();
  await expect(kept(page).getByText('Changed elsewhere in the meantime.')).toBeVisible();
  // Another page keeps the draft store busy, so that the form reads the draft only after a while.
  const busy = await context.newPage();
  await busy.goto('/favicon.svg');
  await keepBusy(busy);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const opened = page.waitForResponse(new RegExp(`/documents/${post.id}`));
  await kept(page).getByRole('link', { name: 'Compare “As it became”' }).click();
  await opened;
  const again = postForm(page);
  for (let passed = 0; passed < 1500; passed += 500) {
    await expect(page.getByText('Loading...')).toBeAttached();
    await page.clock.runFor(500);
  }
  await expect(again.title).toHaveCount(0);
  await busy.close();
  await expect(again.title).toHaveValue('As it became');
  await page.clock.resume();
  await expect(again.offer).toHaveCount(0);
  await again.submit.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('del').filter({ hasText: 'elsewhere' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Use the choice' }).click();
  await again.publish(post.id);
  expect(await site.stored(post.id)).toMatchObject({ title: 'As it became', content: '<p>Begun elsewhere.</p>' });
  await expect.poll(() => stored(page, 'drafts')).toEqual([]);
});

test('a slug that was taken meanwhile is changed in the form', async ({ writerPage, site, writer }) => {
  const slug = `taken-${writer.id}`;
  await putInLine(writerPage, 'Twice the same', slug);
  await site.post(await site.writer('Somebody Else'), { id: slug });
  const page = await elsewhere(writerPage.context(), writerPage);
  await page.goto('/all-posts');
  await expect(kept(page).getByText('Not sent: another post has this address.')).toBeVisible();
  await kept(page)
    .getByRole('link', { name: /and choose another address$/ })
    .click();
  const form = postForm(page);
  // On a busy machine, the form may open before it has read the draft. It then offers the draft until it is reloaded.
  await expect(async () => {
    if (await form.offer.isVisible()) await page.reload();
    await expect(form.title).toHaveValue('Twice the same', { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await expect(form.content.locator('img[src*="/files/"]')).toBeVisible();
  await form.slug.fill(`${slug}-too`);
  await form.submit.click();
  await page.getByRole('button', { name: 'Publish anyway' }).click();
  await page.waitForURL(`**/post/${slug}-too`);
  expect((await postsOf(site, writer)).map(({ $id }) => $id)).toEqual([`${slug}-too`]);
});

test('without a session a post waits until its author signs in', async ({ writerPage, site, writer }) => {
  const context = writerPage.context();
  await writerPage.goto('/all-posts?scope=mine');
  const list = writerPage;
  const form = await context.newPage();
  await putInLine(form, 'Signed out', `signed-out-${writer.id}`);
  await context.clearCookies();
  await form.close();
  await context.setOffline(false);
  await expect(kept(list).getByRole('link', { name: 'Sign in to send it' })).toBeVisible();
  expect(await postsOf(site, writer)).toEqual([]);
  // Holds uploads until after the sign-in's redirect, because only the page that sends a post reports it.
  const release = await hold(list, /\/files$/, 'POST');
  await kept(list).getByRole('link', { name: 'Sign in to send it' }).click();
  await list.getByPlaceholder('you@example.com').fill(writer.email);
  await list.getByLabel('Password', { exact: true }).fill(writer.password);
  await list.getByRole('button', { name: /^(Log|Sign) in$/i }).click();
  await list.waitForURL((url) => url.pathname !== '/login');
  await list.goto('/account');
  release();
  await expect(status(list).filter({ hasText: '“Signed out” was published.' })).toBeVisible();
  expect(await postsOf(site, writer)).toHaveLength(1);
});

test('two tabs send what is in line once', async ({ writerPage, site, writer }) => {
  const context = writerPage.context();
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) await tab.goto('/account');
  await putInLine(writerPage, 'Of two tabs', `tabs-${writer.id}`);
  await writerPage.close();
  const uploads: string[] = [];
  for (const tab of tabs)
    tab.on('request', (request) => {
      if (request.method() === 'POST' && /\/(files|documents)$/.test(request.url())) uploads.push(request.url());
    });
  await context.setOffline(false);
  await expect
    .poll(async () =>
      (await Promise.all(tabs.map((tab) => status(tab).filter({ hasText: 'was published' }).count()))).sort(),
    )
    .toEqual([0, 1]);
  for (const tab of tabs) await expect.poll(() => states(tab)).toEqual([]);
  // Only one of the tabs uploads the two pictures.
  expect(uploads.filter((url) => url.endsWith('/files'))).toHaveLength(2);
  expect(await postsOf(site, writer)).toHaveLength(1);
});

test('a post in line is cancelled from the list or taken back on the spot', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const context = page.context();
  await page.goto('/all-posts');
  const form = await context.newPage();
  await putInLine(form, 'Not after all', `not-${writer.id}`);
  // Holds the draft's lock, as if the other page were trying to send the draft.
  const [draft] = await stored<{ copy: string }>(form, 'drafts');
  const release = await holdLock(page, `common-ink:drafts:${draft?.copy}`);
  const back = form.getByRole('button', { name: 'Keep writing' });
  await back.click();
  await expect(back).toHaveAttribute('aria-busy', 'true');
  await release();
  // On a busy machine, the form may have given up after its wait of ten seconds, so the click is repeated.
  await expect(async () => {
    if (await back.isVisible()) await back.click({ timeout: 1000 });
    await expect(postForm(form).title).toHaveValue('Not after all', { timeout: 10_000 });
  }).toPass();
  await expect(postForm(form).content).toContainText('Written below ground.');
  expect(await states(form)).toEqual(['Not after all undefined']);
  await postForm(form).submit.click();
  await form.getByRole('button', { name: 'Publish anyway' }).click();
  await expect(inLine(form)).toBeVisible();
  await expect(kept(page).getByRole('listitem')).toHaveCount(1);
  const cancel = kept(page).getByRole('button', { name: 'Don’t send “Not after all”' });
  // The button does nothing while the form's page tries to send the draft, so the click is repeated.
  await expect(async () => {
    if (await cancel.isVisible()) await cancel.click({ timeout: 1000 });
    await expect(kept(page)).toHaveCount(0, { timeout: 5000 });
  }).toPass();
  await expect(status(page).filter({ hasText: '“Not after all” is a draft again.' })).toHaveCount(1);
  await form.close();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Mine' }).click();
  await expect(kept(page).getByRole('link', { name: 'Continue writing “Not after all”' })).toBeVisible();
  expect(await states(page)).toEqual(['Not after all undefined']);
  expect(await postsOf(site, writer)).toEqual([]);
});

test('a device that cannot keep the text puts nothing in line', async ({ writerPage: page }) => {
  const loaded = loading(page);
  const form = await newPost(page, { title: 'No room', text: 'For this.', image: true });
  await expect(page.getByText(/picture\.png, /)).toBeVisible();
  await expect(form.saved).toBeVisible();
  await loaded();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    };
  });
  await page.context().setOffline(true);
  await form.submit.click();
  await form.says(/server cannot be reached/);
  await expect(form.title).toBeEditable();
  expect(await states(page)).toEqual(['No room undefined']);
});
