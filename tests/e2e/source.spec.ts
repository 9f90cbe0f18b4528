import { violationsOn } from './axe.ts';
import { editPost } from './post-form.ts';
import { expect, policyViolations, test } from './site.ts';

/** An importer wrote this HTML; the editor would write it differently. */
const IMPORTED = '<h2>Part</h2>\n<p>One  and\ntwo.</p>\n\n<ul>\n<li>A</li>\n</ul>\n<p>Last.</p>\n';

test('the HTML source keeps every letter or names its losses', async ({ writerPage: page, site, writer }) => {
  const refused = policyViolations(page);
  const post = await site.post(writer, { content: IMPORTED });
  const form = await editPost(page, post.id);
  const tool = page.getByRole('button', { name: 'HTML source' });
  const source = page.getByRole('textbox', { name: 'HTML source' });
  await tool.click();
  await expect(source).toHaveValue(IMPORTED);
  await expect(source).toBeFocused();
  await expect(page.getByRole('button', { name: 'Bold', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await tool.click();
  await expect(form.content).toBeFocused();
  await form.title.fill('Another title');
  await form.publish(post.id);
  expect((await site.stored(post.id)).content).toBe(IMPORTED);

  await editPost(page, post.id);
  await tool.click();
  const changed = IMPORTED.replace('Last.', 'The <b>last</b> word.');
  const risky = '<script>alert(1)</script><p style="color:red" onclick="x()">Red <font>ink</font>.</p>';
  await source.fill(changed + risky);
  const told = page.locator('#source-losses');
  for (const loss of ['<script> and everything in it', 'style on <p>', 'onclick on <p>', '<font>, but not its content'])
    await expect(told).toContainText(loss);
  expect(await violationsOn(page)).toEqual([]);
  await source.fill(changed);
  await expect(told).toHaveText('All of it will be kept.');
  await source.fill(changed + risky);
  await tool.click();
  await expect(form.content).toContainText('The last word.');
  await expect(form.content).toContainText('Red ink.');
  await expect(form.content).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(form.content).not.toContainText('Red ink.');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(form.content).toContainText('Red ink.');
  // Publishing from the source view uses the source as shown.
  await tool.click();
  const kept = changed.replace(/<(\/?)b>/g, '<$1strong>');
  await expect(source).toHaveValue(`${kept}<p>Red ink.</p>`);
  await source.fill(`${kept}<p>Black ink.</p>`);
  await form.publish(post.id);
  expect((await site.stored(post.id)).content).toBe(`${kept}<p>Black ink.</p>`);
  expect(refused).toEqual([]);
});
