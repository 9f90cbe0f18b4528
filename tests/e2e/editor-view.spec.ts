import AxeBuilder from '@axe-core/playwright';
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

const CONTENT =
  '<h2>First</h2><p>An old boat.</p><h3>Second</h3><p>The boat <strong>bo</strong>at.</p><p>שלום boat</p>';

test('a writer finds, replaces, goes to a heading and writes on the full screen, by keyboard', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { content: CONTENT });
  await page.goto(`/edit-post/${post.id}`);
  const { content } = postForm(page);
  await content.getByText('An old boat.').click();

  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('search', { name: 'Find in the text' });
  await expect(find.getByRole('textbox', { name: 'Find in the text' })).toBeFocused();
  await page.keyboard.type('BOAT');
  await expect(find.getByRole('status')).toHaveText(/^\d of 4$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  await expect(content.locator('.found-now')).not.toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
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
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await outline.getByRole('button', { name: 'Second' }).press('Enter');
  await expect(content).toBeFocused();
  await page.keyboard.type('Now ');
  await expect(content.getByRole('heading', { name: 'Now Second' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Shift+f');
  const frame = page.getByRole('group', { name: 'Content', exact: true });
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(900);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await frame.boundingBox())?.height).toBeLessThan(900);

  await expect(content.getByText('שלום')).toHaveCSS('direction', 'rtl');
  await expect(page.getByText(/words · 1 min read/)).toBeVisible();
});
