import { overflow } from './axe.ts';
import { expect, ownSite, test } from './site.ts';

const NAME = 'W'.repeat(128);

test('a name of 128 letters without a space widens no page', async ({ open }) => {
  await using site = await ownSite({ environment: { SITE_NAME: 'M'.repeat(80) } });
  const page = await open({ at: site, viewport: { width: 360, height: 740 } });
  const author = await site.writer(NAME);
  const post = await site.post(author, { title: 'Led by a long name' });
  await site.publishText(author, 'Beside it');
  const lists = ['/', `/author/${author.id}`, '/archive', `/archive/${new Date().getUTCFullYear()}`, '/search?q=long'];
  for (const path of [...lists, `/post/${post.id}`, '/login']) {
    await page.goto(path);
    expect.soft(await overflow(page), path).toBe(0);
    for (const name of await page.getByText(NAME).all()) {
      const box = await name.boundingBox();
      expect.soft((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(360);
    }
  }
});
