import { violationsOn } from './axe.ts';
import { asWriter } from './members.ts';
import { picture } from './pictures.ts';
import { editPost, newPost, typeAfter } from './post-form.ts';
import { expect, policyViolations, sentBy, test } from './site.ts';

const CONTENT = `<h2>Part</h2><p>Text with <a href="https://example.com">a link</a>.</p>
<pre><code class="language-js">const a = 1;</code></pre>
<table><thead><tr><th align="right">A</th></tr></thead><tbody><tr><td align="right">1</td></tr></tbody></table>`;

/** The article as the server wrote it, before scripts change it. */
const articleIn = (html: string) => /<article[\s\S]*<\/article>/.exec(html)?.[0];

test('the preview’s article is the one that is published', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { title: 'Before', content: CONTENT });
  const form = await editPost(page, post.id);
  await form.title.fill('After');
  await typeAfter(page, 'Text with', ' And more.');
  const faults = policyViolations(page);
  const answered = page.waitForResponse('**/api/preview');
  await page.getByRole('button', { name: 'Preview' }).click();
  const answer = await answered;
  expect(answer.headers()['cache-control']).toBe('no-store');
  const previewed = await answer.text();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  const shown = dialog.frameLocator('iframe');
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('After');
  await expect(shown.getByText('And more.')).toBeVisible();
  await expect(shown.getByRole('heading', { level: 1 })).toHaveCSS('font-family', /Newsreader/);
  // The frame allows no scripts, so axe skips it. Its content is checked as part of a post's page.
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(() => dialog.locator('iframe').evaluate((frame) => frame.clientWidth)).toBeLessThanOrEqual(390);
  expect(faults).toEqual([]);
  expect(await site.text(`/post/${post.id}`)).not.toContain('And more.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await form.publish(post.id);
  await expect.poll(async () => articleIn(await site.text(`/post/${post.id}`))).toContain('And more.');
  const published = await site.text(`/post/${post.id}`);
  expect(articleIn(previewed)).toBe(articleIn(published));
});

test('a new post is previewed with its picture before either is sent', async ({ writerPage: page }) => {
  const form = await newPost(page, { title: 'Not yet anywhere', text: 'Words of today.' });
  await form.chooseImage('new.png', await picture(600, 400, '#803030'));
  const uploads = sentBy(page, '/files', 'POST');
  await page.getByRole('button', { name: 'Preview' }).click();
  const shown = page.getByRole('dialog', { name: 'Preview' }).frameLocator('iframe');
  await expect(shown.getByText('Words of today.')).toBeVisible();
  const image = shown.locator('article img').first();
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(600);
  expect(uploads).toEqual([]);
});

test('a previewed title shows on no page of the adjacent posts @embedded', async ({ site, writer: author }) => {
  const stranger = await site.writer();
  const serial = Date.now().toString(36);
  const posts = Array.from({ length: 5 }, (_, n) => `adjacent-${serial}-${n}`);
  for (const id of posts) await site.post(author, { id });
  const [, before = '', middle = '', after = ''] = posts;
  // Restarts the server, so that it has no stored pages in memory.
  await site.stop();
  await site.start();
  for (const writer of [author, stranger]) {
    const existing = { slug: middle, createdAt: new Date().toISOString() };
    const body = { title: 'Not yet said', content: '', featuredImage: '', existing };
    const answer = await asWriter(site, writer, '/api/preview', body);
    expect(await answer.text()).toContain(`Title of ${before}`);
  }
  for (const slug of [before, after]) {
    await site.revalidate(author, slug);
    const page = await site.text(`/post/${slug}`);
    expect([page.includes(`Title of ${middle}`), page.includes('Not yet said')]).toEqual([true, false]);
  }
});
