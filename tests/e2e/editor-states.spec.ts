import type { Page } from 'playwright/test';
import { COLOURS, loadAxe, violationsOn } from './axe.ts';
import { picture } from './pictures.ts';
import { moveCursor, type PostFormPage, postForm } from './post-form.ts';
import { expect, signIn, test } from './site.ts';

const TEXT = `<h2>Part of it</h2><p>Words with <a href="https://example.com/">a link</a> and <mark>more</mark>.</p>
<ul><li>one</li><li>two<ol start="3"><li>three</li></ol></li></ul><ul><li data-checked="true">done</li></ul>
<blockquote><p>שלום עולם</p><p>Twice.</p></blockquote>
<pre><code class="language-js">const ink = 'a line of code that is longer than the screen of a phone is wide';</code></pre>
<table><thead><tr><th>Kind</th><th>Drops</th><th>Price of it</th></tr></thead><tbody><tr><td>Black</td><td align="right">12</td><td>much</td></tr></tbody></table>
<table style="width: 50%" onclick="a()"><caption>kept</caption><tbody><tr><td>as it is</td></tr></tbody></table><h3>Last</h3><p>The end</p>`;

interface State {
  readonly name: string;
  readonly enter: (page: Page, form: PostFormPage) => Promise<void>;
  readonly leave?: (page: Page, form: PostFormPage) => Promise<void>;
}

const pressEscape = (page: Page) => page.keyboard.press('Escape');
const paste = (form: PostFormPage, html: string, file?: number[]) =>
  form.content.evaluate(
    (text, [pasted, bytes]) => {
      const data = new DataTransfer();
      if (pasted) data.setData('text/html', pasted);
      if (bytes) data.items.add(new File([new Uint8Array(bytes)], 'a.png'));
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [html, file] as const,
  );
const end = async (page: Page, form: PostFormPage) => {
  await form.content.getByText('The end').click();
  await moveCursor(page, 'End');
};

const STATES: readonly State[] = [
  { name: 'text', enter: async () => {} },
  {
    name: 'slash',
    enter: async (page, form) => {
      await end(page, form);
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      await expect(page.getByRole('listbox', { name: 'Blocks' })).toBeVisible();
    },
    leave: async (page) => {
      await pressEscape(page);
      await page.keyboard.press('Backspace');
    },
  },
  {
    name: 'link',
    enter: async (page, form) => {
      await form.content.getByText('a link').click();
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('group', { name: 'Link' })).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'code',
    enter: async (page, form) => {
      await form.content.getByText('const ink').click();
      await expect(page.getByRole('group', { name: 'Code block' })).toBeVisible();
    },
  },
  {
    name: 'table',
    enter: async (page, form) => {
      await form.content.getByText('Black').click();
      await expect(page.getByRole('group', { name: 'Table' })).toBeVisible();
    },
  },
  {
    name: 'find',
    enter: async (page, form) => {
      await end(page, form);
      await page.keyboard.press('ControlOrMeta+f');
      await page.keyboard.type('t');
      await expect(page.getByRole('search').getByRole('status')).not.toBeEmpty();
    },
    leave: pressEscape,
  },
  {
    name: 'outline',
    enter: async (page) => {
      await page.keyboard.press('ControlOrMeta+Shift+o');
      await expect(page.getByRole('navigation', { name: 'Outline' })).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'full',
    enter: async (page) => {
      await page.keyboard.press('ControlOrMeta+Shift+f');
      await expect(page.locator('html.editor-full')).toHaveCount(1);
    },
    leave: pressEscape,
  },
  {
    name: 'elsewhere',
    enter: async (page, form) => {
      await end(page, form);
      await paste(
        form,
        '<p style="color: red" onclick="a()"><img src="https://one.example/a.png" alt="A boat"></p><p>and</p>',
      );
      await expect(page.getByRole('region', { name: 'Pictures from other sites' })).toBeVisible();
    },
    leave: async (page) => {
      await page.getByRole('button', { name: 'Keep the link' }).click();
    },
  },
  {
    name: 'not-copied',
    enter: async (page, form) => {
      await end(page, form);
      // Nothing listens on this port.
      await paste(form, '<p><img src="https://127.0.0.1:1/a.png" alt="A lake"></p><p>and</p>');
      await page.getByRole('button', { name: 'Copy it into the blog' }).click();
      await expect(form.content.getByText(/^Not copied, so the link stays/)).toBeVisible();
    },
    leave: async (_page, form) => {
      await form.content.getByRole('button', { name: 'Keep the link' }).click();
    },
  },
  {
    name: 'failed',
    enter: async (page, form) => {
      await end(page, form);
      await page.route('**/v1/storage/buckets/*/files', (route) => route.abort());
      await paste(form, '', [...(await picture(200, 120))]);
      await expect(form.content.getByText(/server cannot be reached/)).toBeVisible();
    },
    leave: async (page, form) => {
      await page.unroute('**/v1/storage/buckets/*/files');
      await form.content.getByRole('button', { name: 'Retry' }).click();
      await expect(form.content.locator('img[src*="/files/"]')).toBeVisible();
    },
  },
  {
    name: 'picture',
    enter: async (page, form) => {
      await form.content.locator('img[src*="/files/"]').click();
      await expect(page.getByRole('group', { name: 'Picture' })).toBeVisible();
    },
  },
  {
    name: 'publish',
    enter: async (page, form) => {
      await form.submit.click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    leave: pressEscape,
  },
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every state of the editor passes axe in the ${colorScheme} theme, and fits a phone`, async ({
    browser,
    site,
    writer,
  }) => {
    // Reduced motion lets axe judge colours at rest.
    const context = await browser.newContext({ baseURL: site.url, colorScheme, reducedMotion: 'reduce' });
    const page = await signIn(context, site, writer);
    await page.route('https://*.example/**', async (route) =>
      route.fulfill({ body: await picture(90, 60), contentType: 'image/png' }),
    );
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    const post = await site.post(writer, { content: TEXT });
    await page.goto(`/edit-post/${post.id}`);
    const form = postForm(page);
    await expect(form.content).toBeVisible();
    await loadAxe(page);
    for (const { name, enter, leave } of STATES) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await enter(page, form);
      expect.soft(await violationsOn(page, colorScheme === 'dark' ? COLOURS : undefined), name).toEqual([]);
      for (const width of process.env.SCREENSHOTS ? [1280, 768, 360] : [360]) {
        await page.setViewportSize({ width, height: 900 });
        // Floating elements follow their block one frame after the resize.
        const beyond = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await expect.configure({ soft: true }).poll(beyond, `${name} at ${width}`).toBe(0);
        const folder = process.env.SCREENSHOTS;
        if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
      }
      await leave?.(page, form);
    }
    expect(refused).toEqual([]);
    await context.close();
  });
}
