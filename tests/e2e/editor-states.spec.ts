import type { Locator, Page } from 'playwright/test';
import { COLOURS, overflow, violationsOn } from './axe.ts';
import { picture } from './pictures.ts';
import { editPost, moveCursor, type PostFormPage, paste } from './post-form.ts';
import { expect, policyViolations, test } from './site.ts';

const TEXT = `<h2>Part of it</h2><p>Words with <a href="https://example.com/">a link</a> and <mark>more</mark>.</p>
<ul><li>one</li><li>two<ol start="3"><li>three</li></ol></li></ul><ul><li data-checked="true">done</li></ul>
<blockquote><p>שלום עולם</p><p>Twice.</p></blockquote>
<pre><code class="language-js">const ink = 'a line of code that is longer than the screen of a phone is wide';</code></pre>
<table><thead><tr><th>Kind</th><th>Drops</th><th>Price of it</th></tr></thead><tbody><tr><td>Black</td><td align="right">12</td><td>much</td></tr></tbody></table>
<table style="width: 50%" onclick="a()"><caption>kept</caption><tbody><tr><td>as it is</td></tr></tbody></table><h3>Last</h3><p>The end</p>`;

const softly = expect.configure({ soft: true });
type Step = (page: Page, form: PostFormPage) => Promise<unknown>;

const pressEscape = (page: Page) => page.keyboard.press('Escape');
const toEnd: Step = async (page, form) => {
  await form.content.getByText('The end').click();
  await moveCursor(page, 'End');
};
const shows = (page: Page, role: 'group' | 'dialog' | 'navigation' | 'region' | 'listbox', name?: string) =>
  expect(page.getByRole(role, { ...(name && { name }) })).toBeVisible();

/** Clicks a part of the text and waits for the group of tools with this name. */
const tools = (page: Page, part: Locator, name: string) => part.click().then(() => shows(page, 'group', name));

const STATES: readonly (readonly [name: string, enter: Step, leave?: Step])[] = [
  ['text', async () => {}],
  [
    'slash',
    async (page, form) => {
      await toEnd(page, form);
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      await shows(page, 'listbox', 'Blocks');
    },
    async (page) => {
      await pressEscape(page);
      await page.keyboard.press('Backspace');
    },
  ],
  [
    'link',
    async (page, form) => {
      await form.content.getByText('a link').click();
      await page.keyboard.press('ControlOrMeta+k');
      await shows(page, 'group', 'Link');
    },
    pressEscape,
  ],
  ['code', (page, { content }) => tools(page, content.getByText('const ink'), 'Code block')],
  ['table', (page, { content }) => tools(page, content.getByText('Black'), 'Table')],
  [
    'find',
    async (page, form) => {
      await toEnd(page, form);
      await page.keyboard.press('ControlOrMeta+f');
      await page.keyboard.type('t');
      await expect(page.getByRole('search').getByRole('status')).not.toBeEmpty();
    },
    pressEscape,
  ],
  [
    'outline',
    (page) => page.keyboard.press('ControlOrMeta+Shift+o').then(() => shows(page, 'navigation', 'Outline')),
    pressEscape,
  ],
  [
    'full',
    async (page) => {
      await page.keyboard.press('ControlOrMeta+Shift+f');
      await expect(page.locator('html.editor-full')).toHaveCount(1);
    },
    pressEscape,
  ],
  [
    'elsewhere',
    async (page, form) => {
      await toEnd(page, form);
      const boat = '<img src="https://one.example/a.png" alt="A boat">';
      await paste(form.content, { 'text/html': `<p style="color: red" onclick="a()">${boat}</p><p>and</p>` });
      await shows(page, 'region', 'Pictures from other sites');
    },
    (page) => page.getByRole('button', { name: 'Keep the link' }).click(),
  ],
  [
    'not-copied',
    async (page, form) => {
      await toEnd(page, form);
      // Nothing listens on this port.
      const lake = '<img src="https://127.0.0.1:1/a.png" alt="A lake">';
      await paste(form.content, { 'text/html': `<p>${lake}</p><p>and</p>` });
      await page.getByRole('button', { name: 'Copy it into the blog' }).click();
      await expect(form.content.getByText(/^Not copied, so the link stays/)).toBeVisible();
    },
    (_page, form) => form.content.getByRole('button', { name: 'Keep the link' }).click(),
  ],
  [
    'failed',
    async (page, form) => {
      await toEnd(page, form);
      await page.route('**/v1/storage/buckets/*/files', (route) => route.abort());
      await paste(form.content, {}, await picture(200, 120));
      await expect(form.content.getByText(/server cannot be reached/)).toBeVisible();
    },
    async (page, form) => {
      await page.unroute('**/v1/storage/buckets/*/files');
      await form.content.getByRole('button', { name: 'Retry' }).click();
      await expect(form.content.locator('img[src*="/files/"]')).toBeVisible();
    },
  ],
  ['picture', (page, { content }) => tools(page, content.locator('img[src*="/files/"]'), 'Picture')],
  ['publish', (page, form) => form.submit.click().then(() => shows(page, 'dialog')), pressEscape],
];

test('all states of the editor pass axe in both themes and fit a phone', async ({ open, site, writer }) => {
  // With reduced motion, axe checks colours that are not in transition.
  const page = await open({ as: writer, reducedMotion: 'reduce' });
  const body = await picture(90, 60);
  await page.route('https://*.example/**', (route) => route.fulfill({ body, contentType: 'image/png' }));
  const refused = policyViolations(page);
  const post = await site.post(writer, { content: TEXT });
  const form = await editPost(page, post.id);
  const makeDark = (isDark: boolean) =>
    page.evaluate((dark) => void document.documentElement.classList.toggle('dark', dark), isDark);
  for (const [name, enter, leave] of STATES) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await enter(page, form);
    expect.soft(await violationsOn(page), name).toEqual([]);
    await makeDark(true);
    expect.soft(await violationsOn(page, COLOURS), `${name}, dark`).toEqual([]);
    await makeDark(false);
    await page.setViewportSize({ width: 360, height: 900 });
    // Floating elements follow their block one frame after the resize.
    await softly.poll(() => overflow(page), name).toBe(0);
    await leave?.(page, form);
  }
  expect(refused).toEqual([]);
});
