import { Databases } from 'node-appwrite';
import { violationsOn } from './axe.ts';
import { member } from './members.ts';
import { editPost, newPost, postForm } from './post-form.ts';
import { ARTICLES, expect, test } from './site.ts';

test('a post becomes a page at its slug, in no list, and a post again', async ({ writerPage: page, site, writer }) => {
  const serial = Date.now().toString(36);
  const [title, slug] = [`Colophon ${serial}`, `colophon-${serial}`];
  const form = await newPost(page, { title, slug: 'archive', text: `Set in ink ${serial}.` });
  await page.getByText('Tags, excerpt, language').click();
  const kind = page.getByLabel('Post or page');
  await kind.selectOption('Page');
  await expect(page.getByText('The address will be /archive')).toBeVisible();
  await form.submit.click();
  await expect(page.getByText(/A page can’t have this slug.* account, add-post, .* welcome/)).toBeVisible();
  await expect(form.slug).toBeFocused();
  await form.slug.fill(slug);
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = page.getByRole('dialog').frameLocator('iframe');
  await expect(preview.getByRole('heading', { name: title })).toBeVisible();
  await expect(preview.locator('.byline')).toHaveCount(0);
  await page.keyboard.press('Escape');
  // A page needs no featured picture.
  await form.publish(new RegExp(`^${site.url}/${slug}$`));
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.locator('main time')).toHaveCount(0);

  const html = await site.text(`/${slug}`);
  for (const words of [`<link rel="canonical" href="${site.url}/${slug}">`, '"@type":"WebPage"', 'content="website"'])
    expect(html).toContain(words);
  expect(html).not.toContain(writer.name);
  const old = await fetch(`${site.url}/post/${slug}`, { redirect: 'manual' });
  expect([old.status, old.headers.get('location')]).toEqual([301, `/${slug}`]);
  const lists = ['/', '/feed.xml', '/atom.xml', '/feed.json', '/archive', `/archive/${new Date().getUTCFullYear()}`];
  const absent = async (path: string) => expect(await site.text(path), path).not.toContain(slug);
  for (const path of [...lists, `/author/${writer.id}`, '/nowhere/at/all']) await absent(path);
  expect(await site.text('/sitemap.xml')).toContain(`<loc>${site.url}/${slug}</loc>`);
  await expect.poll(() => site.text(`/search?q=${serial}`)).toContain(`href="/${slug}"`);

  await page.goto('/all-posts');
  const listed = page.getByRole('listitem').filter({ hasText: title });
  await expect(listed.getByText('Page', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pages', exact: true }).click();
  await expect(listed).toBeVisible();
  await expect(page.getByText('1 post', { exact: true })).toBeVisible();
  // Once unpublished, the page is shown only to its author, at the same address.
  await listed.getByRole('button', { name: 'Deactivate' }).click();
  await expect(listed.getByText('Not published · Page')).toBeVisible();
  await expect(page.getByText(`“${title}” is no longer published. Readers can’t see it.`)).toBeAttached();
  for (const path of [`/${slug}`, `/post/${slug}`]) expect(await site.status(path), path).toBe(404);
  await page.goto(`/${slug}`);
  await expect(page.getByText(`Set in ink ${serial}.`)).toBeVisible();

  await editPost(page, slug);
  await expect(kind).toHaveValue('page');
  await form.status.selectOption('active');
  await kind.selectOption('Page with author and date');
  await form.publish(new RegExp(`^${site.url}/${slug}$`));
  await expect(page.getByRole('main').getByRole('link', { name: writer.name })).toBeVisible();
  await editPost(page, slug);
  await kind.selectOption('Post');
  await form.publish(slug);
  expect(await site.text('/')).toContain(`/post/${slug}`);
  const back = await fetch(`${site.url}/${slug}`, { redirect: 'manual' });
  expect([back.status, back.headers.get('location')]).toEqual([301, `/post/${slug}`]);
});

test('an owner is offered first texts, publishes one by hand, and finds its place; others are not', async ({
  site,
  open,
}) => {
  const owner = await member(site, 'owner', 'Olga Pages');
  const page = await open({ as: owner, path: '/all-posts?scope=pages' });
  await expect(page.getByText('You have no pages yet')).toBeVisible();
  await page.getByRole('link', { name: 'Contact', exact: true }).click();
  const form = postForm(page);
  await expect(form.title).toHaveValue('Contact');
  await expect(form.content).toContainText('Write to you@example.com.');
  await expect(form.status).toHaveValue('inactive');
  await expect(page.getByLabel('Post or page')).toHaveValue('page');
  const slug = `contact-${Date.now().toString(36)}`;
  await form.slug.fill(slug);
  await form.publish(new RegExp(`^${site.url}/${slug}$`));
  await expect(page.getByText('Readers can’t see this page.')).toBeVisible();
  expect(await site.status(`/${slug}`)).toBe(404);
  await editPost(page, slug);
  await form.status.selectOption('active');
  await form.publish(new RegExp(`^${site.url}/${slug}$`));
  await page.getByRole('link', { name: 'Put it in the navigation or footer' }).click();
  const navigation = page.getByRole('group', { name: 'Navigation' });
  await expect(navigation.getByLabel('Text')).toHaveValue('Contact');
  await expect(navigation.getByLabel('Address')).toHaveValue(`/${slug}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Saved\. Readers see the new settings now/)).toBeVisible();
  expect(await site.text('/')).toContain(`href="/${slug}"`);
  await page.goto(`/site?page=/${slug}&text=Contact#settings`);
  await expect(navigation.getByLabel('Address')).toBeFocused();
  await expect(navigation.getByLabel('Address')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect(page.getByText('The last change is undone.')).toBeVisible();
  await page.goto('/site?page=/contact&text=Contact#settings');
  await expect(page.getByRole('group', { name: 'Footer' }).getByLabel('Contact Us')).toHaveValue('/contact');

  const stranger = await open({ as: await site.writer('Stranger'), path: `/${slug}` });
  await expect(stranger.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(stranger.getByRole('main').getByRole('link', { name: /Edit|navigation/ })).toHaveCount(0);
  await stranger.goto(`/edit-post/${slug}`);
  await expect(stranger.getByText('Only the author of this post can edit it.')).toBeVisible();
  await stranger.goto('/all-posts?scope=pages');
  await expect(stranger.getByRole('link', { name: 'Write a page' })).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'Contact', exact: true })).toHaveCount(0);
  await stranger.getByRole('link', { name: 'Write a page' }).click();
  await expect(stranger.getByLabel('Post or page')).toHaveValue('page');
});

test('a page that another client has put at an address of the site hides nothing and can be read', async ({
  site,
  writer,
}) => {
  const data = { title: 'Not the archive', content: '', featuredImage: '', status: 'active', userId: writer.id };
  const permissions = ['read("any")', `update("user:${writer.id}")`, `delete("user:${writer.id}")`];
  const databases = new Databases(site.as(writer));
  const place = { ...ARTICLES, documentId: 'archive' };
  await databases.createDocument({ ...place, data: { ...data, kind: 'page' }, permissions });
  await site.revalidate(writer, 'archive');
  expect(await site.text('/archive')).not.toContain('Not the archive');
  expect(await site.text('/post/archive')).toContain('Not the archive');
  expect(await site.text('/')).not.toContain('/post/archive');
  await expect(databases.updateDocument({ ...place, data: { kind: 'poem' } })).rejects.toMatchObject({ code: 400 });
  await databases.deleteDocument(place);
});
