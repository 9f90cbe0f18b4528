import type { Page } from 'playwright/test';
import { editPost, keepBusy, newPost, offersDraft, postForm, reloadUntil, stored } from './post-form.ts';
import { expect, hold, signIn, test } from './site.ts';

const copies = async (page: Page) =>
  (await stored<{ title: string; content: string }>(page, 'drafts')).map(({ title, content }) => `${title} ${content}`);

/** Waits until the device has exactly one draft with each of `words` in its title or text, and no other drafts. */
const keeps = (page: Page, ...words: string[]) =>
  expect
    .poll(async () => (await copies(page)).toSorted())
    .toEqual(words.toSorted().map((part) => expect.stringContaining(part)));

const pictures = async (page: Page) => (await stored(page, 'pictures')).length;

/** Simulates a full device, or ends the simulation. Chromium would take half a minute to notice a smaller quota. */
const makeFull = (page: Page, isFull: boolean) =>
  page.evaluate((full) => {
    const { prototype } = IDBObjectStore;
    const realPut: IDBObjectStore['put'] = Reflect.get(prototype, 'realPut') ?? prototype.put;
    const put = () => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    };
    Object.assign(prototype, { realPut, put: full ? put : realPut });
  }, isFull);

const offer = (page: Page) => postForm(page).offer;

/** Changes the title in `page` until `other` shows the change. A busy browser may be slow to list the open drafts. */
const changeBeside = (other: Page, page: Page, title: string) =>
  expect(async () => {
    for (const words of [`${title} …`, title]) await postForm(page).title.fill(words);
    await expect(offer(other)).toContainText('open in another tab, with changes', { timeout: 10_000 });
  }).toPass();

test('words typed without a pause are stored on the device within three seconds', async ({ writerPage: page }) => {
  await page.clock.install();
  const form = await newPost(page);
  await form.content.click();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (let word = 0; word < 10; word += 1) {
    await page.keyboard.type(`word ${word} `);
    await page.clock.runFor(300);
  }
  await expect.poll(async () => (await copies(page)).join()).toContain('word 0');
});

test('two tabs of a post keep two copies and tell each other', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer, { title: 'On two desks', content: '<p>Begun.</p>' });
  const second = await writerPage.context().newPage();
  for (const page of [writerPage, second]) await page.goto(`/edit-post/${post.id}`);
  await changeBeside(second, writerPage, 'From the first tab');
  await changeBeside(writerPage, second, 'From the second tab');
  await keeps(writerPage, 'first tab', 'second tab');
  // The second form takes over the first form's draft, and offers its own previous words as a separate copy.
  await second.getByRole('button', { name: 'Use them here' }).click();
  await expect(postForm(second).title).toHaveValue('From the first tab');
  await expect(offer(second)).toContainText('This device has unsent changes to this post');
  await second.getByText('What differs').click();
  await expect(offer(second).locator('ins').filter({ hasText: 'second' })).toHaveCount(1);
  await expect(postForm(writerPage).title).toHaveValue('From the first tab');
  await second.getByRole('button', { name: 'Restore' }).click();
  await expect(postForm(second).title).toHaveValue('From the second tab');
});

test('on return the writer chooses between the copy and the site’s version', async ({ writerPage, site, writer }) => {
  const post = await site.post(writer, { title: 'As it was', content: '<p>Begun.</p>' });
  const form = await editPost(writerPage, post.id);
  await form.title.fill('As it became');
  await expect(form.saved).toBeVisible();
  await site.update(post.id, { content: '<p>Begun elsewhere.</p>' }, writer);
  writerPage.on('dialog', (dialog) => void dialog.accept());
  const unsent = /This device has unsent changes to this post, saved today at/;
  await reloadUntil(writerPage, () => expect(offer(writerPage)).toContainText(unsent, { timeout: 10_000 }));
  await expect(offer(writerPage)).toContainText('The post was changed after this copy was started');
  await writerPage.getByText('What differs').click();
  await expect(offer(writerPage).locator('ins').filter({ hasText: 'became' })).toHaveCount(1);
  await expect(offer(writerPage).locator('del').filter({ hasText: 'elsewhere' })).toHaveCount(1);
  await writerPage.getByRole('button', { name: 'Keep the site’s version' }).click();
  await expect(form.title).toHaveValue('As it was');
  await keeps(writerPage);
  await offer(writerPage).getByRole('button', { name: 'Undo' }).click();
  await writerPage.getByRole('button', { name: 'Restore' }).click();
  await expect(form.title).toHaveValue('As it became');
  await expect(form.content).toHaveText('Begun.');
  await form.publish(post.id);
  expect((await site.stored(post.id)).title).toBe('As it became');
  await keeps(writerPage);
});

