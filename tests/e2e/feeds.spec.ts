import sharp from 'sharp';
import { elementsNamed } from '../support/seo.ts';
import { expect, policyViolations, test } from './site.ts';

test('the sitemap names every public page, robots.txt names the sitemap', async ({ request, site, writer }) => {
  const post = await site.post(writer);
  const draft = await site.post(writer, { status: 'inactive' });
  expect(await site.text('/robots.txt')).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  const addresses = elementsNamed(await site.text('/sitemap.xml'), 'loc');
  const paths = ['/', '/archive', `/author/${writer.id}`, `/post/${post.id}`];
  expect(addresses).toEqual(expect.arrayContaining(paths.map((path) => site.url + path)));
  expect(addresses).not.toContain(`${site.url}/post/${draft.id}`);
  for (const address of addresses) expect((await request.get(address)).status(), address).toBe(200);
});

test('a post describes itself within the policy', async ({ page, request, site, writer }) => {
  const violations = policyViolations(page);
  const post = await site.post(writer, { title: 'Said </script> & done', content: '<p>What it is about.</p>' });
  await page.goto(`/post/${post.id}`);
  const meta = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');
  expect(await meta('description')).toBe('What it is about.');
  expect([await meta('og:type'), await meta('twitter:card')]).toEqual(['article', 'summary_large_image']);
  expect(await meta('article:published_time')).toBeTruthy();
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${site.url}/post/${post.id}`);
  const picture = await request.get((await meta('og:image')) ?? '');
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/jpeg']);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data['@graph'][0]).toMatchObject({ headline: 'Said </script> & done', author: { name: writer.name } });
  expect(violations).toEqual([]);

  // For a post without a picture, the share picture is drawn from its title.
  const slug = await site.publishText(writer, 'No picture');
  await page.goto(`/post/${slug}`);
  const address = await meta('og:image');
  expect(address).toBe(`${site.url}/post/${slug}/share.png`);
  const drawn = await request.get(address ?? '');
  expect(drawn.headers()['content-type']).toBe('image/png');
  const { format, width, height } = await sharp(await drawn.body()).metadata();
  expect([format, width, height]).toEqual(['png', 1200, 630]);
});
