import type { Locator, Page } from 'playwright/test';
import { picture } from './pictures.ts';
import { moveCursor, newPost, postForm } from './post-form.ts';
import { expect, test } from './site.ts';

async function tabTo(page: Page, field: Locator, key = 'Tab'): Promise<void> {
  const focused = () => field.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 80 && !(await focused()); press += 1) await page.keyboard.press(key);
  await expect(field).toBeFocused();
}

async function enter(page: Page, field: Locator): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Enter');
}

async function say(page: Page, words: string): Promise<void> {
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

test('a post of every kind is written and published without a pointer', async ({ writerPage: page, site }) => {
  const { keyboard } = page;
  const { title, content, image, submit } = await newPost(page);
  await expect(content).toBeVisible();
  await tabTo(page, title);
  await say(page, 'Written by keys');
  await expect(content).toBeFocused();

  for (const line of ['## Part', '- one', 'two', '']) await say(page, line);
  await keyboard.type('See this page');
  await moveCursor(page, 'ControlOrMeta+Shift+ArrowLeft');
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Address of the link' })).toBeFocused();
  await say(page, 'example.com');
  await expect(content).toBeFocused();
  await moveCursor(page, 'End');
  await keyboard.press('Enter');
  await keyboard.type('/tab');
  // Waits until the menu is filtered, because Enter chooses from the items that are shown.
  await expect(page.getByRole('listbox', { name: 'Blocks' }).getByRole('option')).toHaveCount(1);
  await keyboard.press('Enter');
  await keyboard.type('Kind');
  await keyboard.press('Tab');
  await keyboard.type('Drops');
  await keyboard.press('ControlOrMeta+Enter');
  // Starts waiting before the key is pressed, because the browser may report the file chooser at once.
  const chosen = page.waitForEvent('filechooser');
  await keyboard.press('Alt+F10');
  const tools = page.getByRole('toolbar', { name: 'Formatting' });
  await tabTo(page, tools.getByRole('button', { name: 'Picture', exact: true }), 'ArrowRight');
  await keyboard.press('Enter');
  await (await chosen).setFiles({ name: 'boat.png', mimeType: 'image/png', buffer: await picture(60, 40) });
  await expect(content.locator('img[src*="/files/"]')).toBeVisible();
  await expect(content).toBeFocused();
  const description = page.getByLabel('Describe the picture for those who cannot see it');
  await expect(description).toBeVisible();
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  await expect(description).toBeFocused();
  await keyboard.type('A boat');
  await keyboard.press('Escape');
  await expect(content).toBeFocused();

  const featured = page.waitForEvent('filechooser');
  await keyboard.press('Escape');
  await enter(page, image);
  await (await featured).setFiles({ name: 'lake.png', mimeType: 'image/png', buffer: await picture() });
  await enter(page, submit);
  await page.waitForURL(`${site.url}/post/written-by-keys`);
  const article = page.getByRole('main');
  await expect(article.getByRole('heading', { name: 'Part' })).toBeVisible();
  await expect(article.getByRole('listitem').filter({ hasText: /^(one|two)$/ })).toHaveCount(2);
  const link = article.getByRole('link', { name: 'page', exact: true });
  await expect(link).toHaveAttribute('href', /^https:\/\/example\.com/);
  await expect(article.getByRole('img', { name: 'A boat' })).toBeVisible();
  await expect(article.getByRole('columnheader', { name: 'Kind' })).toBeVisible();
});

test('tags, an hour and a link to the draft are set without a pointer', async ({ open, site, writer }) => {
  const post = await site.post(writer, { title: 'Kept for later', status: 'inactive' });
  const page = await open({ as: writer, path: `/edit-post/${post.id}`, timezoneId: 'Europe/Berlin' });
  const { keyboard } = page;
  await tabTo(page, postForm(page).title);
  await enter(page, page.getByRole('button', { name: 'Publish or unpublish later' }));
  const hour = page.getByLabel('Publish at');
  await tabTo(page, hour);
  // Month, day, year, hour, minute and AM/PM, in the browser's own order.
  await keyboard.type('102620310915AM');
  await expect(hour).toHaveValue('2031-10-26T09:15');

  await enter(page, page.getByRole('button', { name: 'Tags, excerpt, language' }));
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tabTo(page, tags);
  await say(page, 'By keys,gone');
  await expect(tags).toBeFocused();
  const chosen = page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem');
  await expect(chosen).toHaveText(['By keys', 'gone']);
  await enter(page, page.getByRole('button', { name: 'Remove tag gone' }));
  await expect(chosen).toHaveText(['By keys']);

  const share = page.getByRole('button', { name: 'Share this draft' });
  await enter(page, share);
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('radio', { name: 'A week' }));
  await keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'A month' })).toBeChecked();
  const make = dialog.getByRole('button', { name: 'Make a link' });
  // A busy button ignores Enter.
  await expect(make).toBeEnabled();
  await enter(page, make);
  await expect(dialog.getByLabel('Link', { exact: true })).toHaveValue(/\/draft\//);
  await enter(page, dialog.getByRole('button', { name: 'Revoke' }));
  await expect(dialog.getByText('The link was revoked')).toBeVisible();
  await keyboard.press('Escape');
  await expect(share).toBeFocused();

  await enter(page, postForm(page).submit);
  await page.waitForURL(`${site.url}/post/${post.id}`);
  const document = await site.stored(post.id);
  expect(document.tags).toEqual(['By keys']);
  expect(Date.parse(document.publishAt)).toBe(Date.UTC(2031, 9, 26, 8, 15));
});