test('words survive a reload, and can be discarded and brought back', async ({ writerPage, site, writer }) => {
  writerPage.on('dialog', (dialog) => void dialog.accept());
  const form = await newPost(writerPage, { title: 'Half a thought', text: 'And half a sentence' });
  await form.chooseImage('ink.png');
  await expect(writerPage.getByText(/^ink\.png, /)).toBeVisible();
  await expect.poll(() => pictures(writerPage)).toBe(1);
  await keeps(writerPage, 'half a sentence');
  await reloadUntil(writerPage, () => expect(form.title).toHaveValue('Half a thought', { timeout: 10_000 }));
  await expect(form.content).toHaveText('And half a sentence');
  await expect(form.slug).toHaveValue('half-a-thought');
  await expect(writerPage.getByText(/^ink\.png, /)).toBeVisible();
  await expect(form.saved).toBeVisible();
  await expect(offer(writerPage)).toHaveCount(0);
  // The restored words are still a single copy, and Undo does not remove them.
  await form.content.click();
  await writerPage.keyboard.press('ControlOrMeta+z');
  await writerPage.keyboard.press('ControlOrMeta+End');
  await writerPage.keyboard.type(', gone on with');
  await keeps(writerPage, 'And half a sentence, gone on with');

  await writerPage.getByRole('button', { name: 'Discard' }).click();
  await expect(form.title).toHaveValue('');
  await expect(form.content).toHaveText('');
  await keeps(writerPage);
  await writerPage.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(form.title).toHaveValue('Half a thought');
  await expect(form.content).toHaveText('And half a sentence, gone on with');
  await keeps(writerPage, 'gone on with');
  await writerPage.getByRole('button', { name: 'Discard' }).click();
  await keeps(writerPage);
  await writerPage.reload();
  await expect(form.content).toHaveText('');
  await expect(offer(writerPage)).toHaveCount(0);

  const post = await site.post(writer, { title: 'As it was', content: '<p>Begun.</p>' });
  await editPost(writerPage, post.id);
  await form.title.fill('As it became');
  await expect(form.saved).toBeVisible();
  await reloadUntil(writerPage, () => expect(form.title).toHaveValue('As it became', { timeout: 10_000 }));
  await writerPage.getByRole('button', { name: 'Discard' }).click();
  await expect(form.title).toHaveValue('As it was');
});

test('words typed while the device is busy are not lost with the page', async ({ writerPage }) => {
  const form = await newPost(writerPage, { title: 'Between two writes', text: 'Stored.' });
  await expect(form.saved).toBeVisible();
  await keepBusy(writerPage);
  await form.write(' Typed.');
  writerPage.on('dialog', (leave) => void leave.accept());
  await reloadUntil(writerPage, () => expect(form.content).toHaveText('Stored. Typed.', { timeout: 10_000 }));
  await keepBusy(writerPage);
  await form.title.fill('Left behind');
  await writerPage.goto('/');
  await writerPage.goto('/add-post');
  await offersDraft(writerPage);
  await expect(offer(writerPage)).toContainText('“Left behind”');
  await offer(writerPage).getByRole('button', { name: 'Restore' }).click();
  await expect(form.content).toHaveText('Stored. Typed.');
  await keeps(writerPage, 'Left behind <p>Stored. Typed.');
});

test('a copy cannot be restored while the form is sent, and is offered afterwards', async ({
  writerPage: first,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'As it was' });
  await (await editPost(first, post.id)).title.fill('Left behind');
  await keeps(first, 'Left behind');
  const page = await first.context().newPage();
  await first.close({ runBeforeUnload: false });
  const form = await editPost(page, post.id);
  await offersDraft(page);
  await form.title.fill('Sent');
  const release = await hold(page, `**/articles/documents/${post.id}`, 'PATCH');
  await form.submit.click();
  await expect(form.submit).toHaveAttribute('aria-busy', 'true');
  await expect(page.locator('[inert]').filter({ has: form.offer })).toHaveCount(1);
  release();
  await page.waitForURL(`**/post/${post.id}`);
  await keeps(page, 'Left behind');
  await page.goto(`/edit-post/${post.id}`);
  await offersDraft(page);
});

test('a duplicated tab does not take the words of the one that writes them', async ({ writerPage }) => {
  await newPost(writerPage, { title: 'Written once' });
  await keeps(writerPage, 'Written once');
  // A duplicated tab starts with a copy of the history state.
  const state = await writerPage.evaluate(() => history.state);
  expect(state).toMatchObject({ draft: expect.any(String) });
  const second = await writerPage.context().newPage();
  second.on('dialog', (dialog) => void dialog.accept());
  await second.goto('/add-post');
  await second.evaluate((copied) => history.replaceState(copied, ''), state);
  await second.reload();
  await expect(postForm(second).content).toBeVisible();
  await expect(postForm(second).title).toHaveValue('');
  await postForm(second).title.fill('Written beside it');
  await keeps(writerPage, 'Written once', 'Written beside it');
  const { title } = postForm(second);
  await reloadUntil(second, () => expect(title).toHaveValue('Written beside it', { timeout: 10_000 }));
  await expect(postForm(writerPage).title).toHaveValue('Written once');
});

