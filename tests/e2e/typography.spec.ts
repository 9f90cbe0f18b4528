import { moveCursor, newPost, reloadUntil } from './post-form.ts';
import { expect, test } from './site.ts';

test('typed quotes follow the language until a remembered switch', async ({ writerPage: page }) => {
  const form = await newPost(page, { text: '"English" -- so...' });
  await expect(form.content).toHaveText('“English” – so…');
  await page.getByText('Tags, excerpt, language').click();
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await form.content.click();
  await moveCursor(page, 'ControlOrMeta+End');
  await page.keyboard.type(' "Deutsch"');
  await expect(form.content).toHaveText('“English” – so… „Deutsch“');
  const choice = page.getByRole('checkbox', { name: 'Typographic quotes and dashes' });
  await expect(choice).toBeChecked();
  await choice.uncheck();
  // The details section opens again, because the draft has a language.
  await reloadUntil(page, () => expect(choice).not.toBeChecked({ timeout: 10_000 }));
  await form.write('"plain" -- so...');
  await expect(form.content).toContainText('"plain" -- so...');
});
