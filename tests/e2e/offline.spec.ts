import { rmSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright/test';
import { WORKER_SCOPES } from '#blog/routes/paths.ts';
import { readyOffline as ready } from './offline.ts';
import { otherBuild } from './other-build.ts';
import { picture } from './pictures.ts';
import { postForm, reloadUntil, stored, storedTitles } from './post-form.ts';
import {
  expect,
  ownSite,
  patient,
  policyViolations,
  type RunningSite,
  sessionCookie,
  signIn,
  test,
  type Writer,
} from './site.ts';

test.use({ serviceWorkers: 'allow' });

const NOTICE = 'You’re offline. This is the copy saved on this device.';
const offlineCaches = (page: Page) => page.evaluate(() => caches.keys());

/** Waits until the browser has cached a response whose URL contains `part`. */
const seen = (page: Page, part: string) =>
  expect
    .poll(() =>
      page.evaluate(async (wanted) => {
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) if (url.includes(wanted)) return true;
        return false;
      }, part),
    )
    .toBe(true);

async function cut(context: BrowserContext, site: RunningSite): Promise<void> {
  await context.setOffline(true);
  await site.stop();
}

async function switchUser(page: Page, site: RunningSite, writer: Writer): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies([sessionCookie(site, writer)]);
}

test('every page opens offline, with own posts whole and their pictures @embedded', async ({
  browser,
  site,
  writer,
}) => {
  const size = { width: 900, height: 600 };
  const inText = await site.upload(writer, await picture(), 'a.png', 'active');
  const content = `<p>Kept for the train.</p><figure><img src="/v1/storage/buckets/media/files/${inText}/view?project=common-ink" alt="" width="320" height="240"></figure>`;
  const post = await site.post(writer, { title: 'Own and whole', content, size });
  const context = await patient(await browser.newContext({ baseURL: site.url }));
  const page = await signIn(context, site, writer);
  const refused = policyViolations(page);
  await ready(page);
  await seen(page, `/documents/${post.id}`);
  await seen(page, `/${post.featuredImage}/preview`);
  await seen(page, `/${inText}/view`);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await seen(page, '/account/sessions');
  await cut(context, site);

  await page.goto('/all-posts?scope=mine');
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Own and whole' })).toBeVisible();
  await page.goto(`/edit-post/${post.id}`);
  const form = postForm(page);
  await expect(form.title).toHaveValue('Own and whole');
  await expect(form.content).toContainText('Kept for the train.');
  for (const shown of [form.content.locator('img'), page.locator('aside img').first()])
    await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  await form.write('And on. ');
  await expect(page.getByText(/Saved on this device/)).toBeVisible();
  await page.goto('/add-post');
  await form.title.fill('Written in a tunnel');
  await expect(page.getByText(/Saved on this device/)).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await expect(page.getByText(NOTICE)).toBeVisible();
  // Parts of the form that load on demand are available offline, too.
  await page.goto(`/edit-post/${post.id}`);
  await expect(form.content).toBeVisible();
  await page.getByRole('button', { name: 'HTML source' }).click();
  await expect(page.getByRole('textbox', { name: 'HTML source' })).toHaveValue(/Kept for the train/);
  expect(refused).toEqual([]);
  await site.start();
  await context.setOffline(false);
  await page.goto('/all-posts?scope=mine');
  await expect(page.getByRole('heading', { name: 'Own and whole' })).toBeVisible();
  await expect(page.getByText(NOTICE)).toBeHidden();
  await context.close();
});

