import { editPost, newPost } from './post-form.ts';
import { expect, sentBy, test } from './site.ts';

test('a writer adds tags, and readers find the post by them', async ({ writerPage: page, site }) => {
  const id = Date.now().toString(36);
  const [ink, paper] = [`Tinte ${id}`, `紙 ${id}`];
  const form = await newPost(page, { title: `Tagged ${id}`, text: 'Words that stand below.', image: true });
  await page.getByText('Tags, excerpt, language').click();
  const tags = page.getByRole('combobox', { name: 'Tags' });
  const chosen = page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem');
  const remove = (name: string) => page.getByRole('button', { name: `Remove tag ${name}` }).click();
  await tags.fill(ink);
  await tags.press('Enter');
  await tags.fill(`  ${ink.toUpperCase()} `);
  await tags.press('Enter');
  await expect(page.getByText(`The post already has the tag ${ink}.`)).toBeVisible();
  await tags.fill('');
  // A comma completes a tag, and leaving the field adds the remaining text as another tag.
  await tags.pressSequentially(`gone ${id},`);
  await remove(`gone ${id}`);
  await tags.fill(paper);
  await page.getByLabel('Excerpt').fill('In a word: ink.');
  await expect(chosen).toHaveText([ink, paper]);
  await page.getByLabel('Language').selectOption({ label: 'Dutch' });
  await page.getByLabel('Alternative text').fill('A grey square');
  await form.publish(/\/post\//);
  const slug = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const post = await site.text(`/post/${slug}`);
  for (const words of [
    'rel="tag"',
    `<meta property="article:tag" content="${ink}">`,
    '"inLanguage":"nl"',
    '<meta property="og:description" content="In a word: ink.">',
    '<meta property="og:image:alt" content="A grey square">',
    `"keywords":["${ink}","${paper}"]`,
    '<div class="prose" lang="nl"',
  ])
    expect(post).toContain(words);

  await page.getByRole('link', { name: ink }).click();
  await expect(page.getByRole('heading', { level: 1, name: ink })).toBeVisible();
  await expect(page.getByRole('link', { name: `Tagged ${id}` })).toBeVisible();
  const path = new URL(page.url()).pathname;
  expect(await site.text(`${path}/feed.xml`)).toContain(`<category>${paper}</category>`);
  expect(await site.text('/archive')).toContain(path);
  expect(await site.text('/sitemap.xml')).toContain(`${path}</loc>`);
  expect(await site.text(`/search?q=${encodeURIComponent(`tag:"${paper}"`)}`)).toContain(`/post/${slug}`);

  // While a busy site renders the list of tags, it gives the form the outdated one.
  expect(await site.text('/tags.json')).toContain(ink);
  await page.goto('/add-post');
  await page.getByText('Tags, excerpt, language').click();
  await tags.click();
  await tags.pressSequentially(id);
  const offered = page.getByRole('listbox', { name: 'Tags in use' }).getByRole('option');
  await expect(offered).toHaveCount(2);
  await tags.press('ArrowDown');
  await expect(offered.first()).toHaveAttribute('aria-selected', 'true');
  const first = await offered.first().locator('bdi').textContent();
  await tags.press('Enter');
  await expect(chosen).toHaveText([first ?? '']);

  page.on('dialog', (dialog) => void dialog.accept());
  await editPost(page, slug);
  await remove(ink);
  await expect(page.getByLabel('Excerpt')).toHaveValue('In a word: ink.');
  await form.publish(/\/post\//);
  await expect(page.getByRole('link', { name: paper })).toBeVisible();
  await expect.poll(() => site.status(path)).toBe(404);
  expect(await site.text('/archive')).not.toContain(path);
});

test('a refused tag keeps a post from being published', async ({ writerPage: page, site, writer }) => {
  const serial = Date.now().toString(36);
  const form = await newPost(page, { title: `Refused ${serial}`, text: 'Words.', image: true });
  const details = page.getByRole('button', { name: 'Tags, excerpt, language' });
  const tags = page.getByRole('combobox', { name: 'Tags' });
  const chosen = page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem');
  const refused = async (text: string, why: string) => {
    const writes = ['POST', 'PATCH'].map((method) => sentBy(page, '/v1/', method));
    await form.submit.click();
    await expect(tags).toBeFocused();
    await expect(tags).toHaveValue(text);
    await expect(tags).toHaveAccessibleDescription(new RegExp(why));
    await expect(form.submit).not.toHaveAttribute('aria-busy');
    expect(writes.flat().filter((url) => /articles\/documents|\/files/.test(url))).toEqual([]);
  };

  await details.click();
  await tags.fill('!!!');
  await refused('!!!', 'A tag needs a letter or a digit.');
  await tags.fill('x'.repeat(81));
  await refused('x'.repeat(81), 'A tag has at most \\d+ characters.');
  // The error opens the closed section again.
  await details.click();
  await expect(tags).toBeHidden();
  await refused('x'.repeat(81), 'A tag has at most \\d+ characters.');
  // After a list is pasted, the tags that cannot be added stay in the field.
  const twelve = Array.from({ length: 12 }, (_, i) => `many${i} ${serial}`);
  await tags.fill(`,${twelve.join(',')}`);
  await expect(chosen).toHaveCount(10);
  await refused(twelve.slice(10).join(', '), 'A post has at most 10 tags. Remove one to add another.');
  await tags.fill('');
  await form.publish(/\/post\//);

  const post = await site.post(writer, { title: `Edited ${serial}` });
  await editPost(page, post.id);
  await details.click();
  await tags.fill('...');
  await refused('...', 'A tag needs a letter or a digit.');
  await tags.fill(`Ink ${serial}`);
  await tags.press('Enter');
  await tags.fill(`ink ${serial}`);
  await form.publish(/\/post\//);
  await expect(page.getByRole('link', { name: `Ink ${serial}` })).toBeVisible();
});
