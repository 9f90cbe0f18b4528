import type { Page } from 'playwright/test';
import { editPost, moveCursor, newPost, paste, postForm } from './post-form.ts';
import { expect, type RunningSite, sentBy, test, type Writer } from './site.ts';

const TEXT = 'An old boat, a boat.';

/**
 * Opens a post with the cursor in its text, and holds the script of `part`. `letThrough` lets it load; `refuse` makes
 * it fail until `bringBack` is called.
 */
async function openWithout(part: string, page: Page, site: RunningSite, writer: Writer) {
  const { promise: decided, resolve } = Promise.withResolvers<'continue' | 'abort'>();
  const scripts = new RegExp(`/${part}\\.[^/]*\\.js(\\?|$)`);
  await page.route(scripts, async (route) => route[await decided]());
  const post = await site.post(writer, { content: `<h2>Part of it</h2><p>${TEXT}</p>` });
  const { content } = await editPost(page, post.id);
  await content.getByText(TEXT).click();
  await moveCursor(page, 'End');
  return {
    content,
    letThrough: () => resolve('continue'),
    refuse: () => resolve('abort'),
    bringBack: () => page.unroute(scripts),
  };
}

const notLoaded = (page: Page) => page.getByRole('alert').filter({ hasText: 'couldn’t be loaded' });

test('words typed before the search loads are searched for', async ({ writerPage: page, site, writer }) => {
  const { content, letThrough } = await openWithout('FindBar', page, site, writer);
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('bo');
  const find = page.getByRole('search', { name: 'Find in the text' });
  const field = find.getByRole('textbox', { name: 'Find in the text' });
  const early = await field.elementHandle();
  letThrough();
  await expect(find.getByRole('status')).toHaveText('1 of 2');
  // Moving the focus would interrupt an input method and lose a key pressed at that moment.
  expect(await early?.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('at');
  await expect(field).toHaveValue('boat');
  await expect(content.getByRole('paragraph')).toHaveText(TEXT);
});

test('an outline that cannot be loaded loads on Retry', async ({ writerPage: page, site, writer }) => {
  const { refuse, bringBack } = await openWithout('Outline', page, site, writer);
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  await page.keyboard.type('lost');
  refuse();
  const fault = notLoaded(page);
  await expect(fault.getByRole('button', { name: 'Retry' })).toBeFocused();
  await page.keyboard.type('lost');
  await expect(page.locator('#content-editor').getByRole('paragraph', { includeHidden: true })).toHaveText(TEXT);
  await bringBack();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Part of it' })).toBeFocused();
  await expect(fault).toBeHidden();
});

test('a paste whose reader cannot be loaded enters as plain words', async ({ writerPage: page, site, writer }) => {
  const { content, refuse, bringBack } = await openWithout('clean-html', page, site, writer);
  const pasted = (words: string) =>
    paste(content, { 'text/html': `<b>${words}</b><button>Copy</button>`, 'text/plain': words });
  await pasted('One');
  await expect(content.getByRole('paragraph')).toHaveText(TEXT);
  refuse();
  await expect(content.getByRole('paragraph')).toHaveText(`${TEXT}One`);
  await bringBack();
  await pasted('Two');
  await expect(content.getByRole('paragraph')).toHaveText(`${TEXT}OneTwo`);
  await expect(content.locator('strong')).toHaveText('Two');
});

test('a dialog that cannot be loaded opens on Retry', async ({ writerPage: page, site, writer }) => {
  const { content, refuse, bringBack } = await openWithout('PreviewDialog', page, site, writer);
  await page.keyboard.type(' More.');
  refuse();
  await page.getByRole('button', { name: 'Preview' }).click();
  const again = notLoaded(page).getByRole('button', { name: 'Retry' });
  await expect(again).toBeVisible();
  await bringBack();
  await again.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await expect(dialog.frameLocator('iframe').getByText(`${TEXT} More.`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeFocused();
  await expect(content).toContainText(`${TEXT} More.`);
  // When the preview is closed for the second time, the focus returns to the button again.
  await page.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Preview' })).toBeFocused();
});

const FETCHES = { Preview: '**/api/preview', 'Former versions': '**/collections/revisions/documents*' };

for (const [name, address] of Object.entries(FETCHES)) {
  test(`“${name}” fetches on Retry and keeps the focus`, async ({ writerPage: page, site, writer }) => {
    const post = await site.post(writer, { content: `<p>${TEXT}</p>` });
    await editPost(page, post.id);
    await page.route(address, (route) => route.abort());
    const opener = page.getByRole('button', { name });
    await opener.press('Enter');
    const dialog = page.getByRole('dialog', { name });
    const again = dialog.getByRole('alert').getByRole('button', { name: 'Retry' });
    await expect(again).toBeVisible();
    await page.unroute(address);
    await again.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
  });
}

test('an editor that cannot be loaded loads on Retry, and the title stays', async ({ writerPage: page }) => {
  const scripts = /\/ContentEditor\.[^/]*\.js/;
  await page.route(scripts, (route) => route.abort());
  const form = await newPost(page, { title: 'Typed without an editor' });
  const again = notLoaded(page).getByRole('button', { name: 'Retry' });
  await expect(again).toBeVisible();
  await page.unroute(scripts);
  await again.click();
  await form.write('And with it.');
  await expect(form.content).toHaveText('And with it.');
  await expect(form.title).toHaveValue('Typed without an editor');
});

test('a page whose form cannot be loaded reloads once, then says so', async ({ writerPage: page, site }) => {
  const loads = sentBy(page, `${site.url}/add-post`);
  const scripts = /\/PostForm\.[^/]*\.js/;
  await page.route(scripts, (route) => route.abort());
  await page.goto('/add-post');
  await expect(page.getByRole('alert').filter({ hasText: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(loads).toHaveLength(2);
  await page.unroute(scripts);
  await page.reload();
  await expect(postForm(page).title).toBeVisible();
});

test('a page whose scripts cannot be loaded says so and offers to reload', async ({ page, context }) => {
  await context.route(/\/_astro\/.*\.js(\?|$)/, (route) => route.abort());
  await page.goto('/login');
  const alert = page.getByRole('alert').filter({ hasText: 'The page couldn’t be loaded.' });
  await expect(alert).toBeVisible();
  await expect(page.getByText('Loading...')).toBeHidden();
  await context.unroute(/\/_astro\/.*\.js(\?|$)/);
  await alert.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await expect(alert).toBeHidden();
});

test('sending says when the checks cannot be loaded', async ({ writerPage: page, site, writer }) => {
  const { content, refuse, bringBack } = await openWithout('forms', page, site, writer);
  await page.keyboard.type(' More');
  refuse();
  const submit = page.getByRole('button', { name: 'Update' });
  await submit.click();
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible();
  await expect(content).toHaveText(`Part of it${TEXT} More`);
  await bringBack();
  await submit.click();
  await page.waitForURL(/\/post\//);
  await expect(page.getByText(`${TEXT} More`)).toBeVisible();
});
