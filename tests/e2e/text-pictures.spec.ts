import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright/test';
import sharp from 'sharp';
import { picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, test } from './site.ts';

const ADDRESS = /\/files\/([^/]+)\/view/;
/** Excludes the image that ProseMirror adds beside inline content without text. */
const PICTURE = 'img:not(.ProseMirror-separator)';

test('ten pictures dropped beside a line arrive below it, in order with their sizes; without descriptions the form warns and publishes', async ({
  writerPage,
  site,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Ten pictures');
  await form.chooseImage();
  await form.write('Above');
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
  await expect(form.content.locator('img[src*="/files/"]')).toHaveCount(10);
  const widths = await form.content
    .locator('img[src*="/files/"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('width')));
  expect(widths).toEqual(Array.from({ length: 10 }, (_, index) => String(40 + index)));
  await expect(form.content.locator('p').first()).toHaveText('Above');
  await expect(form.content.locator('p').last()).toHaveText('Below');
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
  const fault = form.content.getByText(/server cannot be reached/);
  await expect(fault).toBeVisible();
  // A live region outside the text announces the failure to screen readers.
  await expect(writerPage.getByRole('status').filter({ hasText: /^a\.png: .*cannot be reached/ })).toHaveCount(1);
  await expect(form.content).toContainText('Words around it.');
  const unsent = writerPage.locator('.editor-notices').getByText(/^One picture of the text could not be uploaded/);
  await expect(unsent).toBeInViewport();
  await writerPage.setViewportSize({ width: 360, height: 740 });
  const face = form.content.locator('.upload-status');
  await face.scrollIntoViewIfNeeded();
  const [below, above] = [await face.boundingBox(), await form.content.locator('img.uploading').boundingBox()];
  expect((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))).toBeLessThan(16);
  expect((below?.x ?? 0) + (below?.width ?? 999)).toBeLessThanOrEqual(360);
  await writerPage.unroute('**/v1/storage/buckets/*/files');
  await form.content.getByRole('button', { name: 'Retry' }).click();
  await expect(form.content.locator(PICTURE)).toHaveAttribute('src', ADDRESS);
  await expect(unsent).toBeHidden();
});

test('pictures that a paste carries in itself are uploaded and stand where they stood', async ({ writerPage }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await writerPage.route('**/v1/storage/buckets/*/files', async (route) => {
    await seen;
    await route.continue();
  });
  await form.content.click();
  const data = `data:image/png;base64,${(await picture(50, 20)).toString('base64')}`;
  await form.content.evaluate((text, src) => {
    const clipboard = new DataTransfer();
    clipboard.setData('text/html', `<p>Before</p><p><img src="${src}" alt="A boat" width="25"></p><p>Behind</p>`);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }));
  }, data);
  // A notice stays in view when the picture is scrolled away, and a live region announces it.
  const shownToo = writerPage.locator('.editor-notices').getByText('1 picture on the way');
  await expect(shownToo).toBeInViewport();
  const spoken = writerPage.getByRole('status').filter({ hasText: /^1 picture on the way$/ });
  await expect(spoken).toHaveCount(1);
  release();
  const shown = form.content.getByRole('img', { name: 'A boat' });
  await expect(shown).toHaveAttribute('src', ADDRESS);
  await expect(shownToo).toBeHidden();
  await expect(spoken).toHaveCount(0);
  expect([await shown.getAttribute('width'), await shown.getAttribute('height')]).toEqual(['25', '10']);
  await expect(form.content.locator('p', { hasText: /^(Before|Behind)$/ })).toHaveCount(2);
  // Google Docs copies Markdown in this form.
  await form.content.evaluate((text, src) => {
    const clipboard = new DataTransfer();
    clipboard.setData('text/plain', `![A lake][image1]\n\n[image1]: <${src}>`);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }));
  }, data);
  await expect(form.content.getByRole('img', { name: 'A lake' })).toHaveAttribute('src', ADDRESS);
});

