import { freePort } from '@common-ink/http/free-port.ts';
import { Databases, ID } from 'node-appwrite';
import { openSmallDisk } from '../support/small-disk.ts';
import { postForm } from './post-form.ts';
import { expect, RunningSite, signIn, test } from './site.ts';

test('a writer is told that the server has no room, keeps the text, and publishes it when there is some @embedded', async ({
  browser,
}) => {
  const disk = await openSmallDisk(48);
  test.skip(!disk, 'this user may not mount a file system');
  if (!disk) return;
  const site = new RunningSite(await freePort(), disk.directory);
  try {
    await site.start();
    const context = await browser.newContext({ baseURL: site.url });
    const writer = await site.writer();
    const page = await signIn(context, site, writer);
    await page.goto('/add-post');
    const form = postForm(page);
    await form.title.fill('Written on a full disk');
    await form.write('Words that are kept.');
    await form.chooseImage();
    disk.fill();
    // SQLite's files have some free space of their own, so writes fail only after it is used up.
    await expect(writeOn(site)).rejects.toMatchObject({ code: 507, type: 'general_storage_full' });
    await form.submit.click();
    await expect(form.alert.first()).toContainText(
      'The server has run out of space. Your text is kept on this device; try again later.',
    );
    await expect(form.title).toHaveValue('Written on a full disk');
    await expect(form.content).toContainText('Words that are kept.');
    disk.clear();
    await expect(async () => {
      if (!page.url().includes('/post/')) await form.submit.click({ timeout: 5000 });
      await page.waitForURL(`${site.url}/post/written-on-a-full-disk`, { timeout: 10_000 });
    }).toPass();
    await expect(page.getByText('Words that are kept.')).toBeVisible();
    await context.close();
  } finally {
    await site.stop();
    disk.remove();
  }
});

async function writeOn(site: RunningSite): Promise<never> {
  const databases = new Databases(site.admin());
  for (;;) {
    await databases.createDocument({
      databaseId: 'blog',
      collectionId: 'articles',
      documentId: ID.unique(),
      data: { title: 'x', content: 'x'.repeat(200_000), status: 'inactive', userId: 'nobody' },
    });
  }
}
