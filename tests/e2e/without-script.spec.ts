import { test } from './every-page.ts';
import { expect } from './site.ts';

test.use({ javaScriptEnabled: false });

test('a reader goes through all pages without script', async ({ page, everyPage: { rich, writer } }) => {
  const main = page.getByRole('main');
  const heading = main.getByRole('heading', { level: 1 });
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Back to Top' })).toHaveCount(0);
  await main.locator('a[href="/page/2"]').first().click();
  await expect(page).toHaveURL(/\/page\/2$/);
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().click();
  await main.locator(`a[href="/post/${rich}"]`).click();
  await expect(heading).toHaveText('Everything a text can hold, quillwork');
  await expect(main.getByRole('img', { name: 'A drawing' })).toBeVisible();
  await main.locator('a[href="#fn-1"]').click();
  await expect(page).toHaveURL(/#fn-1$/);
  await main.locator('a[rel=prev]').click();
  await expect(heading).not.toHaveText(/quillwork/);
  await main.locator('a[rel=next]').click();
  await expect(page).toHaveURL(new RegExp(`/post/${rich}$`));
  await main.getByRole('link', { name: writer.name }).click();
  await expect(heading).toHaveText(writer.name);
  await page.goto('/archive');
  await main.locator('a[href^="/archive/"]').first().click();
  await expect(main.locator(`a[href="/post/${rich}"]`).first()).toBeVisible();
  await page.goto('/post/nowhere');
  await main.getByRole('link', { name: /home/i }).click();
  await expect(page).toHaveURL(/\/$/);
});
