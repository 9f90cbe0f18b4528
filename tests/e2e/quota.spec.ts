import { Storage } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { postForm } from './post-form.ts';
import { expect, ownSite, type RunningSite, removeSite, signIn, test } from './site.ts';

let site: RunningSite;
test.beforeAll(async () => {
  site = await ownSite({ environment: { UPLOAD_QUOTA_MB: '1' } });
});
test.afterAll(() => removeSite(site));

const USED_UP =
  'You have used all of your storage (1 MB). Delete pictures or posts you no longer need, or ask the site’s operator.';

test('the form says that the storage is used up and keeps the text; what is deleted makes room for it', async ({
  browser,
}) => {
  const writer = await site.writer();
  const storage = new Storage(site.as(writer));
  const bytes = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.alloc(1024 * 1024 - 4096 - 16),
  ]);
  await storage.createFile({ bucketId: 'media', fileId: 'all', file: InputFile.fromBuffer(bytes, 'all.png') });

  const page = await signIn(await browser.newContext({ baseURL: site.url }), site, writer);
  await page.goto('/add-post');
  const form = postForm(page);
  await form.title.fill('One too many');
  await form.write('Words that must not be lost.');
  await form.chooseImage();
  await form.submit.click();
  await expect(form.alert.filter({ hasText: USED_UP })).toBeVisible();
  await expect(form.title).toHaveValue('One too many');
  await expect(form.content).toContainText('Words that must not be lost.');

  await storage.deleteFile({ bucketId: 'media', fileId: 'all' });
  await form.submit.click();
  await page.waitForURL('**/post/one-too-many');

  // An update keeps the former version before it writes. The remaining quota is smaller than a file.
  let rest = bytes;
  for (let i = 0; rest.length > 300 && i < 40; i += 1) {
    const file = InputFile.fromBuffer(rest, 'rest.png');
    await storage.createFile({ bucketId: 'media', fileId: `rest-${i}`, file }).catch(() => {
      rest = rest.subarray(0, Math.floor(rest.length / 2));
    });
  }
  await page.goto('/edit-post/one-too-many');
  await form.write('And more of them. '.repeat(300));
  await form.submit.click();
  await expect(form.alert.filter({ hasText: USED_UP })).toBeVisible();
  await expect(form.content).toContainText('And more of them.');
});
