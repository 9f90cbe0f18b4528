import type { Page, Route } from 'playwright/test';
import { test } from './every-page.ts';
import { expect } from './site.ts';

const ANSWERS: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'is not there': (route) => route.fulfill({ status: 404, body: '{}' }),
  'never comes': () => Promise.resolve(),
};

/** Looks for faults of a lost picture: a broken image, a frame without words, a page wider than the screen. */
const seen = (page: Page) =>
  page.evaluate(() => ({
    broken: [...document.querySelectorAll<HTMLImageElement>(':is(.picture, .post-picture) img')].filter(
      (image) => image.complete && image.naturalWidth === 0 && !image.alt && image.checkVisibility(),
    ).length,
    tooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    frames: Array.from(document.querySelectorAll('.picture'))
      .filter((frame) => frame.checkVisibility())
      .map((frame) => frame.getBoundingClientRect().height > 60),
  }));

for (const [what, answer] of Object.entries(ANSWERS)) {
  test(`a page stays whole where a picture ${what}`, async ({ page, everyPage: { rich, writer } }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.route(/\/v1\/storage\//, answer);
    for (const path of ['/', `/post/${rich}`, `/author/${writer.id}`]) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(async () => {
        const { broken, tooWide, frames } = await seen(page);
        // A post's own page has no frame around its picture.
        const isList = !path.startsWith('/post/');
        expect([broken, tooWide, frames.length > 0, frames.includes(false)], path).toEqual([0, false, isList, false]);
      }).toPass();
    }
    await page.goto(`/post/${rich}`, { waitUntil: 'domcontentloaded' });
    // Alternative texts replace the pictures in the text and above it.
    for (const name of ['A drawing', 'A square']) await expect(page.getByRole('img', { name })).toBeVisible();
    if (what === 'never comes') return;
    await expect(page.getByRole('img', { name: 'A square' })).not.toHaveCSS('color', 'rgba(0, 0, 0, 0)');
  });
}
