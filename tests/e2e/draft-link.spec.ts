import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Databases } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { openDraftLinks } from '#backend/draft-links/draft-links.ts';
import { picture } from './pictures.ts';
import { expect, type NewPost, ownSite, type RunningSite, removeSite, test } from './site.ts';

const place = { databaseId: 'blog', collectionId: 'articles' };
const DAY = 24 * 3600;

/** Makes links as a server does whose clock is `behind` seconds slow. */
function linksOf(site: RunningSite, behind = 0) {
  const { endpoint, project: projectId, key: apiKey } = site.admin().config;
  const ids = { ...place, bucketId: 'media', revisionsId: 'revisions' };
  return openDraftLinks({ ...ids, endpoint, projectId, apiKey }, site.url, () => Date.now() - behind * 1000);
}

/** Lists files of the page store that contain a word, its index included. Each page has one uncompressed file. */
const storedWith = (site: RunningSite, word: string) =>
  readdirSync(join(site.dataDirectory, 'pages'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(word));

const link = (page: Page) => page.getByRole('dialog').getByLabel('Link', { exact: true });

test('a writer shares a draft from the form and from the list, a guest reads it whole, and it is kept nowhere', async ({
  writerPage,
  browser,
  site,
  writer,
  access,
}) => {
  const inText = await site.upload(writer, await picture(), 'text.png', 'inactive');
  const post = await site.post(writer, {
    title: 'Zirkelschluss',
    content: `<p>Een kort verhaal over chrysopraas.</p><p><img src="${site.view(inText)}" alt="In the text"></p><pre><code>src="/v1/storage/"</code></pre>`,
    status: 'inactive',
  });
  const shared = await site.post(writer);
  await new Databases(site.as(writer)).updateDocument({
    ...place,
    documentId: shared.id,
    data: { tags: ['Mineralen'] },
  });
  const details = {
    tags: ['Edelstenen', 'Mineralen'],
    language: 'nl',
    excerpt: 'Over een steen.',
    featuredImageAlt: 'A grey square',
  };
  await new Databases(site.as(writer)).updateDocument({ ...place, documentId: post.id, data: details });

  await writerPage.goto(`/edit-post/${post.id}`);
  await writerPage.getByRole('button', { name: 'Share this draft' }).click();
  await writerPage.getByLabel('A day').check();
  await writerPage.getByRole('button', { name: 'Make a link' }).click();
  await expect(link(writerPage)).toHaveValue(new RegExp(`^${site.url}/draft/${post.id}/`));
  await writerPage.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await writerPage.getByRole('button', { name: 'Copy' }).click();
  await expect(writerPage.getByText('Copied.')).toBeVisible();
  const address = await writerPage.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(await link(writerPage).inputValue());

  const context = await browser.newContext();
  const guest = await context.newPage();
  const asked: string[] = [];
  guest.on('request', (request) => void asked.push(request.url()));
  const answer = await guest.goto(address);
  expect(answer?.status()).toBe(200);
  expect(await answer?.allHeaders()).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  const until = new Date(Date.now() + DAY * 1000).toLocaleString('en', { dateStyle: 'long', timeZone: 'UTC' });
  await expect(guest.getByRole('note')).toContainText(`This is a draft`);
  await expect(guest.getByRole('note')).toContainText(`shared until ${until}`);
  await expect(guest.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(guest.locator('meta[name=description]')).toHaveAttribute('content', details.excerpt);
  await expect(guest.getByRole('heading', { level: 1, name: post.title })).toHaveAttribute('lang', 'nl');
  await expect(guest.locator('.prose')).toHaveAttribute('lang', 'nl');
  await expect(guest.getByText('chrysopraas')).toBeVisible();
  const tags = guest.getByRole('list', { name: 'Tags' });
  await expect(tags.getByRole('listitem')).toHaveText(details.tags);
  // The other post's page exists once the draft is public.
  await expect(tags.getByRole('link')).toHaveText(['Mineralen']);
  await expect(guest.getByText('src="/v1/storage/"')).toBeVisible();
  for (const alt of [details.featuredImageAlt, 'In the text']) {
    const shown = guest.getByAltText(alt);
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  // A guest may not read the pictures directly: they come through the link.
  expect(asked.filter((url) => url.includes('/files/') && !url.startsWith(address))).toEqual([]);
  expect(storedWith(site, 'chrysopraas')).toEqual([]);
  for (const path of ['/', '/archive', '/feed.xml', '/sitemap.xml', '/tags.json', '/search?q=chrysopraas']) {
    const text = await (await fetch(site.url + path)).text();
    expect(text, path).not.toMatch(/Zirkelschluss|Edelstenen|draft\//);
  }

  await writerPage.goto('/all-posts');
  await writerPage.getByRole('button', { name: /^(Mine|My inactive)$/ }).click();
  await writerPage.getByRole('button', { name: `Share “${post.title}”` }).click();
  await expect(link(writerPage)).toHaveValue(address);
  await writerPage.getByRole('button', { name: 'Revoke' }).click();
  await expect(writerPage.getByText('The link was revoked and no longer shows anything.')).toBeVisible();
  expect((await guest.goto(address))?.status()).toBe(410);
  await expect(guest.getByText('It was revoked, or the post was deleted.')).toBeVisible();
  await context.close();

  if (access !== 'embedded') return;
  await site.setStatus(writer, post, 'active');
  expect(storedWith(site, 'chrysopraas').length).toBeGreaterThan(0);
});

test('a link that was tampered with, has expired or lost its post shows nothing, and one of a public post leads there', async ({
  site,
  writer,
  page,
}) => {
  const draft = (given: Partial<NewPost> = {}) => site.post(writer, { status: 'inactive', ...given });
  const [post, second, gone] = [await draft({ content: '<p>Tugtupite.</p>' }), await draft(), await draft()];
  const ask = async (address: string) => {
    const answer = await fetch(address, { redirect: 'manual' });
    const { status, headers } = answer;
    const text = await answer.text();
    const isLeft =
      /no-store/.test(headers.get('cache-control') ?? '') && /noindex/.test(headers.get('x-robots-tag') ?? '');
    return { status, text, isLeft, location: headers.get('location') };
  };
  const made = async ({ id }: { id: string }, behind = 0) => {
    const links = linksOf(site, behind);
    const found = await links.post(id);
    if (!found) throw new Error(`There is no post ${id}.`);
    return (await links.make(found, DAY)).url;
  };
  const shows = async (address: string, status: number, words: string) => {
    const answer = await ask(address);
    expect([answer.status, answer.isLeft], address).toEqual([status, true]);
    expect(answer.text).toContain(words);
    expect(answer.text).not.toContain('Tugtupite');
  };

  const expired = await made(post, DAY + 1);
  await shows(expired, 410, 'It has expired.');
  const address = await made(post);
  expect(await ask(address)).toMatchObject({ status: 200, isLeft: true, text: expect.stringContaining('Tugtupite') });
  const other = (letter: string) => (letter === 'A' ? 'B' : 'A');
  const tampered = address.replace(/.(?=.{20}$)/, other);
  await shows(tampered, 404, 'This link doesn’t exist.');
  await shows(address.replace(post.id, second.id), 404, 'This link doesn’t exist.');
  // The expiry time cannot be extended.
  await shows(address.replace(/\/(\w)(\w+)\.(?=[^/]*$)/, '/z$2.'), 404, 'This link doesn’t exist.');

  const ofGone = await made(gone);
  await new Databases(site.as(writer)).deleteDocument({ ...place, documentId: gone.id });
  await shows(ofGone, 410, 'It was revoked, or the post was deleted.');

  const ofPublic = await made(second);
  await site.setStatus(writer, second, 'active');
  expect(await ask(ofPublic)).toMatchObject({ status: 302, isLeft: true, location: `/post/${second.id}` });
  await page.goto(ofPublic);
  expect(page.url()).toBe(`${site.url}/post/${second.id}`);
});

test('a link that is asked for 1,000 times is answered 300 times in a minute', async ({ access }) => {
  const site = await ownSite({ access });
  try {
    const writer = await site.writer();
    const post = await site.post(writer, { status: 'inactive' });
    const links = linksOf(site);
    const found = await links.post(post.id);
    const { url = '' } = (found && (await links.make(found, DAY))) ?? {};
    const answers = { 200: 0, 429: 0 } as Record<number, number>;
    let refused: Response | undefined;
    for (let i = 0; i < 50; i += 1) {
      const some = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
      for (const answer of some) {
        answers[answer.status] = (answers[answer.status] ?? 0) + 1;
        if (answer.status === 429) refused = answer;
        else await answer.body?.cancel();
      }
    }
    expect(answers).toEqual({ 200: 300, 429: 700 });
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused?.text()).toContain('It was opened too often.');
    expect((await fetch(`${site.url}/`)).status).toBe(200);
  } finally {
    await removeSite(site);
  }
});
