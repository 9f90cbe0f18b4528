import { freePort } from '@common-ink/http/free-port.ts';
import { Databases, ID } from 'node-appwrite';
import { openSmallDisk } from '../support/small-disk.ts';
import { newPost } from './post-form.ts';
import { ARTICLES, expect, RunningSite, test } from './site.ts';

test('a writer keeps a text while the disk is full and publishes it later @embedded', async ({ open }) => {
  const disk = await openSmallDisk(48);
  test.skip(!disk, 'this user may not mount a file system');
  if (!disk) return;
  const site = new RunningSite(await freePort(), disk.directory);
  try {
    await site.start();
    const page = await open({ as: await site.writer(), at: site });
    const form = await newPost(page, { title: 'Written on a full disk', text: 'Words that are kept.', image: true });
    disk.fill();
    // SQLite's files have some free space of their own, so writes fail only after it is used up.
    await expect(writeOn(site)).rejects.toMatchObject({ code: 507, type: 'general_storage_full' });
    await form.submit.click();
    await form.says('The server has run out of space. Your text is kept on this device; try again later.');
    await expect(form.title).toHaveValue('Written on a full disk');
    await expect(form.content).toContainText('Words that are kept.');
    disk.clear();
    await expect(async () => {
      if (!page.url().includes('/post/')) await form.submit.click({ timeout: 5000 });
      await page.waitForURL(`${site.url}/post/written-on-a-full-disk`, { timeout: 10_000 });
    }).toPass();
    await expect(page.getByText('Words that are kept.')).toBeVisible();
  } finally {
    await site.stop();
    disk.remove();
  }
});

async function writeOn(site: RunningSite): Promise<never> {
  const databases = new Databases(site.admin());
  const data = { title: 'x', content: 'x'.repeat(200_000), status: 'inactive', userId: 'nobody' };
  for (;;) await databases.createDocument({ ...ARTICLES, documentId: ID.unique(), data });
}
