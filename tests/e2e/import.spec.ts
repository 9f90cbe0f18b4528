import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { Databases, Query } from 'node-appwrite';
import type { Page } from 'playwright/test';
import yazl from 'yazl';
import { loadAxe, violationsOn } from './axe.ts';
import { asWriter, guestPage, member, openAs } from './members.ts';
import { expect, ownSite, type RunningSite, removeSite, test } from './site.ts';

const ghost = (serial: string) =>
  JSON.stringify({
    db: [
      {
        meta: { version: '5.80.0' },
        data: {
          posts: [
            ghostPost('a', `Ghost ${serial}`, 'published', `<p>Ink ${serial}</p>`),
            ghostPost('b', `Draft ${serial}`, 'draft', '<p>Not yet</p>'),
          ],
        },
      },
    ],
  });

const ghostPost = (id: string, title: string, status: string, html: string) => ({
  id,
  uuid: id,
  title,
  slug: title.toLowerCase().replace(' ', '-'),
  html,
  status,
  visibility: 'public',
  type: 'post',
  published_at: '2020-01-02T03:04:05.000Z',
  updated_at: '2020-01-02T03:04:05.000Z',
});

function wxr(
  posts: readonly { readonly name: string; readonly content: string }[],
  blog = 'https://old.example.com',
): string {
  const items = posts.map(
    ({ name, content }, at) => `<item><title>${name}</title><link>${blog}/${name}/</link>
<dc:creator>anna</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${at + 1}</wp:post_id>
<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>${name}</wp:post_name><wp:status>publish</wp:status>
<wp:post_type>post</wp:post_type></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>${blog}</wp:base_blog_url>${items.join('')}</channel></rss>`;
}

function zipOf(name: string, content: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** An import runs at low priority, so it is slow on a busy machine. */
const patiently = expect.configure({ timeout: 40_000 });
test.slow();

const choose = (page: Page, name: string, content: string | Buffer) =>
  page
    .getByLabel('Exported file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const titles = async (site: RunningSite, start: string) => {
  const place = { databaseId: 'blog', collectionId: 'articles' };
  const queries = [Query.startsWith('title', start), Query.limit(500)];
  return (await new Databases(site.admin()).listDocuments({ ...place, queries })).documents.map(({ title }) => title);
};

test('an owner looks first, then brings in a Ghost export: what was a draft stays one', async ({ browser, site }) => {
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const page = await openAs(browser, site, owner, '/site#import');
  await page.getByRole('button', { name: 'Preview first' }).click();
  await expect(page.getByText('Choose the exported file first.')).toBeVisible();
  await choose(page, 'ghost.json', ghost(serial));
  await page.getByRole('button', { name: 'Preview first' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'What an import would do' })).toBeFocused();
  await expect(page.getByText('2 posts would be made.')).toBeVisible();
  expect(await titles(site, `Ghost ${serial}`)).toEqual([]);
  await loadAxe(page);
  expect(await violationsOn(page)).toEqual([]);

  await page.getByRole('button', { name: 'Import now' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'Imported', exact: true })).toBeFocused();
  await patiently(page.getByText('2 posts were made.')).toBeVisible();
  expect(await (await fetch(`${site.url}/post/ghost-${serial}`)).text()).toContain(`Ink ${serial}`);
  expect((await fetch(`${site.url}/post/draft-${serial}`)).status).toBe(404);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the whole report' }).click();
  const report = await buffer(await (await download).createReadStream());
  expect(report.toString()).toContain(`/post/ghost-${serial}`);

  await page.getByRole('button', { name: 'Another file' }).click();
  await choose(page, 'ghost.json', ghost(serial));
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByText('2 are here already.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import now' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Another file' }).click();
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();
});

test('a WordPress zip says what it would lose, and what is no export is refused in words', async ({
  browser,
  site,
}) => {
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const page = await openAs(browser, site, owner, '/site#import');
  await choose(page, '../notes.zip', await zipOf('notes.txt', 'Nothing that anybody exported.'));
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByRole('heading', { name: 'Import failed' })).toBeFocused();
  await expect(page.getByText('The format of notes.zip cannot be told from its content.')).toBeVisible();
  await page.getByRole('button', { name: 'Another file' }).click();

  const posts = [
    { name: `whole-${serial}`, content: 'All of it.' },
    { name: `lossy-${serial}`, content: '<script>count()</script>The words.' },
  ];
  await choose(page, 'blog.zip', await zipOf('blog.xml', wxr(posts)));
  await page.getByRole('radio', { name: 'The people who wrote them' }).check();
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByText('One would lose something.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: `lossy-${serial}` })).toContainText(
    'it has no place in a text',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Import now' }).click();
  await patiently(page.getByText('2 posts were made.')).toBeVisible();
  await page.getByRole('link', { name: `lossy-${serial}` }).click();
  await expect(page.getByText('The words.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'anna' }).first()).toBeVisible();
});

test('an import that is cancelled leaves whole posts, and goes on where it ended', async ({ browser, access }) => {
  const site = await ownSite({ access });
  try {
    const owner = await member(site, 'owner', 'Olga');
    const posts = Array.from({ length: 40 }, (_, at) => ({ name: `many-${at}`, content: `Text ${at}. `.repeat(8000) }));
    const page = await openAs(browser, site, owner, '/site#import');
    await choose(page, 'blog.xml', wxr(posts));
    await page.getByRole('button', { name: 'Preview first' }).click();
    await page.getByRole('button', { name: 'Import now' }).click();
    await patiently(page.getByText(/\d+ posts were made/)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await patiently(page.getByRole('heading', { name: 'Stopped before it finished' })).toBeVisible();
    const said = await page.getByText(/\d+ posts were made/).textContent();
    const made = Number(/\d+/.exec(said ?? '')?.[0]);
    expect(made).toBeLessThan(posts.length);
    expect(await titles(site, 'many-')).toHaveLength(made);
    await page.getByRole('button', { name: 'Go on importing' }).click();
    await patiently(page.getByText(`${posts.length - made} posts were made.`)).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText(`${made} were here already.`)).toBeVisible();
  } finally {
    await removeSite(site);
  }
});

test('a newer export changes the posts that were not edited here, and none of another blog', async ({
  browser,
  site,
}) => {
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const page = await openAs(browser, site, owner, '/site#import');
  const another = page.getByRole('button', { name: 'Another file' });
  const take = async (blog: string, posts: Parameters<typeof wxr>[0]) => {
    // The last import's report stays until another file is chosen.
    await expect(another.or(page.getByLabel('Exported file'))).toBeVisible();
    if (await another.isVisible()) await another.click();
    await choose(page, 'export.xml', wxr(posts, `https://${blog}-${serial}.example.com`));
    await page.getByRole('button', { name: 'Preview first' }).click();
    await page.getByRole('button', { name: 'Import now' }).click({ timeout: 40_000 });
    await patiently(page.getByRole('heading', { name: 'Imported', exact: true })).toBeFocused();
  };
  const text = async (name: string) => (await fetch(`${site.url}/post/${name}-${serial}`)).text();
  const posts = ['same', 'changed', 'edited'].map((name) => ({ name: `${name}-${serial}`, content: 'First words.' }));
  await take('old', posts);
  await expect(page.getByText('3 posts were made.')).toBeVisible();
  await new Databases(site.admin()).updateDocument({
    databaseId: 'blog',
    collectionId: 'articles',
    documentId: `edited-${serial}`,
    data: { content: '<p>Edited here.</p>' },
  });

  await take(
    'old',
    posts.map((post) => (post.name.startsWith('same') ? post : { ...post, content: 'Later words.' })),
  );
  await expect(page.getByText('One was changed')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: `edited-${serial}` })).toContainText(
    'both this file and the post were changed',
  );
  expect(await text('changed')).toContain('Later words.');
  expect(await text('edited')).toContain('Edited here.');

  await take('other', [{ name: `other-${serial}`, content: 'Of somebody else.' }]);
  await expect(page.getByText('One post was made.')).toBeVisible();
  expect(await text('same')).toContain('First words.');
});

test('neither editors nor writers nor guests import, past the screen either', async ({ browser, site }) => {
  const serial = Date.now().toString(36);
  const editor = await member(site, 'editor', `Edda ${serial}`);
  const page = await openAs(browser, site, editor, '/site#import');
  await expect(page.getByRole('link', { name: 'Who may write' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0);
  await expect(page.getByLabel('Exported file')).toHaveCount(0);
  const begin = { action: 'begin', name: 'ghost.json', size: 10 };
  for (const writer of [editor, await member(site, 'writer', `Wim ${serial}`), await site.writer()]) {
    expect((await asWriter(site, writer, '/api/import', begin)).status).toBe(403);
    expect((await asWriter(site, writer, '/api/import')).status).toBe(403);
    expect((await asWriter(site, writer, '/api/import?upload=a&offset=0', begin)).status).toBe(403);
  }
  const guest = await guestPage(browser, site);
  expect((await guest.request.post('/api/import', { data: begin })).status()).toBe(401);
  expect((await guest.request.get('/api/import')).status()).toBe(401);
});
