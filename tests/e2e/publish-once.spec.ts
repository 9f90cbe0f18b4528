import { Databases, Query } from 'node-appwrite';
import { noise } from './pictures.ts';
import {
  cuttable,
  editPost,
  inLine,
  loading,
  newPost,
  offersDraft,
  stayInLine,
  stored,
  typeAfter,
} from './post-form.ts';
import { ARTICLES, expect, hold, patient, type RunningSite, signIn, test, type Writer } from './site.ts';

const postsOf = (site: RunningSite, writer: Writer) =>
  new Databases(site.admin()).listDocuments({ ...ARTICLES, queries: [Query.equal('userId', writer.id)] });

const BROKEN = { status: 500, json: { message: 'Broken for a moment', code: 500, type: 'general_unknown' } };
const broken = /Broken for a moment/;

test('a double click and Enter make one post with what was on the screen', async ({ writerPage, site, writer }) => {
  const release = await hold(writerPage, /\/documents$/, 'POST');
  const form = await newPost(writerPage, { title: `Once ${writer.id}`, text: 'As it stood.', image: true });
  const creating = writerPage.waitForRequest((request) => /\/documents$/.test(request.url()));
  await form.submit.dblclick();
  await creating;
  for (const field of [form.title, form.slug]) await expect(field).not.toBeEditable();
  await form.title.press('x');
  await expect(form.content).toHaveAttribute('contenteditable', 'false');
  await writerPage.keyboard.type('Typed too late.');
  await form.slug.press('Enter');
  await expect(writerPage.getByRole('toolbar').locator('..')).toHaveJSProperty('inert', true);
  await expect(form.status).toHaveJSProperty('inert', true);
  release();
  await writerPage.waitForURL(/\/post\/once/);
  const { documents, total } = await postsOf(site, writer);
  expect(total).toBe(1);
  expect(documents[0]).toMatchObject({ title: `Once ${writer.id}`, content: '<p>As it stood.</p>' });
});

test('a failed publish gives the form back as it was', async ({ writerPage, site, writer }) => {
  const realtime = await cuttable(writerPage);
  const post = await site.post(writer, { title: 'As it was' });
  await writerPage.route(/\/documents\//, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(BROKEN) : route.continue(),
  );
  const form = await editPost(writerPage, post.id);
  await form.title.fill('As it became');
  await form.submit.click();
  await form.says(broken);
  await expect(form.title).toBeEditable();
  await expect(form.status).toBeEnabled();
  await form.write('More.');
  await expect(form.content).toContainText('More.');
  await expect(form.saved).toBeVisible();
  // The write succeeds, but its response is lost. The form recognises the change as its own and reports no conflict.
  await writerPage.unrouteAll();
  await writerPage.route(/\/documents\//, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    await route.fulfill(BROKEN);
  });
  await expect.poll(() => realtime.connections).toBeGreaterThan(0);
  // Otherwise, the message about this change might arrive after the response, and the form would report a conflict.
  realtime.isMute = true;
  await form.submit.click();
  await form.says(broken);
  realtime.isMute = false;
  realtime.cut();
  await expect(form.alert.filter({ hasText: broken })).toHaveCount(0);
  await expect(form.alert.filter({ hasText: /changed elsewhere/ })).toHaveCount(0);
  await writerPage.unrouteAll();
  await form.write(' And more.');
  await form.publish(post.id);
  await expect(writerPage.getByText('And more.')).toBeVisible();
});

