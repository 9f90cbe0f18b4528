import AxeBuilder from '@axe-core/playwright';
import { picture } from './pictures.ts';
import { moveCursor, postForm } from './post-form.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

const CONTENT = `<h2>Part</h2><p>Text with <a href="https://example.com">a link</a>.</p>
<pre><code class="language-js">const a = 1;</code></pre>
<table><thead><tr><th align="right">A</th></tr></thead><tbody><tr><td align="right">1</td></tr></tbody></table>`;

/** The article as the server wrote it, before scripts change it. */
const articleIn = (html: string) => /<article[\s\S]*<\/article>/.exec(html)?.[0];

test('the preview’s article is the one that is published', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { title: 'Before', content: CONTENT });
  await page.goto(`/edit-post/${post.id}`);
  const form = postForm(page);
  await form.title.fill('After');
  await form.content.getByText('Text with').click();
  await moveCursor(page, 'End');
  await page.keyboard.type(' And more.');
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
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
  // No script runs in the frame, axe included; its content is judged as a post's page.
  expect((await new AxeBuilder({ page }).exclude('iframe').analyze()).violations).toEqual([]);
  await dialog.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(() => dialog.locator('iframe').evaluate((frame) => frame.clientWidth)).toBeLessThanOrEqual(390);
  expect(faults).toEqual([]);

  const before = await (await fetch(`${site.url}/post/${post.id}`)).text();
  expect(before).not.toContain('And more.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${post.id}`);
  const published = await (await fetch(`${site.url}/post/${post.id}`)).text();
  expect(articleIn(published)).toContain('And more.');
  expect(articleIn(previewed)).toBe(articleIn(published));
});

test('a new post is previewed with its picture before either is sent', async ({ writerPage: page }) => {
  await page.goto('/add-post');
  const form = postForm(page);
  await form.title.fill('Not yet anywhere');
  await form.write('Words of today.');
  await form.chooseImage('new.png', await picture(600, 400, '#803030'));
  const uploads: string[] = [];
  page.on(
    'request',
    (request) => request.url().includes('/files') && request.method() === 'POST' && uploads.push(request.url()),
  );
  await page.getByRole('button', { name: 'Preview' }).click();
  const shown = page.getByRole('dialog', { name: 'Preview' }).frameLocator('iframe');
  await expect(shown.getByText('Words of today.')).toBeVisible();
  const image = shown.locator('article img').first();
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(600);
  expect(uploads).toEqual([]);
});

test('what is previewed shows on no page of the neighbours @embedded', async () => {
  const site = await ownSite();
  try {
    const [author, stranger] = [await site.writer(), await site.writer()];
    for (const id of ['one', 'two', 'three', 'four', 'five']) await site.post(author, { id });
    // A restarted server remembers nothing of the stored pages.
    await site.stop();
    await site.start();
    for (const writer of [author, stranger]) {
      const answer = await fetch(`${site.url}/api/preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `a_session_common-ink=${writer.session}` },
        body: JSON.stringify({
          title: 'Not yet said',
          content: '',
          featuredImage: '',
          existing: { slug: 'three', createdAt: new Date().toISOString() },
        }),
      });
      expect((await answer.text()).includes('Title of two')).toBe(true);
    }
    for (const slug of ['two', 'four']) {
      await site.revalidate(author, slug);
      const page = await (await fetch(`${site.url}/post/${slug}`)).text();
      expect([page.includes('Title of three'), page.includes('Not yet said')]).toEqual([true, false]);
    }
  } finally {
    await removeSite(site);
  }
});
