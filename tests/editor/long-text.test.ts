import type { Browser, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';

const BLOCKS = 200;
const words = (number: number) => `Paragraph ${number} is about ink, paper and everything that happens between them.`;
const LONG = Array.from({ length: BLOCKS }, (_, index) => `<p>${words(index)}</p>`).join('');

let browser: Browser;
let page: Page;
let keyboard: Page['keyboard'];
let cdp: CDPSession;
beforeAll(async () => {
  ({ browser, page } = await screenPage());
  ({ keyboard } = page);
  cdp = await page.context().newCDPSession(page);
});
afterAll(() => browser?.close());

const painted = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
const shown = () => page.evaluate(() => window.shown());
const paragraphs = async () => [...(await shown()).matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text);
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await keyboard.press(key);
    await painted();
  }
}
const paragraph = (number: number) => page.locator('.ProseMirror > p').nth(number);

beforeEach(async () => {
  await page.evaluate((text) => window.show(text), LONG);
  await page.locator('.ProseMirror').focus();
  await painted();
});

test('letters stand where the cursor is: at the start, in the middle, at the end', async () => {
  for (const at of [0, 9, 100]) {
    await paragraph(at).click();
    await press('End');
    await keyboard.type(' more');
  }
  await press('Control+End');
  await keyboard.type(' last');
  const texts = await paragraphs();
  for (const at of [0, 9, 100]) expect(texts[at]).toBe(`${words(at)} more`);
  expect(texts[BLOCKS - 1]).toBe(`${words(BLOCKS - 1)} last`);
  expect(texts).toHaveLength(BLOCKS);
});

test('lists, headings and breaks are made in the middle of it', async () => {
  await paragraph(99).click();
  await press('End', 'Enter');
  await keyboard.type('- one');
  await press('Enter');
  await keyboard.type('two');
  await press('Enter', 'Enter');
  await keyboard.type('## Part');
  await press('Enter');
  await keyboard.type('---');
  await keyboard.type('behind');
  expect(await shown()).toContain(
    `${words(99)}</p><ul><li>one</li><li>two</li></ul><h2>Part</h2><hr><p>behind</p><p>${words(100)}`,
  );
});

test('two paragraphs become one, and two again', async () => {
  await paragraph(100).click();
  await press('Home', 'Backspace');
  await keyboard.type('|');
  expect((await paragraphs())[99]).toBe(`${words(99)}|${words(100)}`);
  await press('Enter');
  expect(await paragraphs()).toHaveLength(BLOCKS);
  await press('Control+z', 'Control+z', 'Control+z');
  expect(await shown()).toBe(LONG);
});

test('keys take the cursor to both ends and select from there', async () => {
  await press('Control+End', 'x', 'Control+Home', 'y');
  const texts = await paragraphs();
  expect(texts[0]).toBe(`y${words(0)}`);
  expect(texts[BLOCKS - 1]).toBe(`${words(BLOCKS - 1)}x`);
  await press('Control+Shift+End', 'Backspace');
  expect(await shown()).toBe('<p>y</p>');
});

test('all of it is selected, replaced, and comes back', async () => {
  await press('Control+a');
  await keyboard.type('x');
  expect(await shown()).toBe('<p>x</p>');
  await press('Control+z');
  expect(await shown()).toBe(LONG);
});

test('an input method composes in the middle of it', async () => {
  await paragraph(100).click();
  await press('Home');
  for (const text of ['に', 'にほ', 'にほん']) {
    await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await cdp.send('Input.insertText', { text: '日本' });
  await painted();
  expect((await paragraphs())[100]).toBe(`日本${words(100)}`);
});

test('a letter is in the text for whoever asks in the same moment, and a paste stands behind it', async () => {
  await page.evaluate((html) => window.show(html), '<p>a</p>');
  await page.locator('.ProseMirror').focus();
  await press('Control+End');
  await page.evaluate(() => {
    const text = document.querySelector('.ProseMirror') as HTMLElement;
    text.addEventListener(
      'input',
      async () => {
        await Promise.resolve();
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', `pasted behind ${window.shown()}`);
        text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { once: true },
    );
  });
  await page.keyboard.press('b');
  await expect.poll(shown).toBe('<p>abpasted behind &lt;p&gt;ab&lt;/p&gt;</p>');
});
