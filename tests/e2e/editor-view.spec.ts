import { editPost, moveCursor, newPost } from './post-form.ts';
import { expect, test } from './site.ts';

const CONTENT =
  '<h2>First</h2><p>An old boat.</p><h3>Second</h3><p>The boat <strong>bo</strong>at.</p><p>שלום boat</p>';

for (const width of [1280, 360])
  test(`each match comes into view (${width} px)`, async ({ writerPage: page, site, writer }) => {
    await page.setViewportSize({ width, height: 740 });
    const far = '<p>Words and more words, line after line.</p>'.repeat(60);
    const code = `<pre><code>${'x'.repeat(400)} needle</code></pre>`;
    const post = await site.post(writer, {
      content: `<h2>A needle above</h2>${far}<p>A needle</p>${far}${code}${far}<p>The needle</p>${far}`,
    });
    const { content } = await editPost(page, post.id);
    await content.getByText('Words and').nth(12).click();
    await moveCursor(page, 'End');
    await page.keyboard.press('ControlOrMeta+f');
    const find = page.getByRole('search', { name: 'Find in the text' });
    const now = content.locator('.found-now');
    const isInView = async (position: string, block: string) => {
      await expect(find.getByRole('status')).toHaveText(position);
      await expect.poll(() => now.evaluate((mark) => mark.closest('p, pre, h2')?.textContent)).toContain(block);
      await expect(now).toBeInViewport({ ratio: 1 });
      const isBare = (mark: HTMLElement | SVGElement) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        return mark.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      };
      await expect.poll(() => now.evaluate(isBare)).toBe(true);
    };
    await page.keyboard.type('needle');
    for (const [n, block] of Object.entries({ 2: 'A needle', 3: 'x needle', 4: 'The needle' })) {
      await isInView(`${n} of 4`, block);
      await page.keyboard.press('Enter');
    }
    await isInView('1 of 4', 'A needle above');
    await find.getByRole('textbox', { name: 'Replace with' }).fill('pin');
    await page.keyboard.press('Enter');
    await isInView('1 of 3', 'A needle');
    await page.keyboard.press('Enter');
    await isInView('1 of 2', 'x needle');
    await content.evaluate((text) => text.closest('[data-milkdown-root]')?.scrollTo(0, 0));
    await expect(now).not.toBeInViewport();
    await find.getByRole('textbox', { name: 'Find in the text' }).press('Enter');
    await isInView('2 of 2', 'The needle');
  });

test('finding, outline and full screen work by keyboard', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { content: CONTENT });
  const { content } = await editPost(page, post.id);
  await content.getByText('An old boat.').click();

  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('search', { name: 'Find in the text' });
  await expect(find.getByRole('textbox', { name: 'Find in the text' })).toBeFocused();
  await page.keyboard.type('BOAT');
  await expect(find.getByRole('status')).toHaveText(/^\d of 4$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  await expect(content.locator('.found-now')).not.toHaveCount(0);
  await find.getByRole('textbox', { name: 'Replace with' }).fill('ship');
  await find.getByRole('button', { name: 'Replace all' }).click();
  await expect(content).not.toContainText('boat');
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();
  await expect(content).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(content).toContainText('An old boat.');

  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  const outline = page.getByRole('navigation', { name: 'Outline' });
  await expect(outline.getByRole('listitem')).toHaveText(['First', 'Second']);
  await outline.getByRole('button', { name: 'Second' }).press('Enter');
  await expect(content).toBeFocused();
  await page.keyboard.type('Now ');
  await expect(content.getByRole('heading', { name: 'Now Second' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Shift+f');
  const frame = page.getByRole('group', { name: 'Content', exact: true });
  const height = async () => (await frame.boundingBox())?.height ?? 0;
  await expect.poll(height).toBeGreaterThan(650);
  await page.keyboard.press('Escape');
  await expect.poll(height).toBeLessThan(650);

  await expect(content.getByText('שלום')).toHaveCSS('direction', 'rtl');
  await expect(page.getByText(/words · 1 min read/)).toBeVisible();
});

for (const width of [360, 1280]) {
  test(`full screen keeps title, Preview and Submit (${width} px)`, async ({ writerPage: page }) => {
    await page.setViewportSize({ width, height: 740 });
    const form = await newPost(page, { text: 'Words' });
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await expect(page.locator('html.editor-full')).toHaveCount(1);
    const preview = page.getByRole('button', { name: 'Preview' });
    await form.title.focus();
    await page.keyboard.type('On the whole screen');
    for (const next of [page.getByRole('button', { name: /^Heading/ }), form.content, preview, form.submit]) {
      await page.keyboard.press('Tab');
      await expect(next).toBeFocused();
    }
    for (const part of [form.title, form.content, preview, form.submit]) {
      const box = await part.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y < 740 - 20).toBe(true);
      await part.click({ trial: true });
    }
    await expect(form.status).toBeHidden();
    await preview.click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.locator('html.editor-full')).toHaveCount(1);
    await form.title.press('Escape');
    await expect(page.locator('html.editor-full')).toHaveCount(0);
    await page.getByRole('button', { name: 'Full screen' }).click();
    // The error is shown beside its field, so the form reveals the field.
    await form.submit.click();
    await form.says('Please select a featured image');
    await expect(form.image).toBeFocused();
    await expect(form.status).toBeVisible();
  });
}
