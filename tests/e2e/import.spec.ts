import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Databases, Query } from 'node-appwrite';
import type { Page } from 'playwright/test';
import yazl from 'yazl';
import { close, listen } from '../support/gateway.ts';
import { violationsOn } from './axe.ts';
import { asWriter, item, member } from './members.ts';
import { picture } from './pictures.ts';
import { ARTICLES, expect, ownSite, type RunningSite, test } from './site.ts';

interface Exported {
  readonly name: string;
  readonly content: string;
  readonly status?: 'publish' | 'draft';
}

function wxr(posts: readonly Exported[], blog = 'https://old.example.com'): string {
  const items = posts.map(
    ({ name, content, status = 'publish' }, at) => `<item><title>${name}</title><link>${blog}/${name}/</link>
<dc:creator>anna</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${at + 1}</wp:post_id>
<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>${name}</wp:post_name><wp:status>${status}</wp:status>
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
const patiently = expect.configure({ timeout: 600_000 });
test.slow();

const choose = (page: Page, name: string, content: string | Buffer) =>
  page
    .getByLabel('Exported file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const titlesOf = async (site: RunningSite, start: string) => {
  const queries = [Query.startsWith('title', start), Query.limit(500)];
  const { documents } = await new Databases(site.admin()).listDocuments({ ...ARTICLES, queries });
  return documents.map(({ title }) => title);
};

test('an owner previews, then imports a zip file; losses are named, and no export is refused', async ({
  open,
  site,
}) => {
  const serial = Date.now().toString(36);
  const page = await open({ as: await member(site, 'owner', `Olga ${serial}`), path: '/site#import' });
  await page.getByRole('button', { name: 'Preview first' }).click();
  await expect(page.getByText('Choose the exported file first.')).toBeVisible();
  await choose(page, '../notes.zip', await zipOf('notes.txt', 'Nothing that anybody exported.'));
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByRole('heading', { name: 'Import failed' })).toBeFocused();
  await expect(page.getByText('Could not detect the format of notes.zip.')).toBeVisible();
  await page.getByRole('button', { name: 'Another file' }).click();
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();

  const names = ['whole', 'lossy', 'later'].map((name) => `${name}-${serial}`);
  const [whole = '', lossy = '', later = ''] = names;
  const posts = [
    { name: whole, content: 'All of it.' },
    { name: lossy, content: '<script>count()</script>The words.' },
    { name: later, content: 'Not yet.', status: 'draft' },
  ] as const;
  const titles = () => Promise.all(names.map((name) => titlesOf(site, name)));
  await choose(page, 'blog.zip', await zipOf('blog.xml', wxr(posts)));
  await page.getByRole('radio', { name: 'The people who wrote them' }).check();
  await page.getByRole('button', { name: 'Preview first' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'What an import would do' })).toBeFocused();
  await expect(page.getByText('3 posts would be created.')).toBeVisible();
  await expect(page.getByText('One would lose something.')).toBeVisible();
  await expect(item(page, lossy)).toContainText('a post cannot contain this');
  expect(await titles()).toEqual([[], [], []]);
  expect(await violationsOn(page)).toEqual([]);
  await page.reload();
  await page.getByRole('button', { name: 'Import now' }).press('Enter');
  await patiently(page.getByRole('heading', { name: 'Imported', exact: true })).toBeFocused();
  await expect(page.getByText('3 posts were created.')).toBeVisible();
  expect(await titles()).toEqual(names.map((name) => [name]));
  expect(await site.text(`/post/${whole}`)).toContain('All of it.');
  expect(await site.status(`/post/${later}`)).toBe(404);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the whole report' }).click();
  const report = await buffer(await (await download).createReadStream());
  expect(report.toString()).toContain(`/post/${whole}`);
  await page.getByRole('link', { name: lossy }).click();
  await expect(page.getByText('The words.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'anna' }).first()).toBeVisible();
});

test('a cancelled import leaves whole posts and continues where it stopped', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const owner = await member(site, 'owner', 'Olga');
  const bytes = await picture(40, 30);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let isImporting = false;
  // From the third post on, delays each picture until the import is cancelled, but by at most 3 s: a download times
  // out after 15 s, and a busy machine may add a few seconds.
  const old = createServer(async ({ url }, response) => {
    if (isImporting && Number(/(\d+)\.png$/.exec(url ?? '')?.[1]) >= 2) {
      ask();
      await Promise.race([held, sleep(3000, undefined, { ref: false })]);
    }
    response.end(bytes);
  });
  const blog = await listen(old);
  const posts = Array.from({ length: 30 }, (_, at) => {
    const image = `<img src="${blog}/wp-content/uploads/${at}.png" alt="">`;
    return { name: `many-${at}`, content: `<p>Text ${at}.</p><p>${image}</p>` };
  });
  const page = await open({ as: owner, at: site, path: '/site#import' });
  await choose(page, 'blog.xml', wxr(posts, blog));
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByText('30 posts would be created.')).toBeVisible();
  isImporting = true;
  await page.getByRole('button', { name: 'Import now' }).click();
  await asked;
  await page.getByRole('button', { name: 'Cancel' }).click();
  const isCancelled = async () => (await (await asWriter(site, owner, '/api/import')).json()).isCancelled;
  await expect.poll(isCancelled).toBe(true);
  release();
  await patiently(page.getByRole('heading', { name: 'Stopped before it finished' })).toBeVisible();
  const made = (await titlesOf(site, 'many-')).length;
  expect(made).toBeGreaterThan(1);
  // The process may finish some posts before it learns that it is cancelled.
  expect(made).toBeLessThan(posts.length);
  await expect(page.getByText(`${made} posts were created`)).toBeVisible();
  await page.getByRole('button', { name: 'Go on importing' }).click();
  await patiently(page.getByText(`${made} were here already`)).toBeVisible();
  await patiently(page.getByText(`${posts.length - made} posts were created`)).toBeVisible();
  await close(old);
});

test('another owner sees no import of the first, and is told that one is running', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const [olga, otto] = [await member(site, 'owner', 'Olga'), await member(site, 'owner', 'Otto')];
  const begin = { action: 'begin', name: 'secret.xml', size: 10 };
  await asWriter(site, olga, '/api/import', begin);
  const page = await open({ as: otto, at: site, path: '/site#import' });
  await choose(page, 'blog.xml', wxr([{ name: 'mine', content: 'Words.' }]));
  // Begins again, because an import whose file is not sent within a minute is abandoned.
  const { id } = await (await asWriter(site, olga, '/api/import', begin)).json();
  await page.getByRole('button', { name: 'Preview first' }).click();
  await expect(page.getByText('Another import is running. Wait until it finishes.')).toBeVisible();
  await expect(page.getByLabel('Exported file')).toBeVisible();
  await expect(page.getByText('secret.xml')).toHaveCount(0);
  expect(await (await asWriter(site, otto, '/api/import')).json()).toMatchObject({ phase: 'none', id: '', name: '' });
  const start = { action: 'start', id, isDryRun: true, keepsAuthors: false, oldSite: '' };
  for (const action of [start, { action: 'cancel', id }])
    expect((await asWriter(site, otto, '/api/import', action)).status, action.action).toBe(404);
  expect((await asWriter(site, otto, `/api/import?report=${id}`)).status).toBe(404);
  expect((await (await asWriter(site, olga, '/api/import')).json()).name).toBe('secret.xml');
  await asWriter(site, olga, '/api/import', { action: 'cancel', id });
  await page.getByRole('button', { name: 'Preview first' }).click();
  await patiently(page.getByText('One post would be created.')).toBeVisible();
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
