import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { screenPage } from './chromium.ts';
import { pageOf, paintedOn } from './hands.ts';

const HEIGHT = 740;
const KEYBOARD = 300;

const phone = { viewport: { width: 360, height: HEIGHT }, hasTouch: true, isMobile: true };
const page = await pageOf(screenPage(phone));
// Desktop Chromium has no on-screen keyboard, so the test replaces `visualViewport`.
await page.evaluate((height) => {
  const seen = Object.assign(new EventTarget(), { height, offsetTop: 0, scale: 1, width: 360 });
  Object.defineProperty(window, 'visualViewport', { value: seen });
  Object.assign(window, {
    see: (now: { height: number; offsetTop: number; scale?: number }) => {
      Object.assign(seen, { scale: 1 }, now);
      seen.dispatchEvent(new Event('resize'));
    },
  });
}, HEIGHT);

const see = (now: { height: number; offsetTop: number; scale?: number }) =>
  page.evaluate((seen) => (window as unknown as { see(now: object): void }).see(seen), now);
const painted = () => paintedOn(page);
const rectangleOf = (element: Locator): Promise<DOMRect> =>
  element.evaluate((each) => each.getBoundingClientRect().toJSON());
const bottomOf = async (name: string) => {
  const box = await page.getByRole('toolbar', { name }).boundingBox();
  return box ? Math.round(box.y + box.height) : undefined;
};

test('the toolbar stands on the keyboard, follows it, and goes back', async () => {
  await page.evaluate((html) => window.show(html), `<p>${'words '.repeat(400)}</p>`);
  const before = await bottomOf('Formatting');
  await page.locator('.ProseMirror').tap();
  await page.locator('.ProseMirror:focus').waitFor();
  expect(await bottomOf('Formatting')).toBe(before);
  await see({ height: HEIGHT - KEYBOARD, offsetTop: 0 });
  await expect.poll(() => bottomOf('Formatting')).toBe(HEIGHT - KEYBOARD);
  await see({ height: HEIGHT - KEYBOARD, offsetTop: 120 });
  await expect.poll(() => bottomOf('Formatting')).toBe(HEIGHT - KEYBOARD + 120);
  // Tapping a tool leaves the focus in the text, so the keyboard stays open.
  await page.getByRole('button', { name: 'Bold' }).tap();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content-editor');
  await see({ height: HEIGHT, offsetTop: 0 });
  await expect.poll(() => page.locator('[data-docked]').count()).toBe(0);
  // Zooming in also shrinks the visual viewport, but opens no keyboard.
  await see({ height: HEIGHT / 2, offsetTop: 40, scale: 2 });
  expect(await page.locator('[data-docked]').count()).toBe(0);
});

test('a tool that the arrow keys come to is wholly in sight, in both directions', async () => {
  await page.evaluate(() => window.show('<p>words</p>'));
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  const count = await toolbar.getByRole('button').count();
  await toolbar.getByRole('button').first().focus();
  const cut: unknown[] = [];
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    for (let step = 1; step < count; step += 1) {
      await page.keyboard.press(key);
      const out = await page.evaluate(() => {
        const tool = document.activeElement?.getBoundingClientRect();
        const bar = document.activeElement?.closest('[role=toolbar]')?.getBoundingClientRect();
        if (tool && bar && tool.left >= bar.left && tool.right <= bar.right) return undefined;
        return document.activeElement?.getAttribute('aria-label');
      });
      if (out !== undefined) cut.push(`${key} ${out}`);
    }
  }
  expect(cut).toEqual([]);
});

test('every tool can be hit by a finger: 44 pixels each way', async () => {
  const text = '<p><a href="/x">link</a></p><table><tbody><tr><td>a</td></tr></tbody></table>';
  await page.evaluate((html) => window.show(html), text);
  await see({ height: HEIGHT, offsetTop: 0 });
  const small = () =>
    page.locator('.text-editor :is(button, input)').evaluateAll((all) =>
      all.flatMap((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width < 44 || height < 44 ? [`${each.getAttribute('aria-label')}: ${width} × ${height}`] : [];
      }),
    );
  expect(await small()).toEqual([]);
  for (const [element, name] of [
    ['td', 'Table'],
    ['a', 'Link'],
  ] as const) {
    await page.locator(`.ProseMirror ${element}`).tap();
    await page.getByRole('group', { name }).waitFor();
    expect(await small()).toEqual([]);
  }
});

test('the slash menu leaves its line free and stays on the screen, near the top and the bottom, above a keyboard', async () => {
  await page.addStyleTag({ content: '* { box-sizing: border-box; }' });
  const lines = Array.from({ length: 30 }, (_, line) => `<p>line ${line}</p>`).join('');
  const wrong: string[] = [];
  for (const top of [0, 240, 330]) {
    for (const keyboard of [0, KEYBOARD]) {
      await page.evaluate((html) => window.show(html), lines);
      await page.evaluate((height) => {
        document.body.style.padding = `${height}px 0 600px`;
        scrollTo(0, 0);
      }, top);
      await page.locator('.ProseMirror').tap({ position: { x: 200, y: 40 } });
      await page.locator('.ProseMirror:focus').waitFor();
      await see({ height: HEIGHT - keyboard, offsetTop: 0 });
      for (const key of ['Control+Home', 'Control+End']) {
        for (const pressed of [key, 'Enter', ...(key === 'Control+Home' ? ['ArrowUp'] : [])]) {
          await page.keyboard.press(pressed);
          await painted();
        }
        await page.keyboard.type('/');
        const menu = page.getByRole('listbox', { name: 'Blocks' });
        await menu.waitFor();
        await painted();
        const slash = page.locator('.ProseMirror > p', { hasText: /^\/$/ });
        const faultNow = async (): Promise<string | undefined> => {
          const [box, line] = [await rectangleOf(menu), await rectangleOf(slash)];
          const bottom = HEIGHT - keyboard - (keyboard ? 44 : 0);
          const where = `${top} above, keyboard ${keyboard}, ${key}: menu ${box.top}–${box.bottom}, line ${line.top}–${line.bottom}`;
          if (line.top < 0 || line.bottom > bottom) return `line out of view: ${where}`;
          if (box.bottom > line.top && box.top < line.bottom) return `covers its line: ${where}`;
          return box.top < 0 || box.bottom > bottom || box.height < 88 ? `not to be read: ${where}` : undefined;
        };
        let fault = await faultNow();
        // On a busy machine, the menu may need more frames to find its place.
        for (let turn = 0; fault && turn < 10; turn++) {
          await painted();
          fault = await faultNow();
        }
        if (fault) wrong.push(fault);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Backspace');
      }
      await see({ height: HEIGHT, offsetTop: 0 });
    }
  }
  expect(wrong).toEqual([]);
});
