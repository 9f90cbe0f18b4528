import { rm, writeFile } from 'node:fs/promises';
import { noise, picture } from './pictures.ts';
import { newPost } from './post-form.ts';
import { expect, hold, sentBy, test } from './site.ts';

test('a picture above a text is whole and moves nothing when it loads', async ({ page, site, writer }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [name, width, height, shown] of [
    ['Small', 300, 200, [300, 200]],
    ['Tall', 600, 1200, [600, 540]],
    ['Wide', 1800, 450, [749, 187]],
  ] as const) {
    const post = await site.post(writer, { size: { width, height } });
    const release = await hold(page, '**/preview?*');
    await page.goto(`/post/${post.id}`, { waitUntil: 'domcontentloaded' });
    const image = page.locator('article img');
    const title = page.getByRole('heading', { level: 1 });
    const before = await title.boundingBox();
    release();
    await image.evaluate((img: HTMLImageElement) => img.decode());
    expect(await title.boundingBox()).toEqual(before);
    const box = await image.boundingBox();
    expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)], name).toEqual(shown);
    await expect(image).toHaveCSS('object-fit', 'contain');
    await page.unroute('**/preview?*');
  }
});

test('a picture over 5 MB is uploaded in chunks, and the form shows the progress', async ({ writerPage: page }) => {
  const form = await newPost(page, { title: 'A large picture' });
  const chunks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/files'))
      chunks.push(request.headers()['content-range'] ?? '');
  });
  // Delays reading the first bytes, as a slow memory card would, so that the form is submitted before they are read.
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function () {
      if (this.size <= 16) await promise;
      return arrayBuffer.call(this);
    };
    addEventListener('let-read', () => resolve(), { once: true });
  });
  // Holds the second chunk until the progress bar has been seen, because the bar disappears with the form.
  const { promise: seen, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/v1/storage/buckets/*/files', async (route) => {
    if (!route.request().headers()['content-range']?.startsWith('bytes 0-')) await seen;
    await route.continue();
  });
  await form.chooseImage('large.png', await noise(7_000_000));
  await form.submit.click();
  await expect(form.content).toHaveAttribute('contenteditable', 'false');
  await page.evaluate(() => void dispatchEvent(new Event('let-read')));
  await expect(page.getByRole('progressbar')).toBeVisible();
  letThrough();
  await page.waitForURL('**/post/a-large-picture');
  expect(chunks).toHaveLength(2);
  expect(chunks[0]).toMatch(/^bytes 0-5242879\//);
});

test('a missing, wrong or too large picture is refused before it is sent', async ({ writerPage: page }) => {
  const form = await newPost(page, { title: 'Without a picture' });
  const sent = sentBy(page, '/files');
  await form.submit.click();
  await form.says('Please select a featured image for your post');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const pictures = { 'notes.png': Buffer.from('some text'), 'huge.png': await noise(20_000_000), 'picture.svg': svg };
  for (const [name, bytes] of Object.entries(pictures)) {
    await form.chooseImage(name, bytes);
    await form.submit.click();
    const words = name === 'huge.png' ? 'at most 10 MB' : 'Choose a PNG, JPG, JPEG or GIF image.';
    await expect(page.getByText(words).first(), name).toBeVisible();
  }
  expect(sent).toEqual([]);
  await expect(form.title).toHaveValue('Without a picture');
});

test('a picture whose file is gone is refused, and the form continues', async ({ writerPage: page }) => {
  const form = await newPost(page, { title: 'After a lost file', text: 'Words.' });
  const file = test.info().outputPath('gone.png');
  await writeFile(file, await picture());
  // The browser knows the file's size, but the file is gone when the form reads it.
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { type: 'file' })));
  const other = page.locator('body > input');
  await other.setInputFiles(file);
  await other.evaluate((input: HTMLInputElement) => input.files?.[0]?.size);
  await rm(file);
  await form.content.evaluate((text) => {
    const clipboardData = new DataTransfer();
    for (const lost of document.querySelector<HTMLInputElement>('body > input')?.files ?? [])
      clipboardData.items.add(lost);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(form.alert.filter({ hasText: /This image cannot be read/ })).toBeVisible();
  await form.image.evaluate((input: HTMLInputElement) => {
    input.files = document.querySelector<HTMLInputElement>('body > input')?.files ?? null;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(page.getByText(/This image cannot be read/)).toHaveCount(2);
  await form.submit.click();
  await expect(form.alert.filter({ hasText: /This image cannot be read/ })).toHaveCount(2);
  await form.chooseImage();
  await form.publish('after-a-lost-file');
});

test('a taken slug is reported, the words stay, and another slug works', async ({ writerPage, site, writer }) => {
  const taken = await site.post(writer, { id: `taken-${Date.now()}` });
  const form = await newPost(writerPage, { title: 'Else', slug: taken.id, text: 'Not to be lost.', image: true });
  await form.submit.click();
  await form.says('A post with this slug already exists. Change the title or slug and try again.');
  await expect(form.content).toContainText('Not to be lost.');
  await form.slug.fill(`${taken.id}-2`);
  await form.publish(`${taken.id}-2`);
  await expect(writerPage.getByText('Not to be lost.')).toBeVisible();
});

test('script in every field is text, never script', async ({ writerPage }) => {
  const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  const slug = 'attack-in-every-field';
  await (await newPost(writerPage, { title: attack, slug, text: attack, image: true })).publish(slug);
  for (const path of [`/post/${slug}`, '/', '/all-posts']) {
    await writerPage.goto(path);
    await expect(writerPage.getByText(/onerror=/).first()).toBeVisible();
    expect(await writerPage.evaluate(() => 'hacked' in window), path).toBe(false);
  }
});
