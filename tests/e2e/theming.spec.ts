import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { violationsOn } from './axe.ts';
import { expect, ownSite, policyViolations, test } from './site.ts';

const SITE = `
name = "Margin Notes"
introduction = "A magazine for people who set type."
logo = "logo.svg"
[colours.light]
accent = "#8a1c1c"
[colours.dark]
paper = "#101820"
accent = "#f0a090"
[fonts]
interface = "Georgia, serif"
text = { file = "own.woff2", fallback = "serif" }
[footer]
contact = "mailto:editors@example.com"
instagram = "https://instagram.com/example"
mastodon = "https://example.social/@ink"
[[navigation]]
text = "Elsewhere"
address = "/post/elsewhere"
[[navigation]]
text = "By year"
address = "/archive"
`;
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"><style>rect{fill:#8a1c1c}</style><rect width="120" height="30"/></svg>';
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

test('one file changes name, logo, colours, fonts and navigation of stored pages @embedded', async ({ open }) => {
  await using site = await ownSite();
  const post = await site.post(await site.writer(), { title: 'Stored before' });
  expect(await site.text(`/post/${post.id}`)).toContain('<title>Stored before · Common Ink</title>');
  await site.stop();
  writeFileSync(join(site.dataDirectory, 'site.toml'), SITE);
  writeFileSync(join(site.dataDirectory, 'logo.svg'), LOGO);
  copyFileSync(FONT, join(site.dataDirectory, 'own.woff2'));
  await site.start();

  for (const [colorScheme, accent, paper] of [
    ['light', 'rgb(138, 28, 28)', '#fbfaf7'],
    ['dark', 'rgb(240, 160, 144)', '#101820'],
  ] as const) {
    const page = await open({ at: site, colorScheme });
    const complaints = policyViolations(page);
    for (const path of [`/post/${post.id}`, '/login']) {
      // The site serves the old page until the new render is stored.
      await expect(async () => {
        await page.goto(path);
        expect(await page.title()).toMatch(/ · Margin Notes$/);
      }).toPass();
      const header = page.locator('header[data-site]');
      const logo = header.getByRole('link', { name: 'Margin Notes, home' }).locator('img');
      expect(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
      await expect(header.getByRole('link', { name: 'Elsewhere' })).toHaveAttribute('href', '/post/elsewhere');
      const footer = page.getByRole('contentinfo');
      await expect(footer.getByRole('link', { name: 'Elsewhere' })).toBeVisible();
      const contact = footer.getByRole('link', { name: 'Contact Us' });
      await expect(contact).toHaveAttribute('href', 'mailto:editors@example.com');
      for (const name of ['Instagram', 'Mastodon'])
        await expect(footer.getByRole('link', { name })).toHaveAttribute('rel', 'me');
      await expect(footer.locator('[aria-label=GitHub]')).toHaveCount(0);
      await expect(footer.getByRole('button', { name: 'Privacy Policy' })).toBeVisible();
      await expect(footer.locator('[href="/archive"]')).toHaveText('Archive');
      await expect(page.locator('[name=theme-color]')).toHaveAttribute('content', paper);
      await expect(page.getByRole('button', { name: 'Back to Top' })).toHaveCSS('color', accent);
      await expect(page.locator('body')).toHaveCSS('font-family', 'Georgia, serif');
      await page.evaluate(() => document.fonts.ready);
      const faces = await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
      expect(faces.filter((face) => face.endsWith(' loaded'))).toEqual(['site text loaded']);
      // A page with an island (/login) preloads only the owner's font; pages for readers preload none.
      const preloads = page.locator('link[rel=preload][as=font]');
      const ahead = await preloads.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(ahead).toEqual(path === '/login' ? [expect.stringMatching(/^\/_astro\/site-[0-9a-f]{16}\.woff2$/)] : []);
      const fonts = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      expect(fonts.filter((name) => name.endsWith('.woff2'))).toHaveLength(1);
      expect(await violationsOn(page, ['color-contrast'])).toEqual([]);
    }
    expect(complaints).toEqual([]);
    expect(await site.text('/')).toContain('A magazine for people who set type.');
    await page.goto('/');
    await expect(page.getByText('A magazine for people who set type.')).toBeVisible();
  }
});
