import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { Databases, Query } from 'node-appwrite';
import type { Page } from 'playwright/test';
import yazl from 'yazl';
import { violationsOn } from './axe.ts';
import { asWriter, item, member } from './members.ts';
import { ARTICLES, expect, ownSite, type RunningSite, test } from './site.ts';

const ghost = (serial: string) => {
  const of = (id: string, title: string, status: string, html: string) => ({
    ...{ id, uuid: id, title, slug: title.toLowerCase().replace(' ', '-'), html, status },
    ...{ visibility: 'public', type: 'post' },
    ...{ published_at: '2020-01-02T03:04:05.000Z', updated_at: '2020-01-02T03:04:05.000Z' },
  });
  const posts = [
    of('a', `Ghost ${serial}`, 'published', `<p>Ink ${serial}</p>`),
    of('b', `Draft ${serial}`, 'draft', '<p>Not yet</p>'),
  ];
  return JSON.stringify({ db: [{ meta: { version: '5.80.0' }, data: { posts } }] });
};

function wxr(posts: readonly { readonly name: string; readonly content: string }[]): string {
  const blog = 'https://old.example.com';
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
const patiently = expect.configure({ timeout: 120_000 });
test.slow();

const choose = (page: Page, name: string, content: string | Buffer) =>
  page
    .getByLabel('Exported file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const titles = async (site: RunningSite, start: string) => {
  const queries = [Query.startsWith('title', start), Query.limit(500)];
  const { documents } = await new Databases(site.admin()).listDocuments({ ...ARTICLES, queries });
  return documents.map(({ title }) => title);
};

test('an owner previews, then imports a Ghost export, whose draft stays a draft', async ({ open, site }) => {
  const serial = Date.now().toString(36);
  const owner = await member(site, 'owner', `Olga ${serial}`);
  const page = await open({ as: owner, path: '/site#import' });
  await page.getByRole('button', { name: 'Preview first' }).click();
  await expect(page.getByText('Choose the exported file first.')).toBeVisible();
  await choose(page, 'ghost.json', ghost(serial));
  await page.getByRole('button', { name: 'Preview first' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'What an import would do' })).toBeFocused();
  await expect(page.getByText('2 posts would be made.')).toBeVisible();
  expect(await titles(site, `Ghost ${serial}`)).toEqual([]);
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import now' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'Imported', exact: true })).toBeFocused();
  await patiently(page.getByText('2 posts were made.')).toBeVisible();
  expect(await site.text(`/post/ghost-${serial}`)).toContain(`Ink ${serial}`);
  expect(await site.status(`/post/draft-${serial}`)).toBe(404);
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

test('a WordPress zip reports losses, and a file that is no export is refused', async ({ open, site }) => {
  const serial = Date.now().toString(36);
  const page = await open({ as: await member(site, 'owner', `Olga ${serial}`), path: '/site#import' });
  await choose(page, '../notes.zip', await zipOf('notes.txt', 'Nothing that anybody exported.'));
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByRole('heading', { name: 'Import failed' })).toBeFocused();
  await expect(page.getByText('The format of notes.zip cannot be told from its content.')).toBeVisible();
  await page.getByRole('button', { name: 'Another file' }).click();
  const lossy = { name: `lossy-${serial}`, content: '<script>count()</script>The words.' };
  const posts = [{ name: `whole-${serial}`, content: 'All of it.' }, lossy];
  await choose(page, 'blog.zip', await zipOf('blog.xml', wxr(posts)));
  await page.getByRole('radio', { name: 'The people who wrote them' }).check();
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByText('One would lose something.')).toBeVisible();
  await expect(item(page, `lossy-${serial}`)).toContainText('it has no place in a text');
  await page.reload();
  await page.getByRole('button', { name: 'Import now' }).click();
  await patiently(page.getByText('2 posts were made.')).toBeVisible();
  await page.getByRole('link', { name: `lossy-${serial}` }).click();
  await expect(page.getByText('The words.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'anna' }).first()).toBeVisible();
});

test('a cancelled import leaves whole posts and continues where it stopped', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const posts = Array.from({ length: 40 }, (_, at) => ({ name: `many-${at}`, content: `Text ${at}. `.repeat(8000) }));
  const page = await open({ as: await member(site, 'owner', 'Olga'), at: site, path: '/site#import' });
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
  await patiently(page.getByText(`${posts.length - made} posts were made.`)).toBeVisible();
  await expect(page.getByText(`${made} were here already.`)).toBeVisible();
});

test('editors see no import, and the API refuses them', async ({ open, site }) => {
  const editor = await member(site, 'editor', `Edda ${Date.now()}`);
  const page = await open({ as: editor, path: '/site#import' });
  await expect(page.getByRole('link', { name: 'Who may write' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0);
  await expect(page.getByLabel('Exported file')).toHaveCount(0);
  const begin = { action: 'begin', name: 'ghost.json', size: 10 };
  expect((await asWriter(site, editor, '/api/import', begin)).status).toBe(403);
});
