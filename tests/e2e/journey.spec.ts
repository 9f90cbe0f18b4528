import { picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, PASSWORD, test } from './site.ts';

test('one writer’s whole way: sign-up, guard, create, edit, inactive, all posts, delete, logout, login', async ({
  page,
  browser,
  site,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const guest = await browser.newPage({ baseURL: site.url });
  const slug = `journey-${Date.now()}`;
  const email = `${slug}@example.com`;
  const main = page.getByRole('main');

  await page.goto('/all-posts');
  await page.waitForURL(`${site.url}/login`);
  await main.getByRole('link', { name: 'Sign Up' }).click();
  await page.getByLabel('Full name').fill('Mary Sample');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.waitForURL(`${site.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Add Post' }).click();

  const form = postForm(page);
  await form.title.fill('A long way');
  await form.slug.fill(slug);
  await form.write('The first steps of it.');
  await form.chooseImage();
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${slug}`);
  await guest.goto(`/post/${slug}`);
  await expect(guest.getByText('The first steps of it.')).toBeVisible();
  await expect(guest.getByText('Mary Sample').first()).toBeVisible();
  const shown = guest.getByRole('main').locator('img').first();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await main.getByRole('link', { name: 'Edit' }).click();
  await expect(form.title).toHaveValue('A long way');
  await form.title.fill('A longer way');
  await form.chooseImage('other.png', await picture(600, 400, '#803030'));
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${slug}`);
  await guest.goto('/');
  await expect(guest.getByRole('link', { name: /A longer way/ }).first()).toBeVisible();

  await main.getByRole('link', { name: 'Edit' }).click();
  await expect(form.title).toHaveValue('A longer way');
  await form.status.selectOption('inactive');
  await form.submit.click();
  await page.waitForURL(`${site.url}/post/${slug}`);
  await expect(page.getByText('Not published')).toBeVisible();
  expect((await guest.goto(`/post/${slug}`))?.status()).toBe(404);
  expect(await (await guest.request.get('/')).text()).not.toContain('A longer way');

  await page.goto('/all-posts');
  await expect(page.getByRole('heading', { name: 'All Posts' })).toBeVisible();
  await expect(page.getByText('A longer way')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mine' }).click();
  await page.getByRole('link', { name: 'A longer way', exact: true }).click();
  await main.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click();
  await page.waitForURL(`${site.url}/`);
  expect((await page.goto(`/post/${slug}`))?.status()).toBe(404);

  await page.goto('/');
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Logout' }).click();
  await reloaded;
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await password.fill('Wrong-password-1');
  await main.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
  await password.fill(PASSWORD);
  await main.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(violations).toEqual([]);
  await guest.close();
});
