import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, type Locator, type Page, type Request, test } from 'playwright/test';
import { picture } from './pictures.ts';

export type PostFormPage = ReturnType<typeof postForm>;

/** Returns the post form on `page`, at `/add-post` or `/edit-post/…`. */
export function postForm(page: Page) {
  const content = page.getByRole('textbox', { name: 'Content', exact: true });
  const image = page.getByLabel('Featured Image', { exact: true });
  const submit = page.getByRole('button', { name: /^(Submit|Update)$/ });
  const alert = page.getByRole('alert');
  return {
    ...{ content, image, submit, alert },
    title: page.getByLabel('Title', { exact: true }),
    slug: page.getByLabel('Slug', { exact: true }),
    status: page.getByLabel('Status', { exact: true }),
    /** The note that the text is saved on this device. */
    saved: page.locator('.editor-foot').getByText(/Saved on this device/),
    /** The offer to restore unsaved text. */
    offer: page.getByRole('region', { name: 'Unsaved text' }),
    async chooseImage(name = 'picture.png', bytes?: Buffer) {
      // Chooses a file on disk, because a large buffer would pass through the test's connection to the browser. Each
      // file is new, because a browser does not send a file that has changed since it was chosen.
      const file = test.info().outputPath(randomUUID(), name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes ?? (await picture()));
      await image.setInputFiles(file);
    },
    async write(text: string) {
      await content.click();
      await page.keyboard.type(text);
    },
    /** Waits for an alert with these words. */
    says: (words: string | RegExp) => expect(alert.filter({ hasText: words }).first()).toBeVisible(),
    /** Submits the form and waits for the post's page. */
    async publish(slug: string | RegExp) {
      await submit.click();
      await page.waitForURL(typeof slug === 'string' ? `**/post/${slug}` : slug);
    },
  };
}

/** The screen that replaces the form once its post is queued to be sent later. */
export const inLine = (page: Page) =>
  page.getByRole('heading', { name: 'Queued. It will be sent when you’re back online.' });

/**
 * Keeps the `inLine` screen open. Otherwise, it opens the list of posts as soon as it reaches the server, and the list
 * might not show the outcome, because only the page that sends a post reports it.
 */
export const stayInLine = (page: Page): Promise<unknown> => page.route('**/all-posts', (route) => route.abort());

/** The scripts that the form loads in advance, so that it can send a post later. */
const PARTS = ['put-in-line', 'PublishDialog', 'QueueNotice', 'find-drafts'];

/**
 * Returns a function that waits until the form has loaded the scripts it needs to send a post later. Call this before
 * the form opens. Waiting for an idle network would not suffice, because the loading may begin later.
 */
export function loading(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  const missing = new Set(PARTS);
  const end = (request: Request) => {
    pending.delete(request);
    for (const part of missing) if (request.url().includes(`/${part}.`)) missing.delete(part);
  };
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => [...missing, pending.size]).toEqual([0]);
}

/** Opens the form for a new post and fills in the given fields; `image` chooses a picture. */
export async function newPost(
  page: Page,
  { title, slug, text, image = false }: { title?: string; slug?: string; text?: string; image?: boolean } = {},
): Promise<PostFormPage> {
  await page.goto('/add-post');
  const form = postForm(page);
  if (title) await form.title.fill(title);
  if (slug) await form.slug.fill(slug);
  if (text) await form.write(text);
  if (image) await form.chooseImage();
  return form;
}

export async function editPost(page: Page, slug: string): Promise<PostFormPage> {
  await page.goto(`/edit-post/${slug}`);
  const form = postForm(page);
  await expect(form.title).not.toHaveValue('');
  await expect(form.content).toBeVisible();
  return form;
}

/**
 * Reloads a form until it shows its draft's words. One reload is enough, except on a busy machine, where the device may
 * take too long to read the draft, or the old page may still hold its lock. The form then only offers to restore it.
 */
