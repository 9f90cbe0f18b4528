import { postForm } from './post-form.ts';
import { expect, signIn, test } from './site.ts';

test('typed signs are those of the chosen language, and a switch that the device remembers turns them off', async ({
  context,
  site,
  writer,
}) => {
  const page = await signIn(context, site, writer);
  await page.goto('/add-post');
  const form = postForm(page);
  await form.write('"English" -- so...');
  await expect(form.content).toHaveText('“English” – so…');
  await page.keyboard.press('Backspace');
  await expect(form.content).toHaveText('“English” – so...');

  await page.getByText('Tags, excerpt, language').click();
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await form.content.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(' "Deutsch"');
  await expect(form.content).toHaveText('“English” – so... „Deutsch“');

  const choice = page.getByRole('checkbox', { name: 'Typographic quotes and dashes' });
  await expect(choice).toBeChecked();
  await choice.uncheck();
  // The draft's language opens the details again.
  await page.reload();
  await expect(choice).not.toBeChecked();
  await form.write('"plain" -- so...');
  await expect(form.content).toContainText('"plain" -- so...');
});
