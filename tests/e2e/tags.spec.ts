import type { Request } from 'playwright/test';
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
  await expect(page.getByText(`The post already has the tag ${ink}.`)).toBeVisible();
  // A pasted list leaves the tags that cannot be added in the field.
  const twelve = Array.from({ length: 12 }, (_, i) => `many${i} ${id}`);
  await tags.fill(`,${twelve.join(',')}`);
  await expect(page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem')).toHaveCount(10);
  await expect(tags).toHaveValue(twelve.slice(9).join(', '));
  await expect(page.getByText('A post has at most 10 tags. Remove one to add another.').first()).toBeVisible();
  await page.getByRole('button', { name: `Remove tag ${ink}` }).click();
  await tags.fill('');
  for (const name of twelve.slice(0, 9)) await page.getByRole('button', { name: `Remove tag ${name}` }).click();
  await tags.fill(`,${ink}`);
  // A comma ends a name, and leaving the field adds the rest.
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

test('a tag that is refused stays in its field and keeps the post from being published, new or edited', async ({
  writerPage: page,
  site,
  writer,
}) => {
  const serial = Date.now().toString(36);
  const form = postForm(page);
  const details = page.getByRole('button', { name: 'Tags, excerpt, language' });
  const tags = page.getByRole('combobox', { name: 'Tags' });
  const chosen = page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem');
  const refused = async (text: string, why: string) => {
    const writes: string[] = [];
    const note = (request: Request) => {
      if (request.method() !== 'GET' && /articles\/documents|\/files/.test(request.url())) writes.push(request.url());
    };
    page.on('request', note);
    await form.submit.click();
    await expect(tags).toBeFocused();
    await expect(tags).toHaveValue(text);
    await expect(tags).toHaveAccessibleDescription(new RegExp(why));
    await expect(form.submit).not.toHaveAttribute('aria-busy');
    expect(writes).toEqual([]);
    page.off('request', note);
  };

  await page.goto('/add-post');
  await form.title.fill(`Refused ${serial}`);
  await form.write('Words.');
  await form.chooseImage();
  await details.click();
  await tags.fill('!!!');
  await refused('!!!', 'A tag needs a letter or a digit.');
  await tags.fill('x'.repeat(81));
  await refused('x'.repeat(81), 'A tag has at most \\d+ characters.');
  // The error opens the closed section again.
  await details.click();
  await expect(tags).toBeHidden();
  await refused('x'.repeat(81), 'A tag has at most \\d+ characters.');
  const eleven = Array.from({ length: 11 }, (_, i) => `many${i} ${serial}`);
  await tags.fill(`,${eleven.join(',')}`);
  await expect(chosen).toHaveCount(10);
  await refused(`many10 ${serial}`, 'A post has at most 10 tags.');
  await tags.fill('');
  await form.submit.click();
  await page.waitForURL(/\/post\//);

  const post = await site.post(writer, { title: `Edited ${serial}` });
  await page.goto(`/edit-post/${post.id}`);
  await details.click();
  await tags.fill('...');
  await refused('...', 'A tag needs a letter or a digit.');
  await tags.fill(`Ink ${serial}`);
  await tags.press('Enter');
  await tags.fill(`ink ${serial}`);
  await form.submit.click();
  await page.waitForURL(/\/post\//);
  await expect(page.getByRole('link', { name: `Ink ${serial}` })).toBeVisible();
});