test('shows nothing of one user to the next, and nothing after a sign-out @embedded', async ({ browser }) => {
  await using site = await ownSite();
  const [ann, ben] = [await site.writer('Ann'), await site.writer('Ben')];
  await site.post(ann, { title: 'A secret of Ann', status: 'inactive' });
  const context = await patient(await browser.newContext({ baseURL: site.url }));
  const page = await signIn(context, site, ann);
  await ready(page);
  await seen(page, 'databases');
  await switchUser(page, site, ben);
  await page.goto('/all-posts?scope=mine');
  await expect(page.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect.poll(() => offlineCaches(page)).toContain(`common-ink:user:answers:${ben.id}`);
  expect((await offlineCaches(page)).join()).not.toContain(ann.id);
  await seen(page, '/v1/account');
  await cut(context, site);
  await page.goto('/all-posts?scope=mine');
  await expect(page.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(page.getByText('A secret of Ann')).toHaveCount(0);
  await site.start();
  await context.setOffline(false);

  // Signs out on a reader's page, where the service worker does not see it.
  await page.goto('/');
  await page.getByRole('button', { name: /Log ?out|Sign out/i }).click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await expect
    .poll(() =>
      offlineCaches(page).then(
        (names) => names.join(),
        () => 'user',
      ),
    )
    .not.toContain('user');
  await cut(context, site);
  await page.goto('/all-posts').catch(() => {});
  await expect(page.getByRole('heading', { name: 'All Posts' })).toHaveCount(0);
  await context.close();
});

test('a session that has ended elsewhere deletes what is stored @embedded', async ({ browser, site }) => {
  const writer = await site.writer();
  for (const place of ['/all-posts', '/']) {
    const context = await patient(await browser.newContext({ baseURL: site.url }));
    const page = await signIn(context, site, writer);
    await ready(page);
    await seen(page, 'databases');
    await context.clearCookies();
    await page.goto(place);
    // While the page redirects to the login page, the check fails and is repeated.
    await expect
      .poll(() =>
        offlineCaches(page).then(
          (names) => names.join(),
          () => 'user',
        ),
      )
      .not.toContain('user');
    await context.close();
  }
});

test('after a new build, an open page works on and the next one is new @embedded', async ({ browser }) => {
  await using site = await ownSite();
  const writer = await site.writer();
  const post = await site.post(writer, { title: 'Over two builds' });
  const context = await patient(await browser.newContext({ baseURL: site.url }));
  const page = await signIn(context, site, writer);
  await ready(page);
  await seen(page, `/documents/${post.id}`);
  const old = await context.newPage();
  await old.goto(`/edit-post/${post.id}`);
  await expect(postForm(old).title).toHaveValue('Over two builds');
  const { build, script } = otherBuild();
  await site.stop();
  const { port } = new URL(site.url);
  const next = await ownSite({ build, environment: { PORT: port, DATA_DIR: site.dataDirectory } });
  try {
    const scripts = () =>
      page.evaluate(async () => (await (await caches.open('common-ink:files')).keys()).map(({ url }) => url));
    // The worker shows the stored page while the server is slow to answer.
    await expect(async () => {
      await page.goto('/all-posts?scope=mine');
      expect(await page.content()).toContain(script);
    }).toPass();
    await expect(page.getByRole('heading', { name: 'Over two builds' })).toBeVisible();
    await expect.poll(async () => (await scripts()).join()).toContain(script);
    // The old build's script stays stored while one of that build's pages is open.
    const former = script.replace('2.js', '.js');
    expect((await scripts()).join()).toContain(former);
    await postForm(old).title.fill('Over two builds, changed');
    await expect(postForm(old).saved).toBeVisible();
    await old.close();
    // A visit removes nothing while the service worker is still busy with the previous visit.
    await expect(async () => {
      await page.goto('/all-posts');
      await expect.poll(async () => (await scripts()).join(), { timeout: 10_000 }).not.toContain(former);
    }).toPass();
    await context.setOffline(true);
    await page.goto('/all-posts?scope=mine');
    await expect(page.getByRole('heading', { name: 'Over two builds' })).toBeVisible();
    expect(await page.content()).toContain(script);
  } finally {
    await next.stop();
    rmSync(build, { recursive: true, force: true });
    await context.close();
  }
});

test('two tabs work offline at once and keep a copy each @embedded', async ({ browser, site, writer }) => {
  const post = await site.post(writer, { title: 'In two tabs' });
  const context = await patient(await browser.newContext({ baseURL: site.url }));
  const page = await signIn(context, site, writer);
  await ready(page);
  await seen(page, `/documents/${post.id}`);
  await context.setOffline(true);
  const second = await context.newPage();
  for (const [tab, words] of [
    [page, 'One'],
    [second, 'Two'],
  ] as const) {
    await tab.goto(`/edit-post/${post.id}`);
    await postForm(tab).title.fill(words);
    await expect(tab.getByText(/Saved on this device/)).toBeVisible();
  }
  expect((await storedTitles(page)).sort()).toEqual(['One', 'Two']);
  await context.close();
});

for (const isOffline of [true, false])
  test(`what another app shares ${isOffline ? 'offline' : 'online'} becomes a draft @embedded`, async ({
    browser,
    site,
    writer,
  }) => {
    const context = await patient(await browser.newContext({ baseURL: site.url }));
    const page = await signIn(context, site, writer);
    await ready(page);
    await context.setOffline(isOffline);
    const bytes = [...(await picture())];
    await page.evaluate((png) => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        action: '/add-post',
        enctype: 'multipart/form-data',
      });
      const add = (name: string, value: string) =>
        form.append(Object.assign(document.createElement('textarea'), { name, value }));
      add('title', 'Seen on the way');
      add('text', 'A <script>alert(1)</script> & more\nhttps://example.com/a?b=1&c=2');
      add('url', 'https://example.com/other');
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(png)], 'a.png', { type: 'image/png' }));
      files.items.add(new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'b.png', { type: 'image/png' }));
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'pictures', multiple: true });
      input.files = files.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    }, bytes);
    await page.waitForURL('**/add-post');
    const form = postForm(page);
    // On a busy machine, the form may open before it has read the draft. It then offers the draft until it is reloaded.
    await expect(async () => {
      if (await form.offer.isVisible()) await page.reload();
      await expect(form.title).toHaveValue('Seen on the way', { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await expect(form.content).toContainText('A <script>alert(1)</script> & more');
    await expect(form.content.locator('a')).toHaveCount(2);
    await expect(form.content.locator('img')).toHaveCount(1);
    await expect
      .poll(() => form.content.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    await reloadUntil(page, () => expect(form.title).toHaveValue('Seen on the way', { timeout: 10_000 }));
    expect(await stored(page, 'drafts')).toHaveLength(1);
    expect(await offlineCaches(page)).not.toContain('common-ink:shared');
    await context.close();
  });

test('without a worker, the site says what to do with something shared @embedded', async ({ open, site, writer }) => {
  const body = new FormData();
  body.set('text', 'x'.repeat(1_000_000));
  const answer = await fetch(`${site.url}/add-post`, { method: 'POST', body, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/add-post?share-failed']);
  const page = await open({ as: writer, path: '/add-post?share-failed' });
  await expect(page.getByText('What you shared didn’t arrive.')).toBeVisible();
});

test('guests and readers’ pages register nothing @embedded', async ({ open, site, writer }) => {
  const post = await site.post(writer);
  const registered = (page: Page) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
  const guest = await open();
  for (const path of ['/', `/post/${post.id}`, '/login', '/all-posts']) {
    await guest.goto(path);
    if (path === '/all-posts') await guest.waitForURL(`${site.url}/login`);
    await guest.waitForLoadState('networkidle');
    expect(await registered(guest)).toEqual([]);
  }
  const page = await open({ as: writer });
  for (const path of ['/', `/post/${post.id}`, '/search?q=a']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    expect([await registered(page), await page.locator('link[rel=manifest]').count()]).toEqual([[], 0]);
  }
  await ready(page);
  expect((await registered(page)).sort()).toEqual(WORKER_SCOPES.map((scope) => site.url + scope).sort());
  await page.goto('/');
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
});

test('the app has a manifest and icons, and proxies keep no worker @embedded', async ({ site }) => {
  const manifest = JSON.parse(await site.text('/app.webmanifest'));
  expect(manifest).toMatchObject({ start_url: '/all-posts', scope: '/', display: 'standalone' });
  expect(manifest.share_target).toMatchObject({ action: '/add-post', method: 'POST', enctype: 'multipart/form-data' });
  for (const { src, sizes } of manifest.icons) {
    const answer = await fetch(site.url + src);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  expect(await site.status('/app-icon-99999.png')).toBe(404);
  const worker = await fetch(`${site.url}/writers-worker.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  expect(await worker.text()).not.toMatch(/^import\b|\bexport\b/m);
});
