import { expect, refuse, test } from './site.ts';

test('guests are led to /login, and writers from there to home', async ({ page, writerPage, site }) => {
  for (const path of ['/all-posts', '/add-post', '/edit-post/whatever', '/account']) {
    await page.goto(path);
    await page.waitForURL(`${site.url}/login`);
    await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  }
  for (const path of ['/login', '/signup']) {
    await writerPage.goto(path);
    await writerPage.waitForURL(`${site.url}/`);
  }
});

test('while access is checked a spinner says so, for 100 ms', async ({ writerPage }) => {
  // Moves the page's clock by hand, so that the test also passes on slow machines.
  await writerPage.clock.install();
  await writerPage.clock.pauseAt(Date.now() + 60_000);
  await writerPage.goto('/all-posts');
  const checking = writerPage.getByText('Checking access...');
  await expect(checking).toBeVisible();
  await writerPage.clock.runFor(99);
  await expect(checking).toBeVisible();
  await writerPage.clock.runFor(1);
  await expect(checking).toHaveCount(0);
  await expect(writerPage.getByRole('heading', { name: 'All Posts' })).toBeVisible();
});

test('the header offers guests and writers what is theirs', async ({ page, writerPage }) => {
  for (const [visitor, theirs, others] of [
    [page, ['Home', 'Login', 'Signup', 'Dark theme'], ['All Posts', 'Add Post', 'Logout']],
    [writerPage, ['Home', 'All Posts', 'Add Post', 'Logout', 'Dark theme'], ['Login', 'Signup']],
  ] as const) {
    await visitor.goto('/');
    const banner = visitor.getByRole('banner');
    const named = (name: string) =>
      banner.getByRole('link', { name, exact: true }).or(banner.getByRole('button', { name, exact: true }));
    for (const name of theirs) await expect(named(name)).toBeVisible();
    for (const name of others) await expect(named(name)).toHaveCount(0);
  }
});

test('logout ends every session of the writer and reloads the page', async ({ writerPage, site, writer, request }) => {
  const headers = { 'X-Appwrite-Project': 'common-ink' };
  const { email, password } = writer;
  const second = await request.post(`${site.backend}/account/sessions/email`, { headers, data: { email, password } });
  expect(second.status()).toBe(201);
  await writerPage.goto('/');
  // A failed logout is logged, and the writer stays on the page.
  const end = await refuse(writerPage, '**/v1/account/sessions', { message: 'No.' });
  const logged = writerPage.waitForEvent('console', (message) => message.text().startsWith('Logout failed:'));
  await writerPage.getByRole('button', { name: 'Logout' }).click();
  await expect(writerPage.getByRole('alert')).toHaveText(/^You’re still signed in/);
  await logged;
  await end();
  const reloaded = writerPage.waitForEvent('load');
  await writerPage.getByRole('button', { name: 'Logout' }).click();
  await reloaded;
  await expect(writerPage.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  expect((await request.get(`${site.backend}/account`, { headers })).status()).toBe(401);
});

test('the header follows a sign-in that is known before the page’s own script runs', async ({ writerPage }) => {
  await writerPage.route('**/_astro/Shell.*.js', async (route) => {
    await writerPage.getByRole('button', { name: 'Mine' }).waitFor();
    await route.continue();
  });
  await writerPage.addInitScript(() => localStorage.removeItem('common-ink:session'));
  await writerPage.goto('/all-posts', { waitUntil: 'commit' });
  await expect(writerPage.getByRole('banner').getByRole('link', { name: 'Account' })).toBeVisible();
});
