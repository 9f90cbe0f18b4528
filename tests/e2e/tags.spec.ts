/** A post's tags, excerpt, language and alternative text: from the form to every public page. */
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

test('a writer types tags, and readers find the post by them', async ({ writerPage: page, site }) => {
  const id = Date.now().toString(36);
  const [ink, paper] = [`Tinte ${id}`, `紙 ${id}`];
  await page.goto('/add-post');
  const form = postForm(page);
  await form.title.fill(`Tagged ${id}`);
  await form.write('Words that stand below.');
  await form.chooseImage();
  await page.getByText('Tags, excerpt, language').click();
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.fill(ink);
  await tags.press('Enter');
  await tags.fill(`  ${ink.toUpperCase()} `);
  await tags.press('Enter');
  await expect(page.getByText(`The post has the tag ${ink} already.`)).toBeVisible();
  // Of a list that is pasted, what cannot be added stays in the field.
  const twelve = Array.from({ length: 12 }, (_, i) => `many${i} ${id}`);
  await tags.fill(`,${twelve.join(',')}`);
  await expect(page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem')).toHaveCount(10);
  await expect(tags).toHaveValue(twelve.slice(9).join(', '));
  await expect(page.getByText('A post has at most 10 tags. Remove one to add another.').first()).toBeVisible();
  await page.getByRole('button', { name: `Remove tag ${ink}` }).click();
  await tags.fill('');
  for (const name of twelve.slice(0, 9)) await page.getByRole('button', { name: `Remove tag ${name}` }).click();
  await tags.fill(`,${ink}`);
  // A comma ends a name, and what is typed when the field is left is taken.
  await tags.pressSequentially(`gone ${id},`);
  await page.getByRole('button', { name: `Remove tag gone ${id}` }).click();
  await tags.fill(paper);
  await page.getByLabel('Excerpt').fill('In a word: ink.');
  await expect(page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem')).toHaveText([ink, paper]);
  await page.getByLabel('Language').selectOption({ label: 'Dutch' });
  await page.getByLabel('Alternative text').fill('A grey square');
  await form.submit.click();
  await page.waitForURL(/\/post\//);
  const slug = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const guest = async (path: string) => {
    const response = await fetch(site.url + path);
    return { status: response.status, text: await response.text() };
  };
  const post = await guest(`/post/${slug}`);
  expect(post.text).toContain(`rel="tag"`);
  expect(post.text).toContain(`<meta property="article:tag" content="${ink}">`);
  expect(post.text).toContain('"inLanguage":"nl"');
  expect(post.text).toContain('<meta property="og:description" content="In a word: ink.">');
  expect(post.text).toContain('<meta property="og:image:alt" content="A grey square">');
  expect(post.text).toContain(`"keywords":["${ink}","${paper}"]`);
  expect(post.text).toMatch(/<div class="prose" lang="nl"/);

  await page.getByRole('link', { name: ink }).click();
  await expect(page.getByRole('heading', { level: 1, name: ink })).toBeVisible();
  await expect(page.getByRole('link', { name: `Tagged ${id}` })).toBeVisible();
  const path = new URL(page.url()).pathname;
  expect((await guest(`${path}/feed.xml`)).text).toContain(`<category>${paper}</category>`);
  expect((await guest('/archive')).text).toContain(path);
  expect((await guest('/sitemap.xml')).text).toContain(`${path}</loc>`);
  expect((await guest(`/search?q=${encodeURIComponent(`tag:"${paper}"`)}`)).text).toContain(`/post/${slug}`);

  // Suggested to the next post, by keys alone.
  await page.goto('/add-post');
  await page.getByText('Tags, excerpt, language').click();
  await tags.click();
  await tags.pressSequentially(id);
  await expect(page.getByRole('listbox', { name: 'Tags in use' }).getByRole('option')).toHaveCount(2);
  await tags.press('ArrowDown');
  const first = await page
    .getByRole('listbox', { name: 'Tags in use' })
    .getByRole('option')
    .first()
    .locator('bdi')
    .textContent();
  await expect(page.getByRole('listbox', { name: 'Tags in use' }).getByRole('option').first()).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await tags.press('Enter');
  await expect(page.getByRole('list', { name: 'Chosen tags' })).toHaveText(first ?? '');

  // What is taken away is gone, and the form shows what is left.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/edit-post/${slug}`);
  await page.getByRole('button', { name: `Remove tag ${ink}` }).click();
  await expect(page.getByLabel('Excerpt')).toHaveValue('In a word: ink.');
  await form.submit.click();
  await page.waitForURL(/\/post\//);
  await expect(page.getByRole('link', { name: paper })).toBeVisible();
  await expect.poll(async () => (await guest(path)).status).toBe(404);
  expect((await guest('/archive')).text).not.toContain(path);
});
