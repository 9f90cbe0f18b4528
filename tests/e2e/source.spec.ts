import AxeBuilder from '@axe-core/playwright';
import { Databases } from 'node-appwrite';
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

/** An importer wrote this HTML; the editor would write it differently. */
const IMPORTED = '<h2>Part</h2>\n<p>One  and\ntwo.</p>\n\n<ul>\n<li>A</li>\n</ul>\n<p>Last.</p>\n';

test('the HTML source is there and back to the letter, tells what it loses, and can be undone', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const stored = async (documentId: string) =>
    (await new Databases(site.as(writer)).getDocument({ databaseId: 'blog', collectionId: 'articles', documentId }))
      .content;
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  const post = await site.post(writer, { content: IMPORTED });
  const form = postForm(page);
  const tool = page.getByRole('button', { name: 'HTML source' });
  const source = page.getByRole('textbox', { name: 'HTML source' });
  await page.goto(`/edit-post/${post.id}`);
  await expect(form.content).toContainText('Last.');
  await tool.click();
  await expect(source).toHaveValue(IMPORTED);
  await expect(source).toBeFocused();
  await expect(page.getByRole('button', { name: 'Bold', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await tool.click();
  await expect(form.content).toBeFocused();
  await form.title.fill('Another title');
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${post.id}`);
  expect(await stored(post.id)).toBe(IMPORTED);

  await page.goto(`/edit-post/${post.id}`);
  await expect(form.content).toContainText('Last.');
  await tool.click();
  const changed = IMPORTED.replace('Last.', 'The <b>last</b> word.');
  const risky = '<script>alert(1)</script><p style="color:red" onclick="x()">Red <font>ink</font>.</p>';
  await source.fill(changed + risky);
  const told = page.locator('#source-losses');
  await expect(told).toContainText('<script> and everything in it');
  await expect(told).toContainText('style on <p>');
  await expect(told).toContainText('onclick on <p>');
  await expect(told).toContainText('<font>, but not its content');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await source.fill(changed);
  await expect(told).toHaveText('All of it will be kept.');
  await source.fill(changed + risky);
  await tool.click();
  await expect(form.content).toContainText('The last word.');
  await expect(form.content).toContainText('Red ink.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(form.content).not.toContainText('Red ink.');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(form.content).toContainText('Red ink.');

  // Publishing from the source view uses the source as shown.
  await tool.click();
  const kept = changed.replace(/<(\/?)b>/g, '<$1strong>');
  await expect(source).toHaveValue(`${kept}<p>Red ink.</p>`);
  await source.fill(`${kept}<p>Black ink.</p>`);
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${post.id}`);
  expect(await stored(post.id)).toBe(`${kept}<p>Black ink.</p>`);
  expect(refused).toEqual([]);
});
