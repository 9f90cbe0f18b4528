import { expect, test } from './site.ts';

const isDark = (page: import('playwright/test').Page) =>
  page.evaluate(() => document.documentElement.classList.contains('dark'));
const toggle = (page: import('playwright/test').Page) =>
  page.getByRole('banner').getByRole('button', { name: /theme|dark|light/i });

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
