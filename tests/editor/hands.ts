import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';

/** Returns the page and closes its browser after the tests of the file. */
export async function pageOf(opened: Promise<{ browser: Browser; page: Page }>): Promise<Page> {
  const { browser, page } = await opened;
  afterAll(() => browser.close());
  return page;
}

/**
 * Waits for two frames, then makes the editor read the browser's selection. Otherwise a test could type before the
 * browser has reported that the cursor moved.
 */
export const paintedOn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    document.dispatchEvent(new Event('selectionchange'));
  });

type TypingCase = readonly [name: string, html: string, line: string, expected: string];

/** Opens an editor and its toolbar for the tests of a file; the returned functions type in it as a writer would. */
export async function openEditor(options?: BrowserContextOptions) {
  const page = await pageOf(screenPage(options));
  const { keyboard } = page;
  const cdp = await page.context().newCDPSession(page);
  const painted = () => paintedOn(page);
  /** Shows a text with the cursor after its last word. */
  const show = async (html = '', language = ''): Promise<void> => {
    await page.evaluate(([text, code]) => window.show(text, code), [html, language] as const);
    await page.locator('.ProseMirror').focus();
    await painted();
    await keyboard.press('Control+End');
    await painted();
    if (html && !/<\/(p|h\d)>$/.test(html)) await keyboard.press('ArrowLeft');
    await painted();
  };
  const shown = () => page.evaluate(() => window.shown());
  /** Types a line; braces name keys: "a{Enter}b". */
  const keys = async (line: string): Promise<void> => {
    for (const part of line.split(/(\{[^}]+\})/)) {
      if (part.startsWith('{')) {
        await painted();
        await keyboard.press(part.slice(1, -1));
        await painted();
      } else await keyboard.type(part);
    }
  };
  /** Composes `steps` one after the other, as an input method does, then commits `settled`. */
  const compose = async (steps: readonly string[], settled: string): Promise<void> => {
    for (const text of steps)
      await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await cdp.send('Input.insertText', { text: settled });
  };
  /** Pastes data as the browser delivers it on Control+V. */
  const paste = (data: Readonly<Record<string, string>>) =>
    page.evaluate((types) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(types)) clipboardData.setData(type, text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('.ProseMirror')?.dispatchEvent(event);
    }, data);
  const choosePicture = async () => {
    await page.locator('.ProseMirror img[src="/a.png"]').click({ force: true });
    await painted();
  };
  const testTyping = (title: string, cases: readonly TypingCase[]) =>
    test.each(cases)(title, async (_name, html, line, expected) => {
      await show(html);
      await keys(line);
      expect(await shown()).toBe(expected);
    });
  return { page, keyboard, cdp, painted, show, shown, keys, compose, paste, choosePicture, testTyping };
}
