import { rm, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { noise, picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, ownSite, removeSite, signIn, test } from './site.ts';

test('a writer writes a post with a picture and reads it at once, as does a guest', async ({
  writerPage,
  page,
  site,
  writer,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await expect(form.status).toHaveValue('active');
  await expect(form.status.getByRole('option')).toHaveText(['Active', 'Inactive']);
  await expect(form.image).toHaveAttribute('accept', '.png,.jpg,.jpeg,.gif,image/png,image/jpeg,image/gif');
  await expect(form.submit).toHaveText('Submit');
  await expect(form.content).toBeVisible();
  const height = () =>
    form.content.evaluate((text) => text.closest('[data-milkdown-root]')?.getBoundingClientRect().height);
  expect(await height()).toBe(500);
  await form.title.fill('The First Post of All: Ink & Paper');
  await expect(form.slug).toHaveValue('the-first-post-of-all-ink-paper');
  await form.write('Words that are kept.');
  await form.chooseImage();
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/the-first-post-of-all-ink-paper`);
  await expect(writerPage.getByRole('heading', { level: 1 })).toHaveText('The First Post of All: Ink & Paper');
  await page.goto('/post/the-first-post-of-all-ink-paper');
  await expect(page.getByText('Words that are kept.')).toBeVisible();
  await expect(page.getByText(writer.name).first()).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('link', { name: /The First Post of All/ }).first()).toBeVisible();
});

test('a picture above a text is whole and no larger than it is, and nothing moves when it comes', async ({
  writerPage,
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [name, width, height, shown] of [
    ['Small', 300, 200, [300, 200]],
    ['Tall', 600, 1200, [600, 540]],
    ['Wide', 1800, 450, [749, 187]],
  ] as const) {
    await writerPage.goto('/add-post');
    const form = postForm(writerPage);
    await form.title.fill(`${name} picture`);
    await form.write('Words below it.');
    await form.chooseImage('picture.png', await picture(width, height));
    await form.submit.click();
    const address = `${site.url}/post/${name.toLowerCase()}-picture`;
    await writerPage.waitForURL(address);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/preview?*', (route) => held.then(() => route.continue()));
    await page.goto(address, { waitUntil: 'domcontentloaded' });
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

/** Blocks reads of the first bytes of files until the returned function is called. */
async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function () {
      if (this.size <= 16) await promise;
      return arrayBuffer.call(this);
    };
    addEventListener('let-read', () => resolve(), { once: true });
  });
  return () => page.evaluate(() => void dispatchEvent(new Event('let-read')));
}

test('a picture over 5 MB goes up in chunks and the form tells how far it is', async ({ writerPage, site }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  const chunks: string[] = [];
  writerPage.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/files'))
      chunks.push(request.headers()['content-range'] ?? '');
  });
  await form.title.fill('A large picture');
  // Submits while the first bytes are read, as from a slow card.
  const letRead = await holdFiles(writerPage);
  await form.chooseImage('large.png', await noise(7_000_000));
  await form.submit.click();
  await expect(form.content).toHaveAttribute('contenteditable', 'false');
  await letRead();
  await expect(writerPage.getByRole('progressbar')).toBeVisible();
  await writerPage.waitForURL(`${site.url}/post/a-large-picture`);
  expect(chunks).toHaveLength(2);
  expect(chunks[0]).toMatch(/^bytes 0-5242879\//);
});

test('what a proxy refuses as too large is said in words, and a smaller picture goes through', async ({
  writerPage,
  site,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Behind a narrow proxy');
  await form.write('Words that stay.');
  await form.chooseImage();
  // nginx sends this body.
  const body = '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body></body>\r\n</html>\r\n';
  await writerPage.route('**/storage/buckets/*/files', (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body }),
  );
  await form.submit.click();
  await expect(
    writerPage.getByRole('alert').filter({ hasText: 'This is larger than the server accepts.' }),
  ).toBeVisible();
  await expect(writerPage.getByText('<html>')).toHaveCount(0);
  await expect(form.content).toContainText('Words that stay.');
  await writerPage.unrouteAll();
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/behind-a-narrow-proxy`);
});

test('a post needs a picture, and what is none, or larger than 10 MB, is refused in words before it is sent', async ({
  writerPage,
}) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  const sent: string[] = [];
  writerPage.on('request', (request) => request.url().includes('/files') && sent.push(request.url()));
  await form.title.fill('Without a picture');
  await form.submit.click();
  await expect(form.alert.filter({ hasText: 'Please select a featured image for your post' })).toBeVisible();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const [name, bytes, words] of [
    ['notes.png', Buffer.from('just some text'), 'Choose a PNG, JPG, JPEG or GIF image.'],
    ['huge.png', await noise(20_000_000), 'at most 10 MB'],
    ['picture.svg', svg, 'Choose a PNG, JPG, JPEG or GIF image.'],
  ] as const) {
    await form.chooseImage(name, bytes);
    await form.submit.click();
    await expect(writerPage.getByText(words).first(), name).toBeVisible();
  }
  expect(sent).toEqual([]);
  await expect(form.title).toHaveValue('Without a picture');
});

