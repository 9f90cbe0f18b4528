import { logIn, newPassword, signedIn } from './members.ts';
import { picture } from './pictures.ts';
import { postForm } from './post-form.ts';
import { expect, policyViolations, test } from './site.ts';

test('a writer signs up, writes, edits, unpublishes, deletes and signs in again', async ({ page, open, site }) => {
  const violations = policyViolations(page);
  const guest = await open();
  const slug = `journey-${Date.now()}`;
  const email = `${slug}@example.com`;
  const main = page.getByRole('main');

  await page.goto('/all-posts');
  await page.waitForURL(`${site.url}/login`);
  await main.getByRole('link', { name: 'Sign Up' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await newPassword(page, 'Mary Sample', 'Create Account');
  await page.waitForURL(`${site.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Add Post' }).click();

  const form = postForm(page);
  await expect(form.status).toHaveValue('active');
  await expect(form.status.getByRole('option')).toHaveText(['Active', 'Inactive']);
  await expect(form.image).toHaveAttribute('accept', '.png,.jpg,.jpeg,.gif,image/png,image/jpeg,image/gif');
  await expect(form.submit).toHaveText('Submit');
  await form.title.fill('A long way: Ink & Paper');
  await expect(form.slug).toHaveValue('a-long-way-ink-paper');
  const height = (text: Element) => text.closest('[data-milkdown-root]')?.getBoundingClientRect().height;
  expect(await form.content.evaluate(height)).toBe(500);
  await form.slug.fill(slug);
  await form.write('The first steps of it.');
  await form.chooseImage();
  await form.publish(slug);
  await guest.goto(`/post/${slug}`);
  await expect(guest.getByText('The first steps of it.')).toBeVisible();
  await expect(guest.getByText('Mary Sample').first()).toBeVisible();
  const shown = guest.getByRole('main').locator('img').first();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await main.getByRole('link', { name: 'Edit' }).click();
  await expect(form.title).toHaveValue('A long way: Ink & Paper');
  await form.title.fill('A longer way');
  await form.chooseImage('other.png', await picture(600, 400, '#803030'));
  await form.publish(slug);
  await guest.goto('/');
  await expect(guest.getByRole('link', { name: /A longer way/ }).first()).toBeVisible();

  const { featuredImage } = await site.stored(slug);
  expect((await guest.request.get(site.view(featuredImage))).status()).toBe(200);
  await main.getByRole('link', { name: 'Edit' }).click();
  await expect(form.title).toHaveValue('A longer way');
  await form.status.selectOption('inactive');
  await form.publish(slug);
  await expect(page.getByText('Not published')).toBeVisible();
  await expect.poll(async () => (await guest.goto(`/post/${slug}`))?.status()).toBe(404);
  expect((await guest.request.get(site.view(featuredImage))).status()).toBe(404);
  await expect.poll(() => site.text('/')).not.toContain('A longer way');

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
  await page.waitForURL(`${site.url}/login`);
  await logIn(page, { email }, 'Wrong-password-1');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
  await logIn(page, { email });
  await signedIn(page);
  expect(violations).toEqual([]);
});
