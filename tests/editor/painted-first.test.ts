/** A letter is painted before it is read, and read before anything is done with the text. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';
import { handsOn } from './hands.ts';

let browser: Browser;
let page: Page;
let { show, shown }: ReturnType<typeof handsOn> = {} as never;
beforeAll(async () => {
  ({ browser, page } = await screenPage());
  ({ show, shown } = handsOn(page));
});
afterAll(() => browser?.close());

interface Moment {
  /** Changes that the editor has told of when the browser has put the letter in. */
  readonly told: number;
  readonly onScreen: string | null;
  /** What it gives to somebody who asks then. */
  readonly given: string;
  readonly toldThen: number;
}

/** What is there in the moment between the next letter's way into the page and the next frame. */
function nextLetter(asked: 'html' | 'paste'): Promise<Moment> {
  return page.evaluate((what) => {
    const text = document.querySelector('.ProseMirror') as HTMLElement;
    Object.assign(window, {
      moment: new Promise((resolve) => {
        text.addEventListener(
          'input',
          async () => {
            // Whoever watches the document hears of it first.
            await Promise.resolve();
            await Promise.resolve();
            const [told, onScreen] = [window.changes, text.textContent];
            if (what === 'paste') {
              const clipboardData = new DataTransfer();
              clipboardData.setData('text/plain', 'pasted');
              text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
            }
            resolve({ told, onScreen, given: window.shown(), toldThen: window.changes });
          },
          { once: true },
        );
      }),
    });
  }, asked) as Promise<never>;
}
const moment = () => page.evaluate(() => (window as unknown as { moment: Promise<Moment> }).moment);

describe('a letter that was typed', () => {
  test('is on the screen first, and in the text for whoever asks', async () => {
    await show('<p>a</p>');
    await nextLetter('html');
    await page.keyboard.press('b');
    expect(await moment()).toEqual({ told: 0, onScreen: 'ab', given: '<p>ab</p>', toldThen: 1 });
  });

  test('is read by itself, once', async () => {
    await show('<p>a</p>');
    await page.keyboard.press('b');
    await page.waitForFunction(() => window.changes > 0);
    expect(await shown()).toBe('<p>ab</p>');
    expect(await page.evaluate(() => window.changes)).toBe(1);
  });

  test('stays where something is pasted in the same moment', async () => {
    await show('<p>a</p>');
    await nextLetter('paste');
    await page.keyboard.press('b');
    await moment();
    await expect.poll(shown).toBe('<p>abpasted</p>');
  });

  test('opens the slash menu for the next key', async () => {
    await show('');
    await nextLetter('html');
    await page.keyboard.press('/');
    expect((await moment()).told).toBe(1);
    await nextLetter('html');
    await page.keyboard.press('t');
    expect((await moment()).told).toBe(2);
  });

  test('by an input method or a phone, without a key, is read at once', async () => {
    await show('<p>a</p>');
    await nextLetter('html');
    await page.keyboard.insertText('b');
    expect(await moment()).toEqual({ told: 1, onScreen: 'ab', given: '<p>ab</p>', toldThen: 1 });
  });

  test('in place of chosen words is read at once', async () => {
    await show('<p>a word</p>');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await nextLetter('html');
    await page.keyboard.press('b');
    expect(await moment()).toMatchObject({ told: 1, given: '<p>a b</p>' });
  });
});

test('a shortcut right after a click acts where the click was', async () => {
  const text = '<p>Words with <a href="https://e.com/">a link</a> and more.</p>';
  await show(`${text}${'<p>x</p>'.repeat(30)}<p>The end</p>`);
  await page.keyboard.press('Enter');
  await page.keyboard.type('/');
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await page.getByText('a link').click();
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('group', { name: 'Link' }).getByRole('textbox').inputValue()).toBe('https://e.com/');
});
