/** What a hand does to the editor on a page of `screenPage`. */
import type { Page } from 'playwright';

export function keyboardOn(page: Page) {
  const { keyboard } = page;
  /**
   * Waits for a frame, then has the editor read the browser's selection: the browser tells of a moved cursor when it has
   * time, which a test that types at once does not wait for.
   */
  const painted = () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            document.dispatchEvent(new Event('selectionchange'));
            resolve();
          });
        }),
    );
  return {
    painted,
    /** Shows a text with the cursor behind its last word. */
    async show(html = '', language = ''): Promise<void> {
      await page.evaluate(([text, code]) => window.show(text, code), [html, language] as const);
      await page.locator('.ProseMirror').focus();
      await painted();
      await keyboard.press('Control+End');
      await painted();
      // Below a table, a list, a picture waits a line.
      if (html && !/<\/(p|h\d)>$/.test(html)) await keyboard.press('ArrowLeft');
      await painted();
    },
    shown: () => page.evaluate(() => window.shown()),
    /** Types a line with keys by name within braces: "a{Enter}b". */
    async keys(line: string): Promise<void> {
      for (const part of line.split(/(\{[^}]+\})/)) {
        if (!part.startsWith('{')) {
          await keyboard.type(part);
          continue;
        }
        await painted();
        await keyboard.press(part.slice(1, -1));
        await painted();
      }
    },
  };
}
