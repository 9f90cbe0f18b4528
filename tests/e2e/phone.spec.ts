import type { Page } from 'playwright/test';
import { newPost } from './post-form.ts';
import { test as base, expect } from './site.ts';

const SCREEN = { width: 360, height: 740 };
const KEYBOARD = 370;

const test = base.extend<{ phone: Page }>({
  phone: async ({ open, writer }, use) => {
    const phone = await open({ as: writer, viewport: SCREEN, hasTouch: true, isMobile: true });
    // The emulated phone has no on-screen keyboard, so its visual viewport is replaced.
    await phone.context().addInitScript(() => {
      const seen = Object.assign(new EventTarget(), { offsetTop: 0, offsetLeft: 0, pageTop: 0, pageLeft: 0, scale: 1 });
      let height = 0;
      const sizes = { height: { get: () => height || innerHeight }, width: { get: () => innerWidth } };
      Object.defineProperties(seen, sizes);
      Object.defineProperty(window, 'visualViewport', { value: seen });
      addEventListener('keyboard', (event) => {
        height = innerHeight - (event as CustomEvent<number>).detail;
        seen.dispatchEvent(new Event('resize'));
      });
    });
    await use(phone);
  },
});

/** Opens the on-screen keyboard with this height in pixels; 0 closes it. */
const keyboard = (page: Page, height: number) =>
  page.evaluate((detail) => void dispatchEvent(new CustomEvent('keyboard', { detail })), height);

/** Composes `steps` one after the other, as an input method does, and commits the last. */
async function compose(page: Page, steps: readonly string[]) {
  const devTools = await page.context().newCDPSession(page);
  for (const text of steps)
    await devTools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await devTools.send('Input.insertText', { text: steps.at(-1) ?? '' });
  await devTools.detach();
}

test('a post is written and published by touch above a keyboard', async ({ phone, site, writer }) => {
  const form = await newPost(phone);
  await form.title.tap();
  await keyboard(phone, KEYBOARD);
  await phone.keyboard.type(`By thumb ${writer.id}`);
  await form.content.tap();
  await phone.keyboard.type('Plain, then ');
  const bold = phone.getByRole('button', { name: 'Bold', exact: true });
  const barBox = () => phone.getByRole('toolbar', { name: 'Formatting' }).boundingBox();
  const bottom = (box: Awaited<ReturnType<typeof barBox>>) => box && Math.round(box.y + box.height);
  await expect.poll(() => barBox().then(bottom)).toBe(SCREEN.height - KEYBOARD);
  const bar = await barBox();
  await bold.tap();
  await phone.keyboard.type('bold');
  await expect(form.content).toBeFocused();
  for (let line = 0; line < 20; line += 1) {
    await phone.keyboard.press('Enter');
    await phone.keyboard.type(`Line ${line}`);
  }
  const top = async () => (await form.content.getByText('Line 19').boundingBox())?.y ?? 0;
  const line = await form.content.getByText('Line 19').boundingBox();
  const lowest = SCREEN.height - KEYBOARD - (bar?.height ?? 0) - (line?.height ?? 0);
  await expect.poll(top).toBeLessThanOrEqual(lowest);
  expect(await top()).toBeGreaterThan(0);
  await keyboard(phone, 0);
  await form.chooseImage();
  await form.submit.tap();
  await phone.waitForURL(/\/post\/by-thumb-/);
  await expect(phone.getByText('Plain, then bold')).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(SCREEN.width);
  expect(await site.text(new URL(phone.url()).pathname)).toContain('Line 19');
});

test('an input method writes title, text and tag once', async ({ phone, site, writer }) => {
  const form = await newPost(phone);
  await form.title.tap();
  await compose(phone, ['i', 'い', 'いん', 'インク']);
  await expect(form.slug).toHaveValue('inku');
  await form.slug.fill(`composed-${writer.id}`);
  await form.content.tap();
  await compose(phone, ['す', 'すみ', '墨']);
  await compose(phone, ['と', 'とかみ', 'と紙']);
  await phone.getByRole('button', { name: 'Tags, excerpt, language' }).tap();
  await phone.getByRole('combobox', { name: 'Tags' }).tap();
  await compose(phone, ['ほ', 'ほん', '本']);
  await phone.keyboard.press('Enter');
  await form.chooseImage();
  await form.submit.tap();
  await phone.waitForURL(`${site.url}/post/composed-${writer.id}`);
  const written = { title: 'インク', content: '<p>墨と紙</p>', tags: ['本'] };
  expect(await site.stored(`composed-${writer.id}`)).toMatchObject(written);
});
