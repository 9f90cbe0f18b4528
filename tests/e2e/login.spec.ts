import { expect, ownSite, PASSWORD, removeSite, test } from './site.ts';

const email = (page: import('playwright/test').Page) => page.getByLabel('Email', { exact: true });
const password = (page: import('playwright/test').Page) => page.getByLabel('Password', { exact: true });
const submit = (page: import('playwright/test').Page) =>
  page.getByRole('main').getByRole('button', { name: 'Sign in' });

test.beforeEach(({ page }) => page.goto('/login'));

test('fields are checked when they lose focus', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await email(page).focus();
  await email(page).blur();
  await expect(page.getByText('Email is required', { exact: true })).toBeVisible();
  await email(page).fill('nobody');
  await email(page).blur();
  await expect(page.getByText('Enter a valid email', { exact: true })).toBeVisible();
  await password(page).focus();
  await password(page).blur();
  await expect(page.getByText('Password is required', { exact: true })).toBeVisible();
});

test('a writer signs in, whatever the case of the address, and comes to the home page', async ({
  page,
  site,
  writer,
}) => {
  await email(page).fill(` ${writer.email.toUpperCase()} `);
  await password(page).fill(PASSWORD);
  await submit(page).click();
  await page.waitForURL(`${site.url}/`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveCount(0);
});

test('a guest who wanted to write comes to the form after signing in, and only then', async ({
  page,
  site,
  writer,
}) => {
  const signIn = async () => {
    await email(page).fill(writer.email);
    await password(page).fill(PASSWORD);
    await submit(page).click();
  };
  await page.goto('/add-post');
  await page.waitForURL(`${site.url}/login`);
  await signIn();
  await page.waitForURL(`${site.url}/add-post`);
  // The sign-in does not return to the form after a deliberate logout.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${site.url}/login`);
  await signIn();
  await page.waitForURL(`${site.url}/`);
  const button = page.getByRole('button', { name: 'Logout' });
  await expect(button).toBeVisible();
  await Promise.all([page.waitForEvent('load'), button.click()]);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  // A reader who leaves the sign-in page loses the way back to the form.
  await page.goto('/add-post');
  await page.waitForURL(`${site.url}/login`);
  await page.goto('/login');
  await signIn();
  await page.waitForURL(`${site.url}/`);
});

test('a wrong password and an unknown address say the same', async ({ page, writer }) => {
  for (const address of [writer.email, 'unknown@example.com']) {
    await email(page).fill(address);
    await password(page).fill('Wrong-password-1');
    await submit(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
    await expect(email(page)).toHaveValue(address);
  }
});

test('a session without a readable user says so', async ({ page, writer }) => {
  await page.route('**/v1/account', (route) =>
    route.fulfill({ status: 500, json: { message: 'broken', code: 500, type: 'general_unknown', version: '1.9.6' } }),
  );
  await email(page).fill(writer.email);
  await password(page).fill(PASSWORD);
  await submit(page).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Login succeeded but user details are unavailable.' }),
  ).toBeVisible();
});

test('the button reads "Signing in…" while it works and a second click sends nothing', async ({ page, writer }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let requests = 0;
  await page.route('**/v1/account/sessions/email', async (route) => {
    requests += 1;
    await held;
    await route.continue();
  });
  await email(page).fill(writer.email);
  await password(page).fill(PASSWORD);
  await submit(page).click();
  const busy = page.getByRole('button', { name: 'Signing in…' });
  await expect(busy).toBeVisible();
  await busy.click({ force: true });
  await password(page).press('Enter');
  answer();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(requests).toBe(1);
});

test('ten wrong passwords within the hour end in "Too many attempts. Please retry later."', {
  tag: '@embedded',
}, async ({ browser }) => {
  const site = await ownSite({ environment: { EMBEDDED_RATE_LIMITS: 'on' } });
  try {
    const writer = await site.writer();
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/login');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await page.request.post('/v1/account/sessions/email', {
        headers: { 'X-Appwrite-Project': 'common-ink' },
        data: { email: writer.email, password: 'Wrong-password-1' },
      });
    }
    await email(page).fill(writer.email);
    await password(page).fill(PASSWORD);
    await submit(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts. Please retry later.' })).toBeVisible();
    await page.close();
  } finally {
    await removeSite(site);
  }
});
