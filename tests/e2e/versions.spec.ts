import sharp from 'sharp';
import { violationsOn } from './axe.ts';
import { picture } from './pictures.ts';
import { editPost, subscribed, typeAfter } from './post-form.ts';
import { expect, test } from './site.ts';

test('two versions are merged block by block and published', async ({ writerPage: page, site, writer }) => {
  const [one, two, three] = ['Ink spreads along the fibres.', 'Paper remembers every hand.', 'Morning came at last.'];
  const post = await site.post(writer, { title: 'As it was', content: `<p>${one}</p><p>${two}</p><p>${three}</p>` });
  const form = await editPost(page, post.id);
  await typeAfter(page, two, ' Always.');
  await typeAfter(page, three, ' Slowly.');

  // The same account saves on another device.
  const theirs = `<p>${one} And dries.</p><p>${two} Sometimes.</p><p>${three}</p><p>The end.</p>`;
  await site.update(post.id, { title: 'From elsewhere', content: theirs }, writer);
  await form.submit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Two versions of this post' });
  await expect(dialog).toBeVisible();
  expect((await site.stored(post.id)).content).toBe(theirs);

  // A change on one side alone is settled; the dialog asks about the others.
  await expect(dialog.getByText('One part was changed on both sides: choose.')).toBeVisible();
  const both = dialog.locator('section').filter({ hasText: 'Paper remembers' });
  await expect(both.locator('del')).toHaveText('removed: Sometimes');
  await expect(both.locator('ins')).toHaveText('added: Always');
  await dialog.getByRole('button', { name: 'Use the choice' }).press('Enter');
  await expect(dialog).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await both.getByRole('radio', { name: 'both' }).check();
  await dialog.getByRole('button', { name: 'Use the choice' }).click();
  await expect(dialog).toBeHidden();
  await expect(form.title).toHaveValue('From elsewhere');
  await form.publish(post.id);
  const now = await site.stored(post.id);
  expect(now.title).toBe('From elsewhere');
  expect(now.content).toBe(
    `<p>${one} And dries.</p><p>${two} Sometimes.</p><p>${two} Always.</p><p>${three} Slowly.</p><p>The end.</p>`,
  );
});

test('a change elsewhere is compared, kept and put back', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { title: 'As it was' });
  const listening = subscribed(page);
  const form = await editPost(page, post.id);
  await form.title.fill('Mine');
  await listening;
  await site.update(post.id, { title: 'Theirs' }, writer);
  await page.getByRole('button', { name: 'Compare the two' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Title' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep the server’s' }).click();
  await expect(form.title).toHaveValue('Theirs');
  await page.getByRole('button', { name: 'Put back what was there' }).click();
  await expect(form.title).toHaveValue('Mine');
  await expect(form.content).toBeFocused();
  await form.publish(post.id);
  expect((await site.stored(post.id)).title).toBe('Mine');
});

test('a former version is compared and restored', async ({ writerPage: page, site, writer }) => {
  const former = '<h2>Part</h2><p>The <strong>first</strong> text.</p>';
  const post = await site.post(writer, { title: 'First', content: former });
  const form = await editPost(page, post.id);
  await form.title.fill('Second');
  await form.chooseImage('second.png', await picture(64, 48, '#803030'));
  await typeAfter(page, 'The first text.', ' Longer now.');
  await form.publish(post.id);

  await editPost(page, post.id);
  await expect(form.content).toContainText('Longer now.');
  await page.getByRole('button', { name: 'Former versions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Former versions' });
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(dialog.getByRole('listitem')).toContainText(/0\.1 kB.*First/);
  await expect(dialog.getByText(/^4 words/)).toBeVisible();
  await expect(dialog.locator('ins').filter({ hasText: 'Longer now' })).toBeVisible();
  const changed = dialog.locator('section').filter({ hasText: 'Featured Image' }).locator('img');
  await expect(changed).toHaveCount(2);
  expect(await violationsOn(page)).toEqual([]);
  await expect(dialog.getByRole('listitem').getByRole('button')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Former versions' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await expect(form.title).toHaveValue('First');
  await expect(form.content).not.toContainText('Longer');
  const second = await site.stored(post.id);
  expect(second.title).toBe('Second');
  const notice = page.getByText(/is in the form\. Press Update/);
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(form.content).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(form.content).toContainText('Longer now.');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await form.publish(post.id);
  const restored = await site.stored(post.id);
  expect(restored).toMatchObject({ title: 'First', content: former });
  expect(restored.featuredImage).not.toBe(second.featuredImage);
  const bytes = Buffer.from(await (await fetch(site.view(restored.featuredImage))).arrayBuffer());
  const { width, height } = await sharp(bytes).metadata();
  expect([width, height]).not.toEqual([64, 48]);
});
