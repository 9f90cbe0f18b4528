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
  // The same user saves the post on another device.
  const theirs = `<p>${one} And dries.</p><p>${two} Sometimes.</p><p>${three}</p><p>The end.</p>`;
  await site.update(post.id, { title: 'From elsewhere', content: theirs }, writer);
  await form.submit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Two versions of this post' });
  await expect(dialog).toBeVisible();
  expect((await site.stored(post.id)).content).toBe(theirs);
  // Changes made on one side only are merged. The dialog asks only about parts changed on both sides.
  await expect(dialog.getByText('One part is undecided: choose.')).toBeVisible();
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
  const merged = [`${one} And dries.`, `${two} Sometimes.`, `${two} Always.`, `${three} Slowly.`, 'The end.'];
  const content = merged.map((words) => `<p>${words}</p>`).join('');
  expect(await site.stored(post.id)).toMatchObject({ title: 'From elsewhere', content });
});

test('a paragraph that was moved elsewhere is never left out without a question', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const [one, two, three] = ['Ink spreads along the fibres.', 'Paper remembers every hand.', 'Morning came at last.'];
  const post = await site.post(writer, { content: `<p>${one}</p><p>${two}</p><p>${three}</p>` });
  const form = await editPost(page, post.id);
  await typeAfter(page, two, ' Always.');
  await site.update(post.id, { content: `<p>${three}</p><p>${one}</p><p>${two}</p>` }, writer);
  await form.submit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Two versions of this post' });
  await expect(dialog.getByText('2 parts are undecided: choose.')).toBeVisible();
  const moved = dialog.locator('section').filter({ hasText: three });
  await moved.first().getByRole('radio', { name: 'this part' }).check();
  await moved.last().getByRole('radio', { name: 'leave it out' }).check();
  await dialog.getByRole('button', { name: 'Use the choice' }).click();
  await form.publish(post.id);
  expect((await site.stored(post.id)).content).toBe(`<p>${three}</p><p>${one}</p><p>${two} Always.</p>`);
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
