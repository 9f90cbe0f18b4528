import type { Page } from 'playwright';

export function keyboardOn(page: Page) {
  const { keyboard } = page;
  /**
   * Waits for a frame, then has the editor read the browser's selection: the browser reports a moved cursor late, and
   * a test that types at once does not wait for it.
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
    /** Shows a text with the cursor after its last word. */
    async show(html = '', language = ''): Promise<void> {
      await page.evaluate(([text, code]) => window.show(text, code), [html, language] as const);
      await page.locator('.ProseMirror').focus();
      await painted();
      await keyboard.press('Control+End');
      await painted();
      if (html && !/<\/(p|h\d)>$/.test(html)) await keyboard.press('ArrowLeft');
      await painted();
    },
    shown: () => page.evaluate(() => window.shown()),
    /** Types a line; braces name keys: "a{Enter}b". */
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
