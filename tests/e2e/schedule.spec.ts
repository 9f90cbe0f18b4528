import { editPost, offersDraft, postForm } from './post-form.ts';
import { expect, type RunningSite, test, type Writer } from './site.ts';

const schedule = (site: RunningSite, writer: Writer, documentId: string, publishAt: number) =>
  site.update(documentId, { publishAt: new Date(publishAt).toISOString() }, writer);

test('a writer sets an hour in their time zone, sees it and cancels it', async ({ open, site, writer }) => {
  const post = await site.post(writer, { title: 'For the spring', status: 'inactive' });
  const page = await open({ as: writer, timezoneId: 'Europe/Berlin' });
  const form = await editPost(page, post.id);
  await page.getByText('Publish or unpublish later').click();
  const hour = page.getByLabel('Publish at');
  await expect(page.getByText(/In your time zone: Central European/)).toBeVisible();
  await hour.fill('2031-03-30T02:30');
  await expect(page.getByText('02:30 doesn’t exist on that day')).toBeVisible();
  await expect(hour).toHaveValue('2031-03-30T03:30');
  await hour.fill('2031-10-26T02:30');
  await page.getByLabel('Central European Standard Time (UTC+01:00)').check();
  await form.publish(post.id);
  expect(Date.parse((await site.stored(post.id)).publishAt)).toBe(Date.UTC(2031, 9, 26, 1, 30));
  await page.goto('/all-posts');
  await page.getByRole('button', { name: /^(Mine|My inactive)$/ }).click();
  await expect(page.getByText(/Will be published on 26 October 2031 at 0?2:30/)).toBeVisible();
  await editPost(page, post.id);
  await page.getByLabel('Publish at').fill('');
  await form.publish(post.id);
  expect((await site.stored(post.id)).publishAt).toBe(null);
});

test('an hour that has passed opens its fields and is focused', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { title: 'Too late', status: 'inactive' });
  const form = await editPost(page, post.id);
  const section = page.getByRole('button', { name: 'Publish or unpublish later' });
  const hour = page.getByLabel('Publish at');
  await section.click();
  await hour.fill('2020-01-01T09:00');
  // Submitting again with the same error opens the section again.
  for (let press = 0; press < 2; press += 1) {
    await section.click();
    await expect(hour).toBeHidden();
    await form.submit.click();
    await expect(page.getByText('That time has passed. Choose a later one, or clear it.')).toBeVisible();
    await expect(hour).toBeFocused();
  }
  await expect(form.saved).toBeVisible();
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`/edit-post/${post.id}`);
  await offersDraft(next);
  await next.getByRole('button', { name: 'Restore' }).click();
  await postForm(next).submit.click();
  await expect(next.getByText('That time has passed.')).toBeVisible();
  await expect(next.getByLabel('Publish at')).toBeFocused();
});

test('a post shows everywhere at its hour, and not before', async ({ site, writer, access, page }) => {
  test.skip(access !== 'embedded' && access !== 'gateway');
  const post = await site.post(writer, { title: 'At its hour', status: 'inactive', content: '<p>Chrysoberyl.</p>' });
  const paths = ['/', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml'];
  // `paths` omits the search page, because it limits requests per client address.
  const isNamed = async (path: string) => (await site.text(path)).includes(`/post/${post.id}`);
  const picture = site.view(post.featuredImage);
  for (const path of paths) await page.request.get(path);
  expect(await isNamed('/search?q=Chrysoberyl')).toBe(false);
  const at = Date.now() + 2500;
  await schedule(site, writer, post.id, at);
  await site.revalidate(writer, post.id);
  const seen = () => {
    const isRead = async (path: string) => (await page.request.get(path)).status() === 200;
    return Promise.all([...paths.map(isNamed), isRead(`/post/${post.id}`), isRead(picture)]);
  };
  for (let isEarly = true; isEarly; isEarly = Date.now() < at - 500) {
    const shown = await seen();
    if (Date.now() < at) expect(shown).toEqual(shown.map(() => false));
  }
  await expect.poll(seen, { intervals: [20] }).toEqual([...paths, '', ''].map(() => true));
  expect(await isNamed('/search?q=Chrysoberyl')).toBe(true);
  const document = await site.stored(post.id);
  expect([Date.parse(document.$createdAt), document.publishAt]).toEqual([at, null]);
});

test('a site killed at the hour and started again publishes each post once @embedded', async ({ site, writer }) => {
  const posts: { readonly id: string }[] = [];
  for (let i = 0; i < 6; i += 1) posts.push(await site.post(writer, { title: `Waiting ${i}`, status: 'inactive' }));
  const at = Date.now() + 1500;
  for (const [i, { id }] of posts.entries()) await schedule(site, writer, id, at + 20 * i);
  // Waits until the scheduled time of every post has passed.
  await expect.poll(() => Date.now() > at + 50, { intervals: [10] }).toBe(true);
  await site.stop('SIGKILL');
  await site.start();
  for (const path of ['/', '/feed.xml']) {
    const shown = async () => {
      const text = await site.text(path);
      return posts.filter(({ id }) => text.includes(`/post/${id}`)).length;
    };
    await expect.poll(shown, { intervals: [20] }).toBe(posts.length);
  }
  const documents = await Promise.all(posts.map(({ id }) => site.stored(id)));
  const hours = documents.map(({ $createdAt, publishAt }) => [Date.parse($createdAt) - at, publishAt]);
  expect(hours).toEqual(posts.map((_, i) => [20 * i, null]));
});
