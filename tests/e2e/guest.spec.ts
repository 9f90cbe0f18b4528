import { backendRequests, expect, policyViolations, test } from './site.ts';

test('a guest loads no framework script and calls no backend', async ({ page, site, writer }) => {
  const post = await site.post(writer, { title: 'A post for guests', content: '<p>Words for everybody.</p>' });
  const scripts: Promise<string>[] = [];
  const violations = policyViolations(page);
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text());
  });
  const calls = backendRequests(page);
  const texts: string[] = [];
  for (const path of ['/', `/post/${post.id}`]) {
    await page.goto(path);
    await page.waitForLoadState('load');
    texts.push(...(await page.locator('script:not([src], [type])').allTextContents()));
    // Reads the scripts now, because the browser discards them when the next page opens.
    texts.push(...(await Promise.all(scripts.splice(0))));
  }
  await expect(page.getByRole('heading', { level: 1, name: 'A post for guests' })).toBeVisible();
  await expect(page.getByText('Words for everybody.')).toBeVisible();
  expect(texts.filter((script) => /react|astro-island|hydrat/i.test(script))).toEqual([]);
  expect(texts.join('').length).toBeLessThan(6000);
  // Pictures are the page's only requests below /v1.
  expect(calls.filter((call) => !call.includes('/storage/buckets/media/files/'))).toEqual([]);
  expect(violations).toEqual([]);
});

test('a picture that does not load falls back to its download address', async ({ page, site, writer }) => {
  const post = await site.post(writer);
  await site.post(writer);
  await page.route(/\/v1\/storage\/.*\/(preview|view)/, (route) => route.fulfill({ status: 500 }));
  for (const path of ['/', `/post/${post.id}`]) {
    const downloaded = page.waitForRequest((request) => request.url().includes(`${post.featuredImage}/download`));
    await page.goto(path);
    await downloaded;
    const shown = page.locator(`main img[src*="${post.featuredImage}/download"]`);
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
});

test('the footer says what the specification says, and its placeholders do nothing', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  for (const text of [
    'Share your stories, insights, and ideas with the world. Join our community of passionate writers and readers creating meaningful content.',
    'Made for bloggers.',
    'Stay Updated',
    'Get notified about new posts and updates.',
  ])
    await expect(footer.getByText(text)).toBeVisible();
  for (const [name, href] of Object.entries({ Home: '/', 'All Posts': '/all-posts', 'Create Post': '/add-post' }))
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  const url = page.url();
  await footer.getByLabel(/email/i).fill('reader@example.com');
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  for (const name of ['Help Center', 'Contact Us', 'Privacy Policy', 'Terms of Service'])
    await footer.getByText(name, { exact: true }).click();
  for (const name of ['X', 'Facebook', 'Instagram', 'LinkedIn'])
    await footer.getByRole('button', { name, exact: true }).click();
  await expect(footer.getByLabel(/Mastodon|Bluesky|GitHub/)).toHaveCount(0);
  expect(page.url()).toBe(url);
  await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'smooth');
  await footer.getByText('Back to Top').click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});
