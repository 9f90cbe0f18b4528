import { Databases, Storage } from 'node-appwrite';
import { expect, ownSite, removeSite, signIn, test } from './site.ts';

test('six characters of password are the remote’s to refuse, in the product’s words', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Short Sample');
  await page.getByLabel('Email', { exact: true }).fill('short@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Aa1!xy');
  await page.getByLabel('Confirm password', { exact: true }).fill('Aa1!xy');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password format.' })).toBeVisible();
});

test('where the remote refuses to transform pictures they are shown as they were stored', async ({
  browser,
  access,
}) => {
  const site = await ownSite({ access });
  try {
    const writer = await site.writer();
    const post = await site.post(writer, { title: 'As it was stored' });
    const page = await browser.newPage({ baseURL: site.url });
    const bucket = { bucketId: 'media', name: 'Media', permissions: ['create("users")'], fileSecurity: true };
    await new Storage(site.admin()).updateBucket({ ...bucket, transformations: false });
    const refused: number[] = [];
    page.on('response', (response) => response.url().includes('/preview') && refused.push(response.status()));
    for (const path of [`/post/${post.id}`, '/']) {
      await page.goto(path);
      const image = page.getByRole('main').locator('img').first();
      await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
      expect(await image.evaluate((shown: HTMLImageElement) => shown.currentSrc)).toContain('/view?');
    }
    // The browser does not report the status of a refusal by another origin.
    expect(new Set(refused)).toEqual(new Set(access === 'direct' ? [] : [403]));
    await page.close();
  } finally {
    await removeSite(site);
  }
});

test('the remote stopped in the middle of a submit: the error says so, the words stay; readers notice nothing', async ({
  browser,
  access,
}) => {
  const site = await ownSite({ access });
  try {
    const writer = await site.writer();
    const post = await site.post(writer, { title: 'Kept for readers' });
    expect((await fetch(`${site.url}/post/${post.id}`)).status).toBe(200);
    const context = await browser.newContext({ baseURL: site.url });
    const page = await signIn(context, site, writer);
    await page.goto(`/edit-post/${post.id}`);
    await expect(page.getByLabel('Title')).toHaveValue('Kept for readers');
    await page.getByLabel('Title').fill('Kept for writers');
    await site.remote?.stop();
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: /server cannot be reached/ })
        .first(),
    ).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('Kept for writers');
    expect(await (await fetch(`${site.url}/post/${post.id}`)).text()).toContain('Kept for readers');
    await site.remote?.start();
    await page.getByRole('button', { name: 'Update' }).click();
    await page.waitForURL(`${site.url}/post/${post.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kept for writers');
    await context.close();
  } finally {
    await removeSite(site);
  }
});

test('what is written, taken back and deleted past the site is on its pages soon, although no webhook comes', async ({
  access,
}) => {
  const site = await ownSite({ access });
  try {
    const writer = await site.writer();
    const post = await site.post(writer, { title: 'Before the change' });
    const databases = new Databases(site.admin());
    const document = { databaseId: 'blog', collectionId: 'articles', documentId: post.id };
    const page = async () => {
      const answer = await fetch(`${site.url}/post/${post.id}`);
      return { status: answer.status, text: await answer.text() };
    };
    expect((await page()).text).toContain('Before the change');
    // The site trusts a webhook's news for a while; a restarted site has received none.
    await site.stop();
    await site.start();
    await databases.updateDocument({ ...document, data: { title: 'Changed past the site' } });
    await expect.poll(async () => (await page()).text).toContain('Changed past the site');
    await databases.updateDocument({ ...document, data: { status: 'inactive' } });
    await expect.poll(async () => (await page()).status).toBe(404);
  } finally {
    await removeSite(site);
  }
});

test('with a key that the remote refuses, the log says so, and pages without names are not stored', async ({
  access,
}) => {
  const environment = { APPWRITE_API_KEY: `standard_${'0123456789abcdef'.repeat(4)}` };
  const site = await ownSite({ access, environment });
  try {
    expect(site.said).toMatch(/refuses APPWRITE_API_KEY .*Make a server key with users\.read/);
    const post = await site.post(await site.writer(), { title: 'Whose is it?' });
    for (const path of ['/', '/', `/post/${post.id}`, `/post/${post.id}`]) {
      const answer = await fetch(site.url + path);
      expect(await answer.text()).toContain('Whose is it?');
      expect([answer.status, answer.headers.get('x-page')]).toEqual([200, expect.stringMatching(/^rendered/)]);
    }
  } finally {
    await removeSite(site);
  }
});
