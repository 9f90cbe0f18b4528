import { Storage } from 'node-appwrite';
import sharp from 'sharp';
import { noise, picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

const ADDRESS = /\/files\/([^/]+)\/view/;
/** Not those that the editor puts beside what has no words. */
const PICTURE = 'img:not(.ProseMirror-separator)';

test('ten pictures dropped at once arrive in order with their sizes; without descriptions the form warns and publishes', async ({
  writerPage,
  site,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Ten pictures');
  await form.chooseImage();
  await form.content.click();
  const files = await Promise.all(Array.from({ length: 10 }, async (_, index) => [...(await picture(40 + index, 30))]));
  await form.content.evaluate((text, all) => {
    const data = new DataTransfer();
    for (const [index, bytes] of all.entries()) data.items.add(new File([new Uint8Array(bytes)], `${index}.png`));
    const { left, top } = text.getBoundingClientRect();
    const at = { clientX: left + 40, clientY: top + 40, bubbles: true, cancelable: true };
    for (const type of ['dragenter', 'dragover', 'drop'])
      text.dispatchEvent(new DragEvent(type, { dataTransfer: data, ...at }));
  }, files);
  await expect(form.content.locator('img[src*="/files/"]')).toHaveCount(10);
  const widths = await form.content
    .locator('img[src*="/files/"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('width')));
  expect(widths).toEqual(Array.from({ length: 10 }, (_, index) => String(40 + index)));
  await form.submit.click();
  await expect(writerPage.getByText(/10 pictures have no description/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Publish anyway' }).click();
  await writerPage.waitForURL(`${site.url}/post/ten-pictures`);
});

test('a photograph is turned upright, made smaller, and says no more where it was taken', async ({
  writerPage,
  site,
}) => {
  const photo = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#446644' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer();
  expect((await sharp(photo).metadata()).exif).toBeDefined();
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('A photograph');
  await form.chooseImage('photo.jpg', photo);
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/a-photograph`);
  const html = await (await fetch(`${site.url}/post/a-photograph`)).text();
  const id = /\/files\/([^/]+)\//.exec(html)?.[1] ?? '';
  const stored = await sharp(Buffer.from(await (await fetch(site.view(id))).arrayBuffer())).metadata();
  expect([stored.width, stored.height, stored.exif]).toEqual([1280, 2560, undefined]);
});

test('an upload that fails says so in place, the words stay, and Retry brings it in', async ({ writerPage }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.write('Words around it.');
  await writerPage.route('**/v1/storage/buckets/*/files', (route) => route.abort());
  const bytes = [...(await picture())];
  await form.content.evaluate((text, all) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(all)], 'a.png'));
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, bytes);
  await expect(form.content.getByText(/server cannot be reached/)).toBeVisible({ timeout: 15_000 });
  await expect(form.content).toContainText('Words around it.');
  await writerPage.unroute('**/v1/storage/buckets/*/files');
  await form.content.getByRole('button', { name: 'Retry' }).click();
  await expect(form.content.locator(PICTURE)).toHaveAttribute('src', ADDRESS);
});

test('pictures that a paste carries in itself are uploaded and stand where they stood', async ({ writerPage }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.content.click();
  const data = `data:image/png;base64,${(await picture(50, 20)).toString('base64')}`;
  await form.content.evaluate((text, src) => {
    const clipboard = new DataTransfer();
    clipboard.setData('text/html', `<p>Before</p><p><img src="${src}" alt="A boat" width="25"></p><p>Behind</p>`);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }));
  }, data);
  const shown = form.content.getByRole('img', { name: 'A boat' });
  await expect(shown).toHaveAttribute('src', ADDRESS);
  expect([await shown.getAttribute('width'), await shown.getAttribute('height')]).toEqual(['25', '10']);
  await expect(form.content.locator('p', { hasText: /^(Before|Behind)$/ })).toHaveCount(2);
});

test('an upload that is cancelled leaves nothing behind', async ({ writerPage, site }) => {
  const count = async () => (await new Storage(site.admin()).listFiles({ bucketId: 'media' })).total;
  const before = await count();
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Never mind');
  await form.chooseImage('large.png', await noise(7_000_000));
  // The second part waits until the writer has cancelled.
  await writerPage.route('**/v1/storage/buckets/*/files', (route) =>
    route.request().headers()['content-range']?.startsWith('bytes 0-') ? route.continue() : undefined,
  );
  await form.submit.click();
  await expect(writerPage.getByText(/part 1 of 2/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(form.submit).not.toHaveAttribute('aria-busy', 'true');
  await expect(form.title).toHaveValue('Never mind');
  expect(await count()).toBe(before);
});

test('pasted pictures of other sites are asked about: links stay, or they are taken out', async ({ writerPage }) => {
  const body = await picture(50, 20);
  await writerPage.route('https://*.example/**', (route) => route.fulfill({ body, contentType: 'image/png' }));
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.content.click();
  const paste = (html: string) =>
    form.content.evaluate((text, pasted) => {
      const data = new DataTransfer();
      data.setData('text/html', pasted);
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, html);
  await paste(
    '<p>Words</p><p><img src="https://one.example/a.png"></p><p><img src="https://two.example/b.png"></p><p>End</p>',
  );
  await expect(writerPage.getByText(/2 pictures lie on other sites \(one\.example, two\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Keep the links' }).click();
  await expect(writerPage.getByText(/lie on other sites/)).toHaveCount(0);
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await paste('<p>More</p><p><img src="https://three.example/c.png"></p><p>End</p>');
  await expect(writerPage.getByText(/This picture lies on another site \(three\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Remove it' }).click();
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await expect(form.content).toContainText('More');
});
