import { editPost, newPost } from './post-form.ts';
import { expect, PASSWORD, test } from './site.ts';

/** Init scripts, each of which prevents one browser API from ever responding. */
const SILENT = {
  'a database whose transactions are never answered': () => {
    const hear = (prototype: object, name: string) =>
      Object.defineProperty(prototype, name, {
        configurable: true,
        set(this: unknown, listener: EventListener) {
          if (this instanceof IDBOpenDBRequest) this.addEventListener(name.slice(2), listener);
        },
      });
    for (const name of ['onsuccess', 'onerror']) hear(IDBRequest.prototype, name);
    for (const name of ['oncomplete', 'onabort']) hear(IDBTransaction.prototype, name);
  },
  'locks that are never given': () => {
    const never = () => new Promise<never>(() => {});
    LockManager.prototype.request = never;
    LockManager.prototype.query = never;
  },
  'channels that carry nothing': () => {
    BroadcastChannel.prototype.postMessage = () => {};
    Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} });
  },
} as const;

const REFUSED = /^Not saved: this window doesn’t keep data/;

for (const [what, make] of Object.entries(SILENT)) {
  test(`a post is published with its picture despite ${what}`, async ({ writerPage }) => {
    await writerPage.addInitScript(make);
    const slug = `kept-nowhere-${Date.now()}`;
    const form = await newPost(writerPage, { title: 'Kept nowhere', slug, text: 'And published all the same.' });
    await form.chooseImage('ink.png');
    const refused = writerPage.locator('.editor-foot').getByText(REFUSED);
    await expect(what.startsWith('a database') ? refused : form.saved).toBeVisible();
    await form.publish(slug);
    await expect(writerPage.getByText('And published all the same.')).toBeVisible();
  });
}

test('the form works and can be left despite a database that never answers', async ({ writerPage, writer, site }) => {
  const post = await site.post(writer, { title: 'As it was' });
  await writerPage.addInitScript(SILENT['a database whose transactions are never answered']);
  const form = await editPost(writerPage, post.id);
  await form.title.fill('As it became');
  await writerPage.context().clearCookies();
  await form.submit.click();
  const dialog = writerPage.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await writerPage.waitForURL(`${site.url}/post/${post.id}`);
  await expect(writerPage.getByRole('heading', { name: 'As it became' })).toBeVisible();
  await editPost(writerPage, post.id);
  await form.title.fill('As nobody sees it');
  writerPage.on('dialog', (asked) => void asked.accept());
  await writerPage.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  await writerPage.waitForURL(`${site.url}/`);
});

test('despite locks that are never given the words of a reloaded page are offered', async ({ writerPage }) => {
  writerPage.on('dialog', (asked) => void asked.accept());
  await writerPage.addInitScript(SILENT['locks that are never given']);
  const form = await newPost(writerPage, { title: 'Loaded again' });
  await expect(form.saved).toBeVisible();
  await writerPage.reload();
  await writerPage.getByRole('button', { name: 'Restore' }).click();
  await expect(form.title).toHaveValue('Loaded again');
});
