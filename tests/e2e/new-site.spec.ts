/** Tests a new site, with one owner, from its first start on. */
import type { Page } from 'playwright/test';
import { asWriter, item, logIn, member, newPassword, signedIn, status } from './members.ts';
import { newPost } from './post-form.ts';
import { expect, ownSite, PASSWORD, withShared } from './site.ts';
import { htmlFaults, schemaFaults } from './validity.ts';

const OLGA = { email: 'olga@example.com' };

const test = withShared('own', (access) => ownSite({ access, isNew: true })).extend<{ olga: Page }>({
  olga: async ({ open, own }, use) => {
    const page = await open({ at: own });
    await logIn(page, OLGA);
    await signedIn(page);
    await use(page);
  },
});
test.describe.configure({ mode: 'serial' });

test('a new site welcomes in valid pages, and its link makes one owner, once', async ({ own: site, open }) => {
  const welcome = ['Welcome to Your Blog', 'Ready to get started?', 'Create Your First Post', 'View All Posts'];
  for (const [path, ...says] of [
    ['/', ...welcome, '<a href="/add-post"', '<a href="/all-posts"'],
    ['/archive', 'Nothing has been published yet'],
  ] as const) {
    const html = await site.text(path);
    expect(await htmlFaults(html), path).toEqual([]);
    const [, main = ''] = html.split('<main');
    for (const words of says) expect(main, path).toContain(words);
    expect(main).not.toContain('Latest Posts');
  }
  expect(await schemaFaults(await site.text('/sitemap.xml'), 'sitemap')).toEqual([]);

  const afterReady = /is ready: [\s\S]*no owner yet\. .*https?:\/\/[^/\s]+(\/claim#\S+)/;
  await expect.poll(() => site.said).toMatch(afterReady);
  const [, path = ''] = afterReady.exec(site.said) ?? [];
  const wrong = await open({ at: site, as: await site.writer('Eve'), path: '/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa' });
  await wrong.getByRole('button', { name: 'Become the owner' }).click();
  await expect(wrong.getByRole('alert')).toContainText('has expired or was already used');
  const waiting = await open({ at: site, path: '/claim#aaaaaaaaaaaaaaaaaaaaaaaaaaaa' });
  let claims = 0;
  waiting.on('request', (request) => {
    if (request.url().endsWith('/api/claim')) claims++;
  });
  const otherTab = await waiting.context().newPage();
  await otherTab.goto(`${site.url}/login`);
  await logIn(otherTab, await site.writer('Una'));
  await waiting.getByRole('button', { name: 'Become the owner' }).click();
  await expect(waiting.getByRole('alert')).toContainText('has expired or was already used');
  expect(claims).toBe(1);
  const page = await open({ at: site, path });
  await expect(page.getByText('This site has no owner yet.')).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.getByLabel('Email', { exact: true }).fill(OLGA.email);
  await newPassword(page, 'Olga Owner', 'Create Account');
  await page.waitForURL(/\/site$/);
  await page.getByLabel('Name', { exact: true }).fill('Olga’s notes');
  await page.getByLabel('What is it about?').fill('Pictures from the coast.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'How should it look?' })).toBeVisible();
  expect(await site.text('/')).toContain('<title>Olga’s notes</title>');
  expect(await site.text('/')).toContain('Pictures from the coast.');
  await expect(page.getByRole('link', { name: 'Olga’s notes, home' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await expect(page.getByRole('heading', { name: 'Who writes here?' })).toBeFocused();
  await expect(page.getByRole('radio')).toHaveCount(2);
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByRole('radio', { name: /^Everyone/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(`go to ${site.url}/site.`)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Write a New Post' }).click();
  await (await newPost(page, { title: 'First light', text: 'At five.', image: true })).publish('first-light');
  await page.goto('/site');
  await expect(item(page, 'Olga Owner').getByRole('combobox')).toHaveValue('owner');
  await page.reload();
  await expect(item(page, 'Olga Owner').getByRole('combobox')).toHaveValue('owner');
  const late = await open({ at: site, path });
  await late.getByRole('button', { name: 'I have an account' }).click();
  await late.getByLabel('Email', { exact: true }).fill((await site.writer('Late')).email);
  await late.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await late.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(late.getByRole('alert')).toContainText('has expired or was already used');
  await expect(late.getByText('This site has no owner yet.')).toHaveCount(0);
});

test('where only members may write, everyone else is refused', async ({ open, own: site, olga: page }) => {
  const writer = await member(site, 'writer', 'Wim');
  const stranger = await site.writer('Stranger');
  await page.goto('/site#writing');
  await page.getByRole('radio', { name: /^Members only/ }).check();
  await expect(status(page, 'Saved.')).toBeVisible();
  await expect(site.publishText(stranger, 'Not mine')).rejects.toMatchObject({ code: 401 });
  await site.publishText(writer, 'Wim’s own');
  const invitation = /Have something to share|Write a New Post|href="\/signup"/;
  for (const path of ['/', '/signup']) await expect.poll(() => site.text(path)).not.toMatch(invitation);
  const guest = await open({ at: site, path: '/signup' });
  await expect(guest.getByText('Only members can write on this site.')).toBeVisible();
  const desk = await open({ as: stranger, at: site });
  const form = await newPost(desk, { title: 'Let me in', text: 'Please.', image: true });
  await form.submit.click();
  await expect(desk.getByText('Only members can write on this site')).toBeVisible();
  await expect(form.title).toHaveValue('Let me in');
  await page.getByRole('radio', { name: /^Everyone/ }).check();
  await expect(status(page, 'Saved.')).toBeVisible();
  await expect.poll(() => site.text('/')).toMatch(invitation);
  await form.publish('let-me-in');
});

test('a leaving writer may hand posts to the owner; the last owner stays', async ({ open, own: site, olga }) => {
  const writer = await site.writer('Wim Writer');
  const post = await site.post(writer);
  const leave = async (page: Page, choice: string) => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: choice }).check();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
  };
  const page = await open({ as: writer, at: site });
  await leave(page, 'Leave my posts to the owner of the site');
  await page.waitForURL(/\/$/);
  expect(await site.text(`/post/${post.id}`)).toContain('Olga Owner');
  await leave(olga, 'Delete my posts and pictures too');
  await expect(olga.getByRole('dialog').getByRole('alert')).toContainText('The site needs an owner');
  expect(await site.status(`/post/${post.id}`)).toBe(200);
});

test('the setting WRITERS decides before any screen @embedded', async ({ own: site, olga: page }) => {
  await site.stop();
  site.environment.WRITERS = 'members';
  await site.start();
  await page.goto('/site#writing');
  await expect(page.getByText('has set this with WRITERS')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Everyone/ })).toBeDisabled();
  const owner = await member(site, 'owner', 'Otto');
  expect((await asWriter(site, owner, '/api/site', { writers: 'everyone' })).status).toBe(422);
  await expect(site.publishText(await site.writer('Stranger'), 'No')).rejects.toMatchObject({ code: 401 });
  await expect.poll(() => site.said).toContain('Every page is loaded');
  expect(site.said).not.toContain('/claim#');
});
