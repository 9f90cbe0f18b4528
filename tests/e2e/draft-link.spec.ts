import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { editPost } from './post-form.ts';
import { expect, type RunningSite, sentBy, test } from './site.ts';

/** Lists the files of the page store (index included) that contain a word. Every page is also stored uncompressed. */
const storedWith = (site: RunningSite, word: string) =>
  readdirSync(join(site.dataDirectory, 'pages'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(word));

const link = (page: Page) => page.getByRole('dialog').getByLabel('Link', { exact: true });

test('a shared draft is read whole and stored nowhere', async ({ writerPage, open, site, writer, access }) => {
  const inText = await site.upload(writer, await picture(), 'text.png', 'inactive');
  const post = await site.post(writer, {
    title: 'Zirkelschluss',
    content: `<p>Een kort verhaal over chrysopraas.</p><p><img src="${site.view(inText)}" alt="In the text"></p><pre><code>src="/v1/storage/"</code></pre>`,
    status: 'inactive',
  });
  const shared = await site.post(writer);
  await site.update(shared.id, { tags: ['Mineralen'] }, writer);
  const words = { language: 'nl', excerpt: 'Over een steen.', featuredImageAlt: 'A grey square' };
  const details = { tags: ['Edelstenen', 'Mineralen'], ...words };
  await site.update(post.id, details, writer);

  await editPost(writerPage, post.id);
  await writerPage.getByRole('button', { name: 'Share this draft' }).click();
  await writerPage.getByLabel('A day').check();
  await writerPage.getByRole('button', { name: 'Make a link' }).click();
  await expect(link(writerPage)).toHaveValue(new RegExp(`^${site.url}/draft/${post.id}/`));
  await writerPage.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await writerPage.getByRole('button', { name: 'Copy' }).click();
  await expect(writerPage.getByText('Copied.')).toBeVisible();
  const address = await writerPage.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(await link(writerPage).inputValue());

  const guest = await open();
  const asked = sentBy(guest, '/files/');
  const answer = await guest.goto(address);
  expect(answer?.status()).toBe(200);
  expect(await answer?.allHeaders()).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  const until = new Date(Date.now() + 24 * 3600 * 1000).toLocaleString('en', { dateStyle: 'long', timeZone: 'UTC' });
  await expect(guest.getByRole('note')).toContainText('This is a draft');
  await expect(guest.getByRole('note')).toContainText(`shared until ${until}`);
  await expect(guest.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(guest.locator('meta[name=description]')).toHaveAttribute('content', details.excerpt);
  await expect(guest.getByRole('heading', { level: 1, name: post.title })).toHaveAttribute('lang', 'nl');
  await expect(guest.locator('.prose')).toHaveAttribute('lang', 'nl');
  await expect(guest.getByText('chrysopraas')).toBeVisible();
  const tags = guest.getByRole('list', { name: 'Tags' });
  await expect(tags.getByRole('listitem')).toHaveText(details.tags);
  // A tag is a link only if a published post has it. The other tag has no page until the draft is published.
  await expect(tags.getByRole('link')).toHaveText(['Mineralen']);
  await expect(guest.getByText('src="/v1/storage/"')).toBeVisible();
  for (const alt of [details.featuredImageAlt, 'In the text']) {
    const shown = guest.getByAltText(alt);
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  // A guest may not read the pictures directly, so the page loads them through the draft link.
  expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
  // Retries, because the site may rename a file between listing and reading it.
  await expect(async () => expect(storedWith(site, 'chrysopraas')).toEqual([])).toPass({ timeout: 60_000 });
  for (const path of ['/', '/archive', '/feed.xml', '/sitemap.xml', '/tags.json', '/search?q=chrysopraas'])
    expect(await site.text(path), path).not.toMatch(/Zirkelschluss|Edelstenen|draft\//);

  await writerPage.goto('/all-posts');
  await writerPage.getByRole('button', { name: /^(Mine|My inactive)$/ }).click();
  await writerPage.getByRole('button', { name: `Share “${post.title}”` }).click();
  await expect(link(writerPage)).toHaveValue(address);
  await writerPage.getByRole('button', { name: 'Revoke' }).click();
  await expect(writerPage.getByText('The link was revoked and no longer works.')).toBeVisible();
  for (const [path, status, words] of [
    [address, 410, 'It was revoked, or the post was deleted.'],
    [address.replace(post.id, shared.id), 404, 'This link doesn’t exist.'],
  ] as const) {
    const left = await guest.goto(path);
    expect([left?.status(), await left?.headerValue('cache-control')]).toEqual([status, 'private, no-store']);
    expect(await left?.headerValue('x-robots-tag')).toContain('noindex');
    await expect(guest.getByText(words)).toBeVisible();
    await expect(guest.getByText('chrysopraas')).toHaveCount(0);
  }

  await writerPage.getByRole('button', { name: 'Make a link' }).click();
  await expect(link(writerPage)).toHaveValue(/\/draft\//);
  const again = await link(writerPage).inputValue();
  await site.setStatus(writer, post, 'active');
  await guest.goto(again);
  expect(guest.url()).toBe(`${site.url}/post/${post.id}`);
  if (access !== 'embedded') return;
  await expect(async () => expect(storedWith(site, 'chrysopraas')).not.toEqual([])).toPass({ timeout: 60_000 });
});
