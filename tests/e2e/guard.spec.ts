import { expect, test } from './site.ts';

for (const path of ['/all-posts', '/add-post', '/edit-post/whatever', '/account']) {
  test(`a guest who opens ${path} is taken to /login`, async ({ page, site }) => {
    await page.goto(path);
    await page.waitForURL(`${site.url}/login`);
    await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  });
}

for (const path of ['/login', '/signup']) {
  test(`a writer who opens ${path} is taken home`, async ({ writerPage, site }) => {
    await writerPage.goto(path);
    await writerPage.waitForURL(`${site.url}/`);
  });
}

test('an island page arrives with "Loading..." and "Preparing your blog experience"', async ({ request }) => {
  for (const path of ['/login', '/signup', '/all-posts', '/add-post', '/edit-post/x']) {
    const html = await (await request.get(path)).text();
    expect(html, path).toContain('Loading...');
    expect(html, path).toContain('Preparing your blog experience');
  }
});

test('while access is checked a spinner says so, for 100 ms', async ({ writerPage }) => {
  // Moves the page's clock by hand, so that slow machines pass.
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

test('the header offers each visitor what is his', async ({ page, writerPage }) => {
  await page.goto('/');
  const guest = page.getByRole('banner');
  for (const name of ['Home', 'Login', 'Signup'])
    await expect(guest.getByRole('link', { name, exact: true })).toBeVisible();
  for (const name of ['All Posts', 'Add Post'])
    await expect(guest.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(guest.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  await expect(guest.getByRole('button', { name: 'Dark theme' })).toBeVisible();
  await writerPage.goto('/');
  const signedIn = writerPage.getByRole('banner');
  for (const name of ['Home', 'All Posts', 'Add Post']) {
    await expect(signedIn.getByRole('link', { name, exact: true })).toBeVisible();
  }
  for (const name of ['Login', 'Signup'])
    await expect(signedIn.getByRole('link', { name, exact: true })).toHaveCount(0);
  for (const name of ['Logout', 'Dark theme']) await expect(signedIn.getByRole('button', { name })).toBeVisible();
});

test('logout ends every session of the writer and reloads the page', async ({ writerPage, site, writer, browser }) => {
  const other = await browser.newContext({ baseURL: site.url });
  const second = await other.request.post(`${site.backend}/account/sessions/email`, {
    headers: { 'X-Appwrite-Project': 'common-ink' },
    data: { email: writer.email, password: writer.password },
  });
  expect(second.status()).toBe(201);
  await writerPage.goto('/');
  // A failed sign-in is logged, and the writer stays on the page.
  await writerPage.route('**/v1/account/sessions', (route) =>
    route.fulfill({ status: 500, json: { message: 'No.', code: 500 } }),
  );
  const logged = writerPage.waitForEvent('console', (message) => message.text().startsWith('Logout failed:'));
  await writerPage.getByRole('button', { name: 'Logout' }).click();
  await expect(writerPage.getByRole('alert')).toHaveText(/^You’re still signed in/);
  await logged;
  await writerPage.unroute('**/v1/account/sessions');
  const reloaded = writerPage.waitForEvent('load');
  await writerPage.getByRole('button', { name: 'Logout' }).click();
  await reloaded;
  await expect(writerPage.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  const account = await other.request.get(`${site.backend}/account`, {
    headers: { 'X-Appwrite-Project': 'common-ink' },
  });
  expect(account.status()).toBe(401);
  await other.close();
});
