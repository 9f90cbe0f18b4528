import { Storage } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { editPost, newPost } from './post-form.ts';
import { expect, ownSite, test } from './site.ts';

const USED_UP =
  'You have used all of your storage (1 MB). Delete pictures or posts you no longer need, or ask the site’s operator.';

test('the form says that the storage is used up and keeps the text; deleting makes room', async ({ open }) => {
  await using site = await ownSite({ environment: { UPLOAD_QUOTA_MB: '1' } });
  const writer = await site.writer();
  const storage = new Storage(site.as(writer));
  const signature = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const upload = (fileId: string, bytes: Buffer) =>
    storage.createFile({ bucketId: 'media', fileId, file: InputFile.fromBuffer(bytes, `${fileId}.png`) });
  const bytes = Buffer.concat([signature, Buffer.alloc(1024 * 1024 - 4096 - 16)]);
  await upload('all', bytes);
  const page = await open({ as: writer, at: site });
  const form = await newPost(page, { title: 'One too many', text: 'Words that must not be lost.', image: true });
  await form.submit.click();
  await form.says(USED_UP);
  await expect(form.title).toHaveValue('One too many');
  await expect(form.content).toContainText('Words that must not be lost.');
  await storage.deleteFile({ bucketId: 'media', fileId: 'all' });
  await form.publish('one-too-many');
  // Fills almost all of the quota, so that the update fails: it first stores the previous version.
  let rest = bytes;
  for (let i = 0; rest.length > 300 && i < 40; i += 1) {
    await upload(`rest-${i}`, rest).catch(() => {
      rest = rest.subarray(0, Math.floor(rest.length / 2));
    });
  }
  await editPost(page, 'one-too-many');
  await form.content.click();
  await page.keyboard.insertText('And more of them. '.repeat(300));
  await form.submit.click();
  await form.says(USED_UP);
  await expect(form.content).toContainText('And more of them.');
});