test('neither of two users of one browser is offered the other’s words', async ({ writerPage, site, writer }) => {
  const other = await site.writer('Another Writer');
  const context = writerPage.context();
  await expect((await newPost(writerPage, { title: 'Ada’s secret' })).saved).toBeVisible();
  await writerPage.close();
  const arrive = async (who: typeof writer) => {
    await context.clearCookies();
    const page = await signIn(context, site, who);
    await page.goto('/add-post');
    await expect(postForm(page).content).toBeVisible();
    return page;
  };
  const theirs = await arrive(other);
  await postForm(theirs).title.fill('Bob’s words');
  await expect(postForm(theirs).saved).toBeVisible();
  await expect(offer(theirs)).toHaveCount(0);
  await theirs.close();
  const ours = await arrive(writer);
  await offersDraft(ours);
  await expect(offer(ours)).toContainText('Ada’s secret');
  await expect(offer(ours)).not.toContainText('Bob');
});

test('a device without room says so and stores the words later', async ({ writerPage, site }) => {
  const devTools = await writerPage.context().newCDPSession(writerPage);
  const form = await newPost(writerPage);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: site.url, quotaSize: 1 });
  await form.write('No room for this.');
  await expect(writerPage.getByText('Not saved: this device’s storage is full')).toBeVisible();
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: site.url });
  await form.write(' But for this.');
  await expect(form.saved).toBeVisible();
  await keeps(writerPage, 'No room for this. But for this.');
  // If the browser deletes the stored copy, the form stores everything again, including the picture.
  await form.chooseImage();
  await expect(writerPage.getByText(/picture\.png, /)).toBeVisible();
  await expect.poll(() => pictures(writerPage)).toBe(1);
  await devTools.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'indexeddb' });
  await form.write(' And for all of it.');
  await expect.poll(() => pictures(writerPage)).toBe(1);
  await keeps(writerPage, 'And for all of it.');
});

test('a draft replaces the words in the form only once they can be stored', async ({ writerPage }) => {
  await expect((await newPost(writerPage, { title: 'The former words' })).saved).toBeVisible();
  const page = await writerPage.context().newPage();
  await writerPage.close();
  await page.goto('/add-post');
  await offersDraft(page);
  await expect(offer(page)).toContainText('The former words');
  await makeFull(page, true);
  const full = 'Not saved: this device’s storage is full';
  await postForm(page).title.fill('The newer words');
  await postForm(page).chooseImage('ink.png');
  await expect(page.getByText(/^ink\.png, /)).toBeVisible();
  await expect(page.locator('.editor-foot').getByText(full)).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(offer(page).getByText(full)).toBeVisible();
  await expect(postForm(page).title).toHaveValue('The newer words');
  await makeFull(page, false);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(postForm(page).title).toHaveValue('The former words');
  await expect(offer(page)).toContainText('The newer words');
  expect(await pictures(page)).toBe(1);
});

test('the words of a page that is slow to load again are offered as well', async ({ writerPage }) => {
  writerPage.on('dialog', (dialog) => void dialog.accept());
  await expect((await newPost(writerPage, { title: 'Left behind' })).saved).toBeVisible();
  const page = await writerPage.context().newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  await writerPage.close();
  await expect((await newPost(page, { title: 'Loaded again' })).saved).toBeVisible();
  const letThrough = await hold(page, /\/DraftOffer\./);
  await page.reload();
  await expect(postForm(page).content).toBeVisible();
  await expect(postForm(page).title).toHaveValue('');
  letThrough();
  const title = offer(page).getByText(/Left behind|Loaded again/);
  const first = await title.textContent();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(offer(page)).toContainText(first?.includes('Left') ? 'Loaded again' : 'Left behind');
});

test('leaving the form asks, and its words are offered on return', async ({ writerPage: page }) => {
  const form = await newPost(page, { title: 'Half a thought', text: 'And half a sentence' });
  await expect(form.saved).toBeVisible();
  const asked: string[] = [];
  page.on('dialog', (dialog) => asked.push(dialog.type()) && void dialog.accept());
  await page.goto('/');
  expect(asked).toEqual(['beforeunload']);
  await page.goto('/add-post');
  await offersDraft(page);
  await form.offer.getByRole('button', { name: 'Restore' }).click();
  await expect(form.title).toHaveValue('Half a thought');
  await expect(form.content).toContainText('And half a sentence');
  // The server publishes the post, and the writer leaves the page before the response arrives.
  await form.chooseImage();
  const { promise: made, resolve } = Promise.withResolvers<void>();
  await page.route(/\/documents$/, (route) => route.fetch().then(() => resolve()));
  await form.submit.click();
  await made;
  // While the previous page still holds its draft's lock, the new page does not offer the draft.
  await expect(async () => {
    await page.goto('/add-post');
    await expect(form.offer).toContainText('“Half a thought” is already on the site.', { timeout: 10_000 });
  }).toPass();
  await expect(form.offer.getByRole('link', { name: 'Read the post' })).toHaveAttribute('href', '/post/half-a-thought');
});