export async function reloadUntil(page: Page, isRestored: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.reload();
    await isRestored();
  }).toPass({ timeout: 120_000 });
}

/** Returns the titles of the drafts in the browser's storage. */
export const storedTitles = async (page: Page): Promise<string[]> =>
  (await stored<{ title: string }>(page, 'drafts')).map(({ title }) => title);

/**
 * Waits until the open form offers a draft to restore. On a busy machine, the previous page may still hold the draft's
 * lock, so the draft counts as open. The form is then loaded again.
 */
export async function offersDraft(page: Page): Promise<void> {
  const restore = postForm(page).offer.getByRole('button', { name: 'Restore' });
  let isAgain = false;
  await expect(async () => {
    if (isAgain) await page.reload();
    isAgain = true;
    await expect(restore).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
}

/**
 * Presses a key that moves the cursor or changes the selection, waits for two frames, then makes the editor read the
 * browser's selection. Otherwise, the next key could act at the old position.
 */
export async function moveCursor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    document.dispatchEvent(new Event('selectionchange'));
  });
}

/** Types at the end of the paragraph with these words. */
export async function typeAfter(page: Page, words: string, text: string): Promise<void> {
  await postForm(page).content.getByText(words).click();
  await moveCursor(page, 'End');
  await page.keyboard.type(text);
}

/** Pastes `texts` (by media type) and, if given, the bytes of a picture file. */
export const paste = (
  content: Locator,
  texts: Readonly<Record<string, string>>,
  file?: Buffer,
  name = 'a.png',
  type = 'image/png',
) =>
  content.evaluate(
    (element, pasted) => {
      const clipboardData = new DataTransfer();
      for (const [media, text] of Object.entries(pasted.texts)) clipboardData.setData(media, text);
      if (pasted.bytes) clipboardData.items.add(new File([new Uint8Array(pasted.bytes)], pasted.name, pasted));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { texts, bytes: file && [...file], name, type },
  );

/** Keeps an IndexedDB transaction open until the page closes, so that the form cannot begin another. */
export const keepBusy = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('common-ink');
        opening.onsuccess = () => {
          const drafts = opening.result.transaction('drafts', 'readwrite').objectStore('drafts');
          const goOn = () => {
            drafts.count().onsuccess = goOn;
          };
          goOn();
          resolve();
        };
      }),
  );

/** Returns the entries of an IndexedDB store, or an empty list if the database does not exist. */
export const stored = <T>(page: Page, store: 'drafts' | 'pictures') =>
  page.evaluate(
    (name) =>
      new Promise<T[]>((resolve, reject) => {
        const opening = indexedDB.open('common-ink');
        // Aborts if the database does not exist, because only the form may create it.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => (opening.error?.name === 'AbortError' ? resolve([]) : reject(opening.error));
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    store,
  );

/** Resolves when the page has subscribed to changes to posts. Call it before the page opens. */
export async function subscribed(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket', (each) => each.url().includes('/realtime'));
  await socket.waitForEvent('framereceived', (frame) => `${frame.payload}`.includes('"subscribe"'));
}

/**
 * Relays the page's realtime connection and passes its messages to `hear`. The result's `cut` ends the connection; the
 * next one opens once `until` resolves. While `isMute` is true, no message reaches the page.
 */
export async function cuttable(page: Page, hear: (message: string) => unknown = () => {}) {
  const realtime = { connections: 0, isMute: false, cut: (_until?: Promise<unknown>) => {} };
  let opening: Promise<unknown> | undefined;
  await page.routeWebSocket(/\/realtime/, async (route) => {
    await opening;
    realtime.connections += 1;
    const server = route.connectToServer();
    server.onMessage((message) => {
      if (!realtime.isMute) route.send(message);
      hear(`${message}`);
    });
    realtime.cut = (until) => {
      opening = until;
      server.close();
      route.close({ code: 1012 });
    };
  });
  return realtime;
}
