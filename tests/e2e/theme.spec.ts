import type { Page } from 'playwright/test';
import { expect, test } from './site.ts';

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'));
const toggle = (page: Page) => page.getByRole('banner').getByRole('button', { name: /theme|dark|light/i });

/** Returns whether the class, the toggle and the browser's theme colour show the dark theme. */
async function shown(page: Page): Promise<boolean[]> {
  const [dark, pressed, colour] = await Promise.all([
    isDark(page),
    toggle(page).getAttribute('aria-pressed'),
    page.locator('[name=theme-color]').evaluate((meta: HTMLMetaElement) => meta.content === meta.dataset.dark),
  ]);
  return [dark, pressed === 'true', colour];
}

/** Waits until all parts of the page show the theme, even if the page is being reloaded. */
async function expectShown(page: Page, dark: boolean): Promise<void> {
  await expect(async () => expect(await shown(page)).toEqual([dark, dark, dark])).toPass();
}

test('islands, pages and tabs show one theme, which is kept', async ({ open, site, writer }) => {
  const first = await open({ as: writer, colorScheme: 'light' });
  const post = await site.post(writer);
  const pages: Page[] = [];
  for (const path of [`/edit-post/${post.id}`, `/post/${post.id}`, '/']) {
    const page = await first.context().newPage();
    await page.goto(path);
    pages.push(page);
  }
  const allShow = async (dark: boolean) => {
    for (const page of pages) await expectShown(page, dark);
  };
  await allShow(false);
  let dark = false;
  for (const page of [...pages, ...pages]) {
    dark = !dark;
    await toggle(page).click();
    await allShow(dark);
    expect(await page.evaluate(() => localStorage.getItem('common-ink:theme'))).toBe(dark ? 'dark' : 'light');
  }
  await toggle(pages[1] ?? first).click();
  for (const page of pages) await page.reload();
  await allShow(true);
});

test('the toggle of an island page works while its islands do not load', async ({ open }) => {
  const page = await open({ colorScheme: 'light' });
  await page.route(/\/_astro\/(?!.*Shell).*\.js/, (route) => route.abort());
  await page.goto('/login');
  await toggle(page).click();
  await expectShown(page, true);
});
