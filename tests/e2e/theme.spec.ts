import type { Page } from 'playwright/test';
import { expect, signIn, test } from './site.ts';

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'));
const toggle = (page: Page) => page.getByRole('banner').getByRole('button', { name: /theme|dark|light/i });

for (const colorScheme of ['dark', 'light'] as const) {
  test(`without a stored choice the page is ${colorScheme} where the system is`, async ({ browser, site }) => {
    const page = await browser.newPage({ baseURL: site.url, colorScheme });
    await page.goto('/');
    expect(await isDark(page)).toBe(colorScheme === 'dark');
    await page.close();
  });
}

test('the toggle switches the theme, on public and island pages, and the choice is kept', async ({ browser, site }) => {
  const page = await browser.newPage({ baseURL: site.url, colorScheme: 'light' });
  await page.goto('/');
  await toggle(page).click();
  expect(await isDark(page)).toBe(true);
  await page.reload();
  expect(await isDark(page)).toBe(true);
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  expect(await isDark(page)).toBe(true);
  await toggle(page).click();
  expect(await isDark(page)).toBe(false);
  await page.goto('/');
  expect(await isDark(page)).toBe(false);
  await page.close();
});

/** Reads the theme from the page: the class, the toggle and the colour of the browser's own parts. */
async function shown(page: Page): Promise<boolean[]> {
  const [dark, pressed, colour] = await Promise.all([
    isDark(page),
    toggle(page).getAttribute('aria-pressed'),
    page.locator('[name=theme-color]').evaluate((meta) => {
      const { content, dataset } = meta as HTMLMetaElement;
      return content === dataset.dark;
    }),
  ]);
  return [dark, pressed === 'true', colour];
}

for (const who of ['a guest', 'a writer'] as const) {
  test(`islands, pages of readers and other tabs of ${who} show one theme`, async ({ browser, site, writer }) => {
    const context = await browser.newContext({ baseURL: site.url, colorScheme: 'light' });
    if (who === 'a writer') await signIn(context, site, writer);
    const post = await site.post(writer);
    const islands = who === 'a writer' ? `/edit-post/${post.id}` : '/login';
    const pages: Page[] = [];
    for (const path of [islands, `/post/${post.id}`, '/']) {
      const page = await context.newPage();
      await page.goto(path);
      pages.push(page);
    }
    const allShow = async (dark: boolean) => {
      for (const page of pages) await expect.poll(() => shown(page)).toEqual([dark, dark, dark]);
    };
    await allShow(false);
    let dark = false;
    for (const page of [...pages, ...pages]) {
      dark = !dark;
      await toggle(page).click();
      await allShow(dark);
      expect(await page.evaluate(() => localStorage.getItem('common-ink:theme'))).toBe(dark ? 'dark' : 'light');
    }
    await context.close();
  });
}

test('the toggle of an island page works while its islands do not come', async ({ browser, site }) => {
  const page = await browser.newPage({ baseURL: site.url, colorScheme: 'light' });
  await page.route('**/_astro/*.js', (route) =>
    /Shell/.test(route.request().url()) ? route.continue() : route.abort(),
  );
  await page.goto('/login');
  await toggle(page).click();
  expect(await shown(page)).toEqual([true, true, true]);
  await page.close();
});