test('a picture whose file is gone before it is read is refused in words, and the form goes on', async ({
  writerPage: page,
  site,
}) => {
  await page.goto('/add-post');
  const form = postForm(page);
  await form.title.fill('After a lost file');
  await form.write('Words.');
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
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/after-a-lost-file`);
});

test('a slug that is taken is said, the words stay, and another slug works', async ({ writerPage, site, writer }) => {
  const taken = await site.post(writer, { id: `taken-${Date.now()}` });
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Something else');
  await form.slug.fill(taken.id);
  await form.write('Not to be lost.');
  await form.chooseImage();
  await form.submit.click();
  await expect(
    form.alert.filter({ hasText: 'A post with this slug already exists. Change the title or slug and try again.' }),
  ).toBeVisible();
  await expect(form.content).toContainText('Not to be lost.');
  await form.slug.fill(`${taken.id}-2`);
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/${taken.id}-2`);
  await expect(writerPage.getByText('Not to be lost.')).toBeVisible();
});

test('script in every field is text, never script', async ({ writerPage, site }) => {
  const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill(attack);
  await form.slug.fill('attack-in-every-field');
  await form.write(attack);
  await form.chooseImage();
  await form.submit.click();
  await writerPage.waitForURL(`${site.url}/post/attack-in-every-field`);
  for (const path of ['/post/attack-in-every-field', '/', '/all-posts']) {
    await writerPage.goto(path);
    await expect(writerPage.getByText(/onerror=/).first()).toBeVisible();
    expect(await writerPage.evaluate(() => 'hacked' in window), path).toBe(false);
  }
});

test('the backend stopped in the middle of a submit: the error says so, the words stay, and a later submit works', {
  tag: '@embedded',
}, async ({ browser }) => {
  const site = await ownSite();
  try {
    const writer = await site.writer();
    const context = await browser.newContext({ baseURL: site.url });
    const page = await signIn(context, site, writer);
    await page.goto('/add-post');
    const form = postForm(page);
    await form.title.fill('Through a storm');
    await form.write('Every word of it.');
    await form.chooseImage();
    await site.stop('SIGKILL');
    await form.submit.click();
    await expect(form.alert.filter({ hasText: /server cannot be reached/ }).first()).toBeVisible();
    await expect(form.content).toContainText('Every word of it.');
    await site.start();
    await form.submit.click();
    await page.waitForURL(`${site.url}/post/through-a-storm`);
    await expect(page.getByText('Every word of it.')).toBeVisible();
    await context.close();
  } finally {
    await removeSite(site);
  }
});

test('leaving with unsaved words asks, and they are offered again on return', async ({ writerPage }) => {
  await writerPage.goto('/add-post');
  const form = postForm(writerPage);
  await form.title.fill('Half a thought');
  await form.write('And half a sentence');
  await expect(writerPage.getByText(/Saved on this device/)).toBeVisible();
  let asked = false;
  writerPage.on('dialog', (dialog) => {
    asked = dialog.type() === 'beforeunload';
    void dialog.accept();
  });
  await writerPage.goto('/');
  expect(asked).toBe(true);
  await writerPage.goto('/add-post');
  await writerPage
    .getByRole('button', { name: /restore|continue|keep/i })
    .first()
    .click();
  await expect(form.title).toHaveValue('Half a thought');
  await expect(form.content).toContainText('And half a sentence');

  // The server publishes the post, and the page is left before the answer arrives.
  await form.chooseImage();
  const made = new Promise<void>((resolve) => {
    void writerPage.route(/\/documents$/, (route) => route.fetch().then(() => resolve()));
  });
  await form.submit.click();
  await made;
  await writerPage.goto('/add-post');
  const found = writerPage.getByRole('region', { name: 'Unsaved words' });
  await expect(found).toContainText('“Half a thought” has reached the site.');
  await expect(found.getByRole('link', { name: 'Read the post' })).toHaveAttribute('href', '/post/half-a-thought');
});
