import { createServer } from 'node:http';
import sharp from 'sharp';
import { close, listen } from '../support/gateway.ts';
import { picture } from './pictures.ts';
import { moveCursor, newPost, paste } from './post-form.ts';
import { expect, hold, test } from './site.ts';

const ADDRESS = /\/files\/([^/]+)\/view/;
/** Excludes the image that ProseMirror adds beside inline content without text. */
const PICTURE = 'img:not(.ProseMirror-separator)';

test('ten dropped pictures arrive in order, and the form asks for descriptions', async ({ writerPage }) => {
  const form = await newPost(writerPage, { title: 'Ten pictures', text: 'Above', image: true });
  await form.content.click();
  await moveCursor(writerPage, 'ControlOrMeta+End');
  await writerPage.keyboard.press('Enter');
  await writerPage.keyboard.type('Below');
  const files = await Promise.all(Array.from({ length: 10 }, async (_, index) => [...(await picture(40 + index, 30))]));
  await form.content.evaluate((text, all) => {
    const data = new DataTransfer();
    for (const [index, bytes] of all.entries()) data.items.add(new File([new Uint8Array(bytes)], `${index}.png`));
    const { left } = text.getBoundingClientRect();
    const { top } = (text.firstElementChild as Element).getBoundingClientRect();
    const at = { clientX: left + 4, clientY: top + 8, bubbles: true, cancelable: true };
    for (const type of ['dragenter', 'dragover', 'drop'])
      text.dispatchEvent(new DragEvent(type, { dataTransfer: data, ...at }));
  }, files);
  const uploaded = form.content.locator('img[src*="/files/"]');
  await expect(uploaded).toHaveCount(10);
  const widths = await uploaded.evaluateAll((all) => all.map((each) => each.getAttribute('width')));
  expect(widths).toEqual(Array.from({ length: 10 }, (_, index) => String(40 + index)));
  await expect(form.content.locator('p').first()).toHaveText('Above');
  await expect(form.content.locator('p').last()).toHaveText('Below');
  await form.submit.click();
  await expect(writerPage.getByText(/10 pictures have no description/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Publish anyway' }).click();
  await writerPage.waitForURL('**/post/ten-pictures');
});

test('a photograph is turned upright, made smaller, and loses its location', async ({ writerPage, site }) => {
  const photo = await sharp(await picture(3000, 1500))
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer();
  expect((await sharp(photo).metadata()).exif).toBeDefined();
  const form = await newPost(writerPage, { title: 'A photograph' });
  await form.chooseImage('photo.jpg', photo);
  await form.publish('a-photograph');
  const { featuredImage } = await site.stored('a-photograph');
  const stored = await sharp(Buffer.from(await (await fetch(site.view(featuredImage))).arrayBuffer())).metadata();
  expect([stored.width, stored.height, stored.exif]).toEqual([1280, 2560, undefined]);
});

test('a failed upload says so in place, the words stay, and Retry uploads it', async ({ writerPage }) => {
  const form = await newPost(writerPage, { text: 'Words around it.' });
  await writerPage.route('**/v1/storage/buckets/*/files', (route) => route.abort());
  await paste(form.content, {}, await picture());
  const fault = form.content.getByText(/server cannot be reached/);
  await expect(fault).toBeVisible();
  // A live region outside the text announces the failure to screen readers.
  await expect(writerPage.getByRole('status').filter({ hasText: /^a\.png: .*cannot be reached/ })).toHaveCount(1);
  await expect(form.content).toContainText('Words around it.');
  const unsent = writerPage.locator('.editor-notices').getByText(/^One picture in the text could not be uploaded/);
  await expect(unsent).toBeInViewport();
  await writerPage.setViewportSize({ width: 360, height: 740 });
  const face = form.content.locator('.upload-status');
  await face.scrollIntoViewIfNeeded();
  // Measures in one step, because the page may still move.
  const places = await face.evaluate((below) => {
    const above = below.closest('[contenteditable=true]')?.querySelector('img.uploading')?.getBoundingClientRect();
    const { top, right } = below.getBoundingClientRect();
    return { gap: top - (above?.bottom ?? 0), right };
  });
  expect(places.gap).toBeLessThan(16);
  expect(places.right).toBeLessThanOrEqual(360);
  await writerPage.unroute('**/v1/storage/buckets/*/files');
  await form.content.getByRole('button', { name: 'Retry' }).click();
  await expect(form.content.locator(PICTURE)).toHaveAttribute('src', ADDRESS);
  await expect(unsent).toBeHidden();
});

test('pictures inside a paste are uploaded in their places', async ({ writerPage }) => {
  const form = await newPost(writerPage);
  const release = await hold(writerPage, '**/v1/storage/buckets/*/files');
  await form.content.click();
  const data = `data:image/png;base64,${(await picture(50, 20)).toString('base64')}`;
  const boat = `<img src="${data}" alt="A boat" width="25">`;
  await paste(form.content, { 'text/html': `<p>Before</p><p>${boat}</p><p>Behind</p>` });
  // A notice stays in view when the picture is scrolled away, and a live region announces it.
  const shownToo = writerPage.locator('.editor-notices').getByText('Uploading 1 picture');
  await expect(shownToo).toBeInViewport();
  const spoken = writerPage.getByRole('status').filter({ hasText: /^Uploading 1 picture$/ });
  await expect(spoken).toHaveCount(1);
  release();
  const shown = form.content.getByRole('img', { name: 'A boat' });
  await expect(shown).toHaveAttribute('src', ADDRESS);
  await expect(shownToo).toBeHidden();
  await expect(spoken).toHaveCount(0);
  expect([await shown.getAttribute('width'), await shown.getAttribute('height')]).toEqual(['25', '10']);
  await expect(form.content.locator('p', { hasText: /^(Before|Behind)$/ })).toHaveCount(2);
  // Google Docs copies Markdown in this form.
  await paste(form.content, { 'text/plain': `![A lake][image1]\n\n[image1]: <${data}>` });
  await expect(form.content.getByRole('img', { name: 'A lake' })).toHaveAttribute('src', ADDRESS);
});

test('the form asks about pasted pictures of other sites: links stay, or they are removed', async ({ writerPage }) => {
  const body = await picture(50, 20);
  await writerPage.route('https://*.example/**', (route) => route.fulfill({ body, contentType: 'image/png' }));
  const form = await newPost(writerPage);
  const pasteImages = (words: string, ...sources: string[]) => {
    const images = sources.map((src) => `<p><img src="${src}"></p>`).join('');
    return paste(form.content, { 'text/html': `<p>${words}</p>${images}<p>End</p>` });
  };
  await form.content.click();
  await pasteImages('Words', 'https://one.example/a.png', 'https://two.example/b.png');
  await expect(writerPage.getByText(/2 pictures are on other sites \(one\.example, two\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Keep the links' }).click();
  await expect(writerPage.getByText(/are on other sites/)).toHaveCount(0);
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await pasteImages('More', 'https://three.example/c.png');
  await expect(writerPage.getByText(/This picture is on another site \(three\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Remove it' }).click();
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await expect(form.content).toContainText('More');
  // The blog does not store WebP, so the form inserts the link from the HTML instead of the pasted file.
  const webp = '<img src="https://four.example/d.webp">';
  await paste(form.content, { 'text/html': webp }, Buffer.from('RIFF'), 'picture', 'image/webp');
  await expect(writerPage.getByText(/This picture is on another site \(four\.example\)/)).toBeVisible();
  await expect(writerPage.getByText(/http:, but/)).toHaveCount(0);
  await pasteImages('Old', 'http://five.example/e.png');
  await expect(
    writerPage.getByText(/five\.example.* One address starts with http:, but pages use https/),
  ).toBeVisible();
});

test('pictures of other sites are copied into the blog on demand', async ({ writerPage, site }) => {
  const boat = await picture(50, 20);
  const lake = await sharp(await picture(64, 32))
    .webp()
    .toBuffer();
  const asked: (string | undefined)[] = [];
  const elsewhere = createServer(({ url, headers }, response) => {
    asked.push(headers.cookie, headers.referer);
    if (url === '/boat.png') response.end(boat);
    else if (url === '/lake.webp') response.end(lake);
    else response.writeHead(404).end();
  });
  const there = await listen(elsewhere);
  const form = await newPost(writerPage, { title: 'Copied pictures', image: true });
  await form.content.click();
  const image = (name: string) => `<img src="${there}/${name}" alt="${name}">`;
  const [one, two] = [image('boat.png'), image('lake.webp')];
  const html = `<p>Words</p><p>${one}</p><p>and ${two}</p><p>${image('gone.png')}</p><p>End</p>`;
  await paste(form.content, { 'text/html': html });
  await writerPage.getByRole('button', { name: 'Copy them into the blog' }).click();
  for (const [name, size] of Object.entries({ 'boat.png': ['50', '20'], 'lake.webp': ['64', '32'] })) {
    const copied = form.content.getByRole('img', { name });
    await expect(copied).toHaveAttribute('src', ADDRESS);
    expect([await copied.getAttribute('width'), await copied.getAttribute('height')]).toEqual(size);
  }
  const reason = /^Not copied, so the link stays: its site doesn’t provide it/;
  await expect(form.content.locator('.upload-words')).toHaveText(reason);
  expect(new Set(asked)).toEqual(new Set([undefined]));

  await form.content.press('ControlOrMeta+z');
  await expect(form.content.locator(PICTURE)).toHaveCount(0);
  await form.content.press('ControlOrMeta+Shift+z');
  await expect(form.content.getByRole('img', { name: 'boat.png' })).toHaveAttribute('src', ADDRESS);

  await form.publish('copied-pictures');
  const published = await site.text('/post/copied-pictures');
  expect(published).not.toContain(`${there}/boat.png`);
  expect(published).toContain(`${there.replace('http:', 'https:')}/gone.png`);
  await close(elsewhere);
});
