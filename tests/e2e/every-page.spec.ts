import type { Page, Route } from 'playwright/test';
import { test } from './every-page.ts';
import { jsonFeedSchema } from './schemas/json-feed.ts';
import { expect } from './site.ts';
import { htmlFaults, schemaFaults } from './validity.ts';

// Runs the tests in a single worker, so that the site with a page of every kind is created only once.
test.describe.configure({ mode: 'default' });

test('every page is valid HTML under a strict policy', async ({ request, everyPage: { readers, islands } }) => {
  for (const { name, path, status, says } of [...readers, ...islands]) {
    const answer = await request.get(path);
    expect(answer.status(), name).toBe(status);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy, name).toMatch(/frame-ancestors 'none'/);
    expect(policy, name).toContain('script-src ');
    expect(policy, name).not.toMatch(/script-src [^;]*unsafe/);
    const html = await answer.text();
    expect(await htmlFaults(html), name).toEqual([]);
    const [, main = ''] = html.split('<main');
    for (const words of says) expect(main, name).toContain(words);
  }
});

test('RSS, Atom, JSON Feed and the sitemap keep to their schemas', async ({ page, request, everyPage: { rich } }) => {
  await page.goto('/');
  const alternates = page.locator('head link[rel=alternate]');
  const named = await alternates.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(named).toEqual(['/feed.xml', '/atom.xml', '/feed.json']);
  const text = async (path: string) => {
    const found = await (await request.get(path)).text();
    expect(found, path).toContain(rich);
    return found;
  };
  const [rss, atom, sitemap] = [await text('/feed.xml'), await text('/atom.xml'), await text('/sitemap.xml')];
  expect(await schemaFaults(rss, 'rss')).toEqual([]);
  expect(await schemaFaults(atom, 'atom')).toEqual([]);
  expect(await schemaFaults(sitemap, 'sitemap')).toEqual([]);
  expect(jsonFeedSchema.safeParse(JSON.parse(await text('/feed.json'))).error?.issues ?? []).toEqual([]);
  // The schemas reject documents that are broken on purpose.
  expect(await schemaFaults(rss.replace(/<link>.*?<\/link>/, ''), 'rss')).not.toEqual([]);
  expect(await schemaFaults(atom.replace(/<updated>/, '<updated>on '), 'atom')).not.toEqual([]);
  expect(await schemaFaults(sitemap.replace('<loc>', '<loc/><loc>'), 'sitemap')).not.toEqual([]);
});

test.describe('without script', () => {
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
});

const ANSWERS: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'is not there': (route) => route.fulfill({ status: 404, body: '{}' }),
  'never comes': () => Promise.resolve(),
};

/** Checks for effects of a missing picture: a broken image, a frame without its text, a page wider than the screen. */
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
