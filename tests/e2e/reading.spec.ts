import { expect, test } from './site.ts';

const PARAGRAPH = `<p>${'The ink and the paper are of one mind in this part of the book. '.repeat(20)}</p>`;
const part = (name: string) => `<h2>${name}</h2>${PARAGRAPH}`;

test('a long post has a folded table of contents that links to its parts', async ({ open, site, writer }) => {
  const content = `${part('Of ink')}<h3>Its colour</h3>${PARAGRAPH}${part('Of paper')}${part('Of margins')}`;
  const long = await site.post(writer, { content });
  const short = await site.post(writer, { content: part('Of ink').slice(0, 300) });
  const page = await open({ javaScriptEnabled: false, path: `/post/${long.id}` });
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents.getByRole('link')).toHaveCount(0);
  await contents.getByText('Contents').click();
  await expect(contents.getByRole('link')).toHaveText(['Of ink', 'Its colour', 'Of paper', 'Of margins']);
  await contents.getByRole('link', { name: 'Of paper' }).click();
  await expect(page).toHaveURL(/#h-of-paper$/);
  await expect(page.getByRole('heading', { name: 'Of paper' })).toBeInViewport();
  await page.goto(`/post/${short.id}`);
  await expect(page.getByRole('heading', { name: 'Of ink' })).toBeVisible();
  await expect(contents).toHaveCount(0);
});

test('a printed post is whole and black on white, whatever the theme', async ({ open, site, writer }) => {
  const cells = (name: string) => Array.from({ length: 12 }, (_, n) => `<${name}>Column ${n}</${name}>`).join('');
  const table = `<table><thead><tr>${cells('th')}</tr></thead><tbody><tr>${cells('td')}</tr></tbody></table>`;
  const content = `${PARAGRAPH}<p><a href="https://example.com/ink">A link</a></p>${table}${part('The end')}`;
  const [post] = [await site.post(writer, { content }), await site.post(writer)];
  const page = await open({ colorScheme: 'dark', path: `/post/${post.id}` });
  // Without a stored choice, a page uses the system's theme.
  await expect(page.locator('html')).toHaveClass(/dark/);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.locator('.prose p').first()).toHaveCSS('color', 'rgb(0, 0, 0)');
  for (const part of ['header[data-site]', 'footer[data-site]', 'nav[aria-label="More posts"]'])
    await expect(page.locator(part)).toBeHidden();
  await expect(page.getByRole('heading', { name: post.title })).toBeVisible();
  const link = page.getByRole('link', { name: 'A link' });
  expect(await link.evaluate((a) => getComputedStyle(a, '::after').content)).toContain('https://example.com/ink');
  // At the width of a printed page, a wide table fits completely.
  await page.setViewportSize({ width: 658, height: 900 });
  const [right, room] = await page.evaluate(() => [
    document.querySelector('th:last-child')?.getBoundingClientRect().right ?? 0,
    document.documentElement.clientWidth,
  ]);
  expect(right).toBeGreaterThan(0);
  expect(right).toBeLessThanOrEqual(room);
  const pdf = await page.pdf({ format: 'A4' });
  // The text and the picture fill two pages, and no empty pages follow.
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBe(2);
  await page.goto(`/post/${await site.publishText(writer, 'Without a picture')}`);
  await expect(page.getByText('No image available')).toBeHidden();
  await page.goto('/');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
});

test('a text names its language if it is not the site’s, and runs in its direction', async ({ page, site, writer }) => {
  const words = '<p>ينتشر الحبر على طول الألياف حتى يلتقي بالغراء الذي وضعه الصانع بالفرشاة</p>';
  const arabic = await site.post(writer, { title: 'الحبر والورق', content: words });
  const english = await site.post(writer, { content: PARAGRAPH });
  await page.goto(`/post/${arabic.id}`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('.prose')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('.prose')).toHaveCSS('direction', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'ar');
  await page.goto(`/post/${english.id}`);
  await expect(page.locator('.prose')).not.toHaveAttribute('lang');
  await expect(page.locator('.prose')).toHaveCSS('direction', 'ltr');
});
