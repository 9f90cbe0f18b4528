/** What a hand does to the editor on a page of `screenPage`. */
import type { Page } from 'playwright';

export function keyboardOn(page: Page) {
  const painted = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  /** A browser with other work tells of a moved cursor in the second frame. */
  const settled = () => painted().then(painted);
  const { keyboard } = page;
  return {
    painted,
    /** The cursor behind the last word. */
    async show(html = ''): Promise<void> {
      await page.evaluate((text) => window.show(text), html);
      await page.locator('.ProseMirror').focus();
      await painted();
      await keyboard.press('Control+End');
      await settled();
      // Below a table, a list, a picture waits a line.
      if (html && !/<\/(p|h\d)>$/.test(html)) await keyboard.press('ArrowLeft');
      await settled();
    },
    shown: () => page.evaluate(() => window.shown()),
    /**
     * Keys by name within braces: "a{Enter}b". Between a key that moves the cursor and the next one lies a frame, as with
     * every hand: browsers tell of a moved cursor only then.
     */
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
