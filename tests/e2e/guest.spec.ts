import { Users } from 'node-appwrite';
import { backendRequests, expect, test } from './site.ts';
import { publishText } from './writes.ts';

test('a guest reads home and a post without framework script and without a call to the backend', async ({
  page,
  site,
  writer,
}) => {
  const post = await site.post(writer, { title: 'A post for guests', content: '<p>Words for everybody.</p>' });
  const scripts: string[] = [];
  const violations: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.push(await response.text());
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const calls = backendRequests(page);
  for (const path of ['/', `/post/${post.id}`]) {
    await page.goto(path);
    await page.waitForLoadState('load');
    scripts.push(...(await page.locator('script:not([src], [type])').allTextContents()));
  }
  await expect(page.getByRole('heading', { level: 1, name: 'A post for guests' })).toBeVisible();
  await expect(page.getByText('Words for everybody.')).toBeVisible();
  expect(scripts.filter((script) => /react|astro-island|hydrat/i.test(script))).toEqual([]);
  expect(scripts.join('').length).toBeLessThan(6000);
  // Pictures are the page's only requests below /v1.
  expect(calls.filter((call) => !call.includes('/storage/buckets/media/files/'))).toEqual([]);
  expect(violations).toEqual([]);
});

test('every page carries a policy without unsafe-inline or unsafe-eval for scripts', async ({
  request,
  site,
  writer,
}) => {
  const post = await site.post(writer);
  for (const path of [
    '/',
    `/post/${post.id}`,
    '/login',
    '/signup',
    '/all-posts',
    '/add-post',
    '/edit-post/x',
    '/nowhere',
  ]) {
    const policy = (await request.get(path)).headers()['content-security-policy'] ?? '';
    const scripts = policy.split(';').find((part) => part.trim().startsWith('script-src '));
    expect(scripts, path).toBeTruthy();
    expect(scripts, path).not.toMatch(/unsafe/);
    expect(policy, path).toContain("frame-ancestors 'none'");
  }
});

test('a picture that does not load falls back to its download address, on a card and on its post', async ({
  page,
  site,
  writer,
}) => {
  const post = await site.post(writer);
  await site.post(writer);
  await page.route(/\/v1\/storage\/.*\/(preview|view)/, (route) => route.fulfill({ status: 500 }));
  for (const path of ['/', `/post/${post.id}`]) {
    const downloaded = page.waitForRequest((request) => request.url().includes(`${post.featuredImage}/download`));
    await page.goto(path);
    await downloaded;
    await expect
      .poll(() =>
        page
          .locator(`main img[src*="${post.featuredImage}/download"]`)
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
  }
});

test('the home page links to older posts, 24 at a time', async ({ page, site, writer }) => {
  for (let number = 1; number <= 26; number += 1)
    await publishText(site, writer, {
      slug: `numbered-${number}-${writer.id.slice(-6)}`,
      title: `Numbered ${number}`,
    });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Latest Posts' })).toBeVisible();
  await expect(page.getByRole('main').locator('a[href^="/post/"]')).toHaveCount(24);
  await page.locator('a[href="/page/2"]').first().click();
  await expect(page).toHaveURL(/\/page\/2$/);
  await expect.poll(() => page.getByRole('main').locator('a[href^="/post/"]').count()).toBeGreaterThanOrEqual(2);
  expect((await page.request.get('/page/1', { maxRedirects: 0 })).status()).toBe(301);
  expect((await page.request.get('/page/9999')).status()).toBe(404);
});

test('the footer says what the specification says, and its placeholders do nothing', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  for (const text of [
    'Share your stories, insights, and ideas with the world. Join our community of passionate writers and readers creating meaningful content.',
    'Made for bloggers.',
    'Stay Updated',
    'Get notified about new posts and updates.',
  ]) {
    await expect(footer.getByText(text)).toBeVisible();
  }
  for (const [name, href] of [
    ['Home', '/'],
    ['All Posts', '/all-posts'],
    ['Create Post', '/add-post'],
  ] as const) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  }
  const url = page.url();
  await footer.getByLabel(/email/i).fill('reader@example.com');
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  for (const name of ['Help Center', 'Contact Us', 'Privacy Policy', 'Terms of Service']) {
    await footer.getByText(name, { exact: true }).click();
  }
  for (const name of ['X', 'Facebook', 'Instagram', 'LinkedIn'])
    await footer.getByRole('button', { name, exact: true }).click();
  expect(page.url()).toBe(url);
  await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'smooth');
  await footer.getByText('Back to Top').click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('an author who takes another name has it on every byline', { tag: '@server' }, async ({ page, site }) => {
  const author = await site.writer('Former Name');
  const post = await site.post(author);
  await page.goto(`/post/${post.id}`);
  await expect(page.getByText('Former Name').first()).toBeVisible();
  const user = await new Users(site.admin()).updateName({ userId: author.id, name: 'Present Name' });
  await site.told(`users.${author.id}.update.name`, user);
  for (const path of [`/post/${post.id}`, '/']) {
    await expect(async () => {
      await page.goto(path);
      await expect(page.getByText('Present Name').first()).toBeVisible({ timeout: 1000 });
      await expect(page.getByText('Former Name')).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
});
