import { expect, ownSite, removeSite, test } from './site.ts';
import { publishText } from './writes.ts';

const NAME = 'W'.repeat(128);

test.use({ viewport: { width: 360, height: 740 } });

test('a name of 128 letters without a space widens no page', async ({ page }) => {
  const own = await ownSite({ environment: { SITE_NAME: 'M'.repeat(80) } });
  try {
    const author = await own.writer(NAME);
    const post = await own.post(author, { title: 'Led by a long name' });
    await publishText(own, author, { slug: 'beside', title: 'Beside it' });
    const year = new Date().getUTCFullYear();
    const paths = [
      '/',
      `/post/${post.id}`,
      `/author/${author.id}`,
      '/archive',
      `/archive/${year}`,
      '/search?q=long',
      '/login',
    ];
    for (const path of paths) {
      await page.goto(own.url + path);
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      expect.soft(scrollWidth, path).toBeLessThanOrEqual(clientWidth);
      for (const name of await page.getByText(NAME).all()) {
        const box = await name.boundingBox();
        expect.soft((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(clientWidth);
      }
    }
  } finally {
    await removeSite(own);
  }
});
