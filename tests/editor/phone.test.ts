/** On a phone: the tools are large enough for fingers and stand above the keyboard while the text is written. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';

const HEIGHT = 740;
const KEYBOARD = 300;

let browser: Browser;
let page: Page;
beforeAll(async () => {
  ({ browser, page } = await screenPage({ viewport: { width: 360, height: HEIGHT }, hasTouch: true, isMobile: true }));
  // Chromium on a desk has no keyboard on its screen: what one would tell is told in its place.
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
});
afterAll(() => browser?.close());

const see = (now: { height: number; offsetTop: number; scale?: number }) =>
  page.evaluate((seen) => (window as unknown as { see(now: object): void }).see(seen), now);
const bottomOf = async (name: string) => {
  const box = await page.getByRole('toolbar', { name }).boundingBox();
  return box ? Math.round(box.y + box.height) : undefined;
};

test('the toolbar stands on the keyboard, follows it, and goes back', async () => {
  await page.evaluate((html) => window.show(html), `<p>${'words '.repeat(400)}</p>`);
  const before = await bottomOf('Formatting');
  await page.locator('.ProseMirror').tap();
  expect(await bottomOf('Formatting')).toBe(before);
  await see({ height: HEIGHT - KEYBOARD, offsetTop: 0 });
  expect(await bottomOf('Formatting')).toBe(HEIGHT - KEYBOARD);
  await see({ height: HEIGHT - KEYBOARD, offsetTop: 120 });
  expect(await bottomOf('Formatting')).toBe(HEIGHT - KEYBOARD + 120);
  // A tool acts and the keyboard stays: the text keeps the focus.
  await page.getByRole('button', { name: 'Bold' }).tap();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content-editor');
  await see({ height: HEIGHT, offsetTop: 0 });
  expect(await page.locator('[data-docked]').count()).toBe(0);
});

test('who zooms in finds the toolbar where it was', async () => {
  await page.evaluate(() => window.show('<p>words</p>'));
  await page.locator('.ProseMirror').tap();
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
  await page.evaluate(
    (html) => window.show(html),
    '<p><a href="/x">link</a></p><table><tbody><tr><td>a</td></tr></tbody></table>',
  );
  await see({ height: HEIGHT, offsetTop: 0 });
  const small = async () => {
    const boxes = await page
      .locator('.text-editor :is(button, input)')
      .evaluateAll((all) =>
        all.map((each) => ({ name: each.getAttribute('aria-label'), ...each.getBoundingClientRect().toJSON() })),
      );
    return boxes
      .filter(({ width, height }) => width < 44 || height < 44)
      .map(({ name, width, height }) => `${name}: ${width} × ${height}`);
  };
  expect(await small()).toEqual([]);
  await page.locator('.ProseMirror td').tap();
  await page.getByRole('group', { name: 'Table' }).waitFor();
  expect(await small()).toEqual([]);
  await page.locator('.ProseMirror a').tap();
  await page.getByRole('group', { name: 'Link' }).waitFor();
  expect(await small()).toEqual([]);
});