/** Pastes HTML as a browser copies it, with the picture's file, or as a word processor does, with RTF. */
const paste = (text: Locator, html: string, rtf = '', type = '') =>
  text.evaluate(
    (element, pasted) => {
      const data = new DataTransfer();
      data.setData('text/html', pasted.html);
      if (pasted.rtf) data.setData('text/rtf', pasted.rtf);
      if (pasted.type) data.items.add(new File(['RIFF'], 'picture', { type: pasted.type }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    { html, rtf, type },
  );

test('pasted pictures of other sites are asked about: links stay, or they are taken out', async ({ writerPage }) => {
  const body = await picture(50, 20);
  await writerPage.route('https://*.example/**', (route) => route.fulfill({ body, contentType: 'image/png' }));
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.content.click();
  await paste(
    form.content,
    '<p>Words</p><p><img src="https://one.example/a.png"></p><p><img src="https://two.example/b.png"></p><p>End</p>',
  );
  await expect(writerPage.getByText(/2 pictures lie on other sites \(one\.example, two\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Keep the links' }).click();
  await expect(writerPage.getByText(/lie on other sites/)).toHaveCount(0);
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await paste(form.content, '<p>More</p><p><img src="https://three.example/c.png"></p><p>End</p>');
  await expect(writerPage.getByText(/This picture lies on another site \(three\.example\)/)).toBeVisible();
  await writerPage.getByRole('button', { name: 'Remove it' }).click();
  await expect(form.content.locator(PICTURE)).toHaveCount(2);
  await expect(form.content).toContainText('More');
  // The blog does not store this type, so its copy has another one.
  await paste(form.content, '<img src="https://four.example/d.webp">', '', 'image/webp');
  await expect(writerPage.getByText(/This picture lies on another site \(four\.example\)/)).toBeVisible();
  await expect(writerPage.getByText(/has no https/)).toHaveCount(0);
  await paste(form.content, '<p>Old</p><p><img src="http://five.example/e.png"></p><p>End</p>');
  await expect(writerPage.getByText(/five\.example.* no https, by which pages ask/)).toBeVisible();
});

test('pictures of other sites are copied into the blog on demand; one that cannot be had says so and stays a link', async ({
  writerPage,
  site,
}) => {
  const boat = await picture(50, 20);
  const lake = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#446688' } })
    .webp()
    .toBuffer();
  const asked: (string | undefined)[] = [];
  const elsewhere = createServer(({ url, headers }, response) => {
    asked.push(headers.cookie, headers.referer);
    if (url === '/boat.png') response.end(boat);
    else if (url === '/lake.webp') response.end(lake);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  try {
    await writerPage.goto('/add-post');
    const form = postForm(writerPage);
    await form.title.fill('Copied pictures');
    await form.chooseImage();
    await form.content.click();
    const [one, two, three] = ['boat.png', 'lake.webp', 'gone.png'].map(
      (name) => `<img src="${there}/${name}" alt="${name}">`,
    );
    await paste(form.content, `<p>Words</p><p>${one}</p><p>and ${two}</p><p>${three}</p><p>End</p>`);
    await writerPage.getByRole('button', { name: 'Copy them into the blog' }).click();
    for (const [name, width, height] of [
      ['boat.png', '50', '20'],
      ['lake.webp', '64', '32'],
    ] as const) {
      const copied = form.content.getByRole('img', { name });
      await expect(copied).toHaveAttribute('src', ADDRESS);
      expect([await copied.getAttribute('width'), await copied.getAttribute('height')]).toEqual([width, height]);
    }
    await expect(form.content.locator('.upload-words')).toHaveText(
      /^Not copied, so the link stays: its site does not give it/,
    );
    expect(new Set(asked)).toEqual(new Set([undefined]));

    await form.content.press('ControlOrMeta+z');
    await expect(form.content.locator(PICTURE)).toHaveCount(0);
    await form.content.press('ControlOrMeta+Shift+z');
    await expect(form.content.getByRole('img', { name: 'boat.png' })).toHaveAttribute('src', ADDRESS);

    await form.submit.click();
    await writerPage.waitForURL(`${site.url}/post/copied-pictures`);
    const html = await (await fetch(`${site.url}/post/copied-pictures`)).text();
    expect(html).not.toContain(`${there}/boat.png`);
    expect(html).toContain(`${there.replace('http:', 'https:')}/gone.png`);
  } finally {
    elsewhere.close();
    elsewhere.closeAllConnections();
  }
});
