import type { Locator, Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { moveCursor, postForm } from './post-form.ts';
import { expect, test } from './site.ts';

/** Goes on with Tab until `field` has the focus. */
async function tabTo(page: Page, field: Locator): Promise<void> {
  const focused = () => field.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 80 && !(await focused()); press += 1) await page.keyboard.press('Tab');
  await expect(field).toBeFocused();
}

test('a post with a heading, a list, a link, a picture and a table is written and published without a pointer', async ({
  writerPage: page,
  site,
}) => {
  await page.goto('/add-post');
  const { keyboard } = page;
  const { title, content, image, submit } = postForm(page);
  await expect(content).toBeVisible();
  await tabTo(page, title);
  await keyboard.type('Written by keys');
  await keyboard.press('Enter');
  await expect(content).toBeFocused();

  await keyboard.type('## Part');
  await keyboard.press('Enter');
  await keyboard.type('- one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await keyboard.type('See this page');
  await moveCursor(page, 'ControlOrMeta+Shift+ArrowLeft');
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Address of the link' })).toBeFocused();
  await keyboard.type('example.com');
  await keyboard.press('Enter');
  await expect(content).toBeFocused();
  await moveCursor(page, 'End');
  await keyboard.press('Enter');
  await keyboard.type('/table');
  await keyboard.press('Enter');
  await keyboard.type('Kind');
  await keyboard.press('Tab');
  await keyboard.type('Drops');
  await keyboard.press('ControlOrMeta+Enter');

  // Asked for well before: a key may be quicker than what lets the browser tell of its file choosers.
  const chosen = page.waitForEvent('filechooser');
  // By the toolbar, to show that it can be gone to.
  await keyboard.press('Alt+F10');
  await tabbedTool(page, 'Picture');
  await keyboard.press('Enter');
  await (await chosen).setFiles({ name: 'boat.png', mimeType: 'image/png', buffer: await picture(60, 40) });
  await expect(content.locator('img[src*="/files/"]')).toBeVisible();
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  await expect(page.getByLabel('Describe the picture for those who cannot see it')).toBeFocused();
  await keyboard.type('A boat');
  await keyboard.press('Escape');
  await expect(content).toBeFocused();

  const featured = page.waitForEvent('filechooser');
  await keyboard.press('Escape');
  await tabTo(page, image);
  await keyboard.press('Enter');
  await (await featured).setFiles({ name: 'lake.png', mimeType: 'image/png', buffer: await picture() });
  await tabTo(page, submit);
  await keyboard.press('Enter');
  await page.waitForURL(`${site.url}/post/written-by-keys`);
  const article = page.getByRole('main');
  await expect(article.getByRole('heading', { name: 'Part' })).toBeVisible();
  await expect(article.getByRole('listitem').filter({ hasText: /^(one|two)$/ })).toHaveCount(2);
  await expect(article.getByRole('link', { name: 'page', exact: true })).toHaveAttribute(
    'href',
    /^https:\/\/example\.com/,
  );
  await expect(article.getByRole('img', { name: 'A boat' })).toBeVisible();
  await expect(article.getByRole('columnheader', { name: 'Kind' })).toBeVisible();
});

/** Within the toolbar, where arrows go from tool to tool. */
async function tabbedTool(page: Page, name: string): Promise<void> {
  const tool = page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });
  const focused = () => tool.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 30 && !(await focused()); press += 1) await page.keyboard.press('ArrowRight');
  await expect(tool).toBeFocused();
}
