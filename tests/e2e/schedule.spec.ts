import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { Databases } from 'node-appwrite';
import { postForm } from './post-form.ts';
import { RemoteAppwrite } from './remote.ts';
import { expect, ownSite, RunningSite, removeSite, signIn, test, type Writer } from './site.ts';

const place = { databaseId: 'blog', collectionId: 'articles' };
const schedule = (site: RunningSite, writer: Writer, documentId: string, publishAt: number) =>
  new Databases(site.as(writer)).updateDocument({
    ...place,
    documentId,
    data: { publishAt: new Date(publishAt).toISOString() },
  });

test('a writer sets the hour in their own time zone, sees it in their list, and cancels it', async ({
  browser,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'For the spring', status: 'inactive' });
  const context = await browser.newContext({ baseURL: site.url, timezoneId: 'Europe/Berlin' });
  const page = await signIn(context, site, writer);
  await page.goto(`/edit-post/${post.id}`);
  await page.getByText('Publish or unpublish later').click();
  const hour = page.getByLabel('Publish at');
  await expect(page.getByText(/In your time zone: Central European/)).toBeVisible();

  await hour.fill('2020-01-01T09:00');
  await postForm(page).submit.click();
  await expect(page.getByText('That time has passed. Choose a later one, or clear it.')).toBeVisible();
  await expect(hour).toBeFocused();

  await hour.fill('2031-03-30T02:30');
  await expect(page.getByText('02:30 doesn’t exist on that day')).toBeVisible();
  await expect(hour).toHaveValue('2031-03-30T03:30');

  await hour.fill('2031-10-26T02:30');
  await page.getByLabel('Central European Standard Time (UTC+01:00)').check();
  await postForm(page).submit.click();
  await page.waitForURL(`**/post/${post.id}`);
  const read = () => new Databases(site.admin()).getDocument({ ...place, documentId: post.id });
  expect(Date.parse((await read()).publishAt)).toBe(Date.UTC(2031, 9, 26, 1, 30));

  await page.goto('/all-posts');
  await page.getByRole('button', { name: /^(Mine|My inactive)$/ }).click();
  await expect(page.getByText(/Will be published on 26 October 2031 at 0?2:30/)).toBeVisible();

  await page.goto(`/edit-post/${post.id}`);
  await page.getByLabel('Publish at').fill('');
  await postForm(page).submit.click();
  await page.waitForURL(`**/post/${post.id}`);
  expect((await read()).publishAt).toBe(null);
  await context.close();
});

test('an hour that has passed opens its folded fields and is focused, also where a draft brought it', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'Too late', status: 'inactive' });
  await page.goto(`/edit-post/${post.id}`);
  const section = page.getByRole('button', { name: 'Publish or unpublish later' });
  const hour = page.getByLabel('Publish at');
  await section.click();
  await hour.fill('2020-01-01T09:00');
  // A second press with the same error opens the section again.
  for (let press = 0; press < 2; press += 1) {
    await section.click();
    await expect(hour).toBeHidden();
    await postForm(page).submit.click();
    await expect(page.getByText('That time has passed.')).toBeVisible();
    await expect(hour).toBeFocused();
  }

  await expect(page.getByText(/Saved on this device/)).toBeVisible();
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`/edit-post/${post.id}`);
  await next.getByRole('button', { name: 'Restore' }).click();
  await postForm(next).submit.click();
  await expect(next.getByText('That time has passed.')).toBeVisible();
  await expect(next.getByLabel('Publish at')).toBeFocused();
});

