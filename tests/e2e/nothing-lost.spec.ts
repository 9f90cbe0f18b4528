import { Databases, Query } from 'node-appwrite';
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

test('what is typed without a pause is on this device all the same', async ({ writerPage }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.content.click();
  const kept = () =>
    writerPage.evaluate(() =>
      Object.entries({ ...localStorage })
        .filter(([key]) => key.startsWith('common-ink:draft:'))
        .map(([, value]) => value)
        .join(),
    );
  // Faster than any pause the form could wait for, until the copy is there.
  for (let word = 0; word < 100 && !(await kept()).includes('word 0'); word += 1) {
    await writerPage.keyboard.type(`word ${word} `);
  }
  expect(await kept()).toContain('word 0');
});

test('two tabs of one post: the second is refused, nothing is overwritten, and the former versions are kept', async ({
  writerPage,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'As it was' });
  const second = await writerPage.context().newPage();
  for (const page of [writerPage, second]) {
    await page.goto(`/edit-post/${post.id}`);
    await expect(postForm(page).title).toHaveValue('As it was');
  }
  await postForm(writerPage).title.fill('From the first tab');
  await postForm(writerPage).submit.click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  await postForm(second).title.fill('From the second tab');
  await postForm(second).submit.click();
  await expect(postForm(second).alert.filter({ hasText: /changed elsewhere since you opened it/ })).toBeVisible();
  await expect(postForm(second).title).toHaveValue('From the second tab');
  const databases = new Databases(site.as(writer));
  const place = { databaseId: 'blog', collectionId: 'articles', documentId: post.id };
  expect((await databases.getDocument(place)).title).toBe('From the first tab');
  await second.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click();
  await postForm(second).submit.click();
  await second.waitForURL(`${site.url}/post/${post.id}`);
  const { documents } = await databases.listDocuments({
    databaseId: 'blog',
    collectionId: 'revisions',
    queries: [Query.equal('postId', post.id), Query.orderAsc('versionOf')],
  });
  expect(documents.map(({ title }) => title)).toEqual(['As it was', 'From the first tab']);
});