test('a server killed while a post is published has it once, with every word @embedded', async ({
  writerPage: page,
  site,
  writer,
}) => {
  test.slow();
  const slug = `storms-${writer.id}`;
  await stayInLine(page);
  const loaded = loading(page);
  const form = await newPost(page, { title: 'Through two storms', slug, text: 'Every word of it.' });
  await form.chooseImage('large.png', await noise(5_400_000));
  await expect(page.getByText(/large\.png, /)).toBeVisible();
  await loaded();

  let chunks = 0;
  await page.route(/\/files$/, async (route) => {
    chunks += 1;
    if (chunks === 2) await site.stop('SIGKILL');
    await route.continue();
  });
  await form.submit.click();
  await expect(inLine(page)).toBeVisible();
  await page.unroute(/\/files$/);

  // The server stores the post but is killed before it answers. It must be ready by then, or `start` would fail.
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  await page.route(/\/documents$/, async (route) => {
    await ready;
    await route.fetch();
    await site.stop('SIGKILL');
    await route.abort();
  });
  const stopped = page.waitForEvent('requestfailed', (request) => /\/documents$/.test(request.url()));
  await site.start();
  isReady();
  await stopped;
  await page.unroute(/\/documents$/);
  await site.start();
  await page.getByRole('link', { name: 'Read the post' }).click();
  await page.waitForURL(`**/post/${slug}`);
  await expect(page.getByText('Every word of it.')).toBeVisible();
  expect((await postsOf(site, writer)).total).toBe(1);
});

test('without a network words are stored and published afterwards', async ({ writerPage, site, writer }) => {
  await writerPage.clock.install();
  await stayInLine(writerPage);
  const loaded = loading(writerPage);
  const form = await newPost(writerPage);
  await writerPage.clock.runFor(200);
  await form.title.fill(`In a tunnel ${writer.id}`);
  await form.write('Begun above ground.');
  await form.chooseImage();
  await expect(writerPage.getByText(/picture\.png, /)).toBeVisible();
  await loaded();
  await writerPage.context().setOffline(true);
  // Stops the clock, so that the device may take its time. The jump is shorter than the timeout for storing a picture.
  await writerPage.clock.pauseAt((await writerPage.evaluate(() => Date.now())) + 12_000);
  await form.write(' Gone on below.');
  // Gives the form enough time to begin storing the words, but not enough to reach the storage timeout.
  await writerPage.clock.runFor(2000);
  const words = async () => (await stored<{ content: string }>(writerPage, 'drafts')).map(({ content }) => content);
  await expect.poll(words).toEqual([expect.stringContaining('Gone on below.')]);
  await expect.poll(() => stored(writerPage, 'pictures')).toHaveLength(1);
  await expect(form.saved).toHaveText(/^Offline\. Saved on this device/);
  await writerPage.clock.runFor(60_000);
  await form.submit.click();
  await expect(inLine(writerPage)).toBeVisible();
  await writerPage.clock.resume();
  await writerPage.context().setOffline(false);
  await writerPage.getByRole('link', { name: 'Read the post' }).click();
  await writerPage.waitForURL(/\/post\/in-a-tunnel/);
  await expect(writerPage.getByText('Begun above ground. Gone on below.')).toBeVisible();
  expect((await postsOf(site, writer)).total).toBe(1);
});

test('the back/forward cache shows a usable form @embedded', async ({ playwright, launchOptions, site, writer }) => {
  // Playwright disables the back/forward cache, which readers' browsers use.
  const ignoreDefaultArgs = ['--disable-back-forward-cache'];
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs });
  try {
    const post = await site.post(writer, { content: '<p>One.</p>' });
    const page = await signIn(await patient(await browser.newContext({ baseURL: site.url })), site, writer);
    const form = await editPost(page, post.id);
    await typeAfter(page, 'One.', ' Two.');
    await form.publish(post.id);
    await page.goBack({ waitUntil: 'commit' });
    await expect(form.submit).not.toHaveAttribute('aria-busy', 'true');
    await form.title.fill('Gone on with');
    await form.publish(post.id);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gone on with');
    await expect(page.getByText('One. Two.')).toBeVisible();
    // Words left in a cached page are offered on the next visit, and are still in the form after going back.
    page.on('dialog', (dialog) => void dialog.accept());
    await expect((await newPost(page, { title: 'Left by a link' })).saved).toBeVisible();
    await page.goto('/');
    await page.goto('/add-post');
    await offersDraft(page);
    await expect(form.offer).toContainText('Left by a link');
    for (const path of ['/', '/add-post']) {
      await page.goBack({ waitUntil: 'commit' });
      await expect(page).toHaveURL(site.url + path);
    }
    await expect(form.title).toHaveValue('Left by a link');
  } finally {
    await browser.close();
  }
});