test('its hour comes: everywhere at once, and not before', async ({ site, writer, access, page }) => {
  test.skip(access !== 'embedded' && access !== 'gateway');
  const post = await site.post(writer, { title: 'At its hour', status: 'inactive', content: '<p>Chrysoberyl.</p>' });
  const paths = ['/', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml'];
  // The search is limited per address.
  const isFound = async () =>
    (await (await page.request.get('/search?q=Chrysoberyl')).text()).includes(`/post/${post.id}`);
  const picture = site.view(post.featuredImage);
  for (const path of paths) await page.request.get(path);
  expect(await isFound()).toBe(false);
  const at = Date.now() + 2500;
  await schedule(site, writer, post.id, at);
  await site.revalidate(writer, post.id);
  const seen = async () => {
    const [list, own, file] = await Promise.all([
      Promise.all(
        paths.map(async (path) => (await (await page.request.get(path)).text()).includes(`/post/${post.id}`)),
      ),
      page.request.get(`/post/${post.id}`),
      page.request.get(picture),
    ]);
    return [...list, own.status() === 200, file.status() === 200];
  };
  for (let isEarly = true; isEarly; isEarly = Date.now() < at - 500) {
    const shown = await seen();
    if (Date.now() < at) expect(shown).toEqual(shown.map(() => false));
  }
  await expect.poll(seen, { intervals: [20] }).toEqual([...paths, '', ''].map(() => true));
  expect(await isFound()).toBe(true);
  const document = await new Databases(site.admin()).getDocument({ ...place, documentId: post.id });
  expect([Date.parse(document.$createdAt), document.publishAt]).toEqual([at, null]);
});

test('killed within the second of the hour and started again, a site publishes each post once @embedded', async () => {
  const site = await ownSite();
  try {
    const writer = await site.writer();
    const posts: { readonly id: string }[] = [];
    for (let i = 0; i < 6; i += 1) posts.push(await site.post(writer, { title: `Waiting ${i}`, status: 'inactive' }));
    const at = Date.now() + 1500;
    for (const [i, { id }] of posts.entries()) await schedule(site, writer, id, at + 20 * i);
    await new Promise((resolve) => setTimeout(resolve, at + 50 - Date.now()));
    await site.stop('SIGKILL');
    await site.start();
    const home = async () => (await fetch(`${site.url}/`)).text();
    const feed = async () => (await fetch(`${site.url}/feed.xml`)).text();
    for (const read of [home, feed]) await expect.poll(() => shownIn(read, posts), { intervals: [20] }).toBe(6);
    const documents = await Promise.all(
      posts.map(({ id }) => new Databases(site.admin()).getDocument({ ...place, documentId: id })),
    );
    expect(documents.map(({ $createdAt, publishAt }) => [Date.parse($createdAt) - at, publishAt])).toEqual(
      posts.map((_, i) => [20 * i, null]),
    );
  } finally {
    await removeSite(site);
  }
});

test('of two instances one is killed at the hour, and then the backend is away: each post is published @embedded', async () => {
  const remote = new RemoteAppwrite('127.0.0.1', await freePort(), ['appwrite.example.com']);
  await remote.start();
  const [a, b] = [await freePort(), await freePort()];
  const instance = (port: number, peer: number) =>
    new RunningSite(port, mkdtempSync(join(tmpdir(), 'common-ink-e2e-')), {
      access: 'gateway',
      remote,
      environment: { PEERS: `http://127.0.0.1:${peer}`, PEER_SECRET: 'secret-of-the-instances' },
    });
  const [one, other] = [instance(a, b), instance(b, a)];
  await Promise.all([one.start(), other.start()]);
  try {
    const writer = await one.writer();
    const posts: { readonly id: string; readonly title: string }[] = [];
    for (let i = 0; i < 6; i += 1) {
      const post = await one.post(writer, { title: `Waiting ${i}`, status: 'inactive' });
      posts.push(post);
    }
    const at = Date.now() + 3000;
    for (const [i, { id }] of posts.entries()) {
      await schedule(one, writer, id, at + 20 * i);
      await one.revalidate(writer, id);
    }
    await fetch(`${other.url}/`);
    await new Promise((resolve) => setTimeout(resolve, at + 40 - Date.now()));
    await one.stop('SIGKILL');
    const home = async () => (await fetch(`${other.url}/`)).text();
    await expect
      .poll(async () => shownIn(home, posts), {
        intervals: [20],
      })
      .toBe(posts.length);

    const late = await other.post(writer, { title: 'While it was away', status: 'inactive' });
    await schedule(other, writer, late.id, Date.now() + 1500);
    await other.revalidate(writer, late.id);
    await remote.stop();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await remote.start();
    await expect.poll(async () => (await fetch(`${other.url}/post/${late.id}`)).status).toBe(200);
    expect(await home()).toContain(late.title);
  } finally {
    await removeSite(other);
    await remote.remove();
  }
});

const shownIn = async (read: () => Promise<string>, posts: readonly { id: string }[]): Promise<number> => {
  const text = await read();
  return posts.filter(({ id }) => text.includes(`/post/${id}`)).length;
};
