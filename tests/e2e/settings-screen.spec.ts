import { Account } from 'node-appwrite';
import type { Page } from 'playwright/test';
import type { OwnPasskeys } from '#blog/passkeys.ts';
import { member, saveSettings, status } from './members.ts';
import { expect, ownSite, withShared } from './site.ts';

/** Opens a site without settings, and its settings screen as an owner. */
const test = withShared('own', (access) => ownSite({ access })).extend<object>({
  page: async ({ open, own }, use) => {
    const owner = await member(own, 'owner', 'Olga');
    await saveSettings(own, owner, {});
    await use(await open({ at: own, as: owner, path: '/site#settings' }));
  },
});
// Runs the tests in a single worker, so that the site is created only once.
test.describe.configure({ mode: 'default' });

const setting = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const SVG = (inside: string) => ({
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${inside}</svg>`),
});

test('an owner changes the settings on a screen, undoes the last save and takes an earlier one back', async ({
  own: site,
  page,
}) => {
  test.slow();
  await setting(page, 'Name').fill('Margin Notes');
  for (const [text, address] of [
    ['Shop', 'https://shop.example'],
    ['About', '/about'],
  ] as const) {
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await setting(page, 'Text').last().fill(text);
    await setting(page, 'Address').last().fill(address);
  }
  await page.getByRole('button', { name: 'Move About up' }).focus();
  await page.keyboard.press('Enter');
  await expect(status(page, 'About is now entry 1 of 2.')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Move About up' })).toBeFocused();
  await page.getByLabel('Logo', { exact: true }).setInputFiles(SVG('<path d="M0 0h40v20H0z"/>'));
  await expect(page.getByText('40 × 20 pixels, 1 KB')).toBeVisible();
  // The field is cleared, because a browser reports no change if the same file is chosen again.
  await expect(page.getByLabel('Logo', { exact: true })).toHaveValue('');
  await expect(status(page, 'You have unsaved changes.')).toBeVisible();
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  const home = await site.text('/');
  expect(home).toContain('<title>Margin Notes</title>');
  expect(home.indexOf('>About')).toBeLessThan(home.indexOf('>Shop'));
  expect(home).toContain('width="40" height="20"');

  await setting(page, 'Tagline').fill('On paper.');
  await save(page);
  await expect.poll(() => site.text('/')).toContain('On paper.');
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect(status(page, 'The last change is undone.')).toBeVisible();
  expect(await site.text('/')).not.toContain('On paper.');
  const first = page.getByRole('listitem').filter({ hasText: 'Name, Logo, Navigation' }).first();
  await first.getByRole('button', { name: /^Revert/ }).click();
  await expect(status(page, 'The change was reverted.')).toBeVisible();
  expect(await site.text('/')).not.toContain('Margin Notes');
});

test('what cannot be used is refused at its field, and the second of two owners is told', async ({
  own,
  page,
  open,
}) => {
  const other = await open({ at: own, as: await member(own, 'owner', 'Otto'), path: '/site#settings' });
  await setting(page, 'Contact Us').fill('javascript:alert(1)');
  await save(page);
  await expect(setting(page, 'Contact Us')).toBeFocused();
  await expect(
    page.getByText('Enter an email address, or start with / for a page of this site or with https://.'),
  ).toBeVisible();
  await page.getByLabel('Logo', { exact: true }).setInputFiles(SVG('<script>alert(1)</script>'));
  await expect(page.getByText('This picture can’t be used')).toBeVisible();
  await page.getByLabel('Logo', { exact: true }).setInputFiles(SVG(' '.repeat(16 * 1024)));
  await expect(page.getByText('Choose a picture of at most 16 KB; this one is 17 KB.')).toBeVisible();
  await setting(page, 'Contact Us').fill('ink@example.com');
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  await expect(setting(page, 'Contact Us')).toHaveValue('mailto:ink@example.com');
  await setting(other, 'Name').fill('Otto’s');
  await save(other);
  await expect(other.getByRole('alert').filter({ hasText: 'Another owner saved the settings' })).toBeVisible();
  await expect(setting(other, 'Name')).toHaveValue('Otto’s');
  expect(await own.text('/')).not.toContain('Otto’s');
});

test('saving brings a wrong field behind the bar of buttons into view, and says so beside Save', async ({ page }) => {
  const field = page.getByRole('textbox', { name: 'LinkedIn' });
  await field.fill('in/olga');
  await field.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await save(page);
  await expect(status(page, 'Check the marked fields.')).toBeVisible();
  await expect(field).toBeFocused();
  const isCovered = () =>
    field.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return document.elementFromPoint(left + 5, top + 5) !== element;
    });
  await expect.poll(isCovered).toBe(false);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await field.fill('/olga');
  await expect(status(page, 'You have unsaved changes.')).toBeVisible();
});

test('unsaved settings outlast another part, another page and a reload, until they are saved or discarded', async ({
  page,
}) => {
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await setting(page, 'Name').fill('Half done');
  const isKept = async (name: string) => {
    await expect(setting(page, 'Name')).toHaveValue(name);
    await expect(status(page, 'You have unsaved changes.')).toBeVisible();
  };
  await page.getByRole('link', { name: 'Tags', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await isKept('Half done');
  await page.reload();
  await isKept('Half done');
  await page.goto('/');
  await page.goto('/site?page=/imprint&text=Imprint#settings');
  await isKept('Half done');
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('Imprint');
  await expect(page.getByRole('group', { name: 'Navigation' })).toBeInViewport();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.reload();
  await expect(setting(page, 'Name')).toHaveValue('');
  await setting(page, 'Name').fill('  All done ');
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  await page.reload();
  await expect(setting(page, 'Name')).toHaveValue('All done');
  await expect(page.getByRole('button', { name: 'Undo the last change' })).toBeVisible();
});

test('a colour that not everyone can read is named as its field is', async ({ page }) => {
  await page.getByRole('button', { name: 'Your own colours' }).click();
  const light = page.getByRole('group', { name: 'Light theme' });
  await light.getByLabel('Links and buttons', { exact: true }).fill('#8fc9d3');
  await expect(light.getByText('“Links and buttons” on “Page” has a contrast of')).toBeVisible();
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  await expect(light.getByLabel('Links and buttons', { exact: true })).toHaveValue('#8fc9d3');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
});

test('on a phone, a colour of one’s own moves no field, and an error keeps its distance from the next label', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Your own colours' }).click();
  const light = page.getByRole('group', { name: 'Light theme' });
  const height = async () => (await light.boundingBox())?.height;
  const before = await height();
  await light.getByLabel('Buttons on hover', { exact: true }).fill('#123456');
  await expect(light.getByRole('button', { name: 'Reset Buttons on hover' })).toBeVisible();
  expect(await height()).toBe(before);
  await setting(page, 'Help Center').fill('nowhere');
  await save(page);
  const room = await page.getByRole('group', { name: 'Footer' }).evaluate((group) => {
    const [error] = [...group.querySelectorAll('p')].filter(({ textContent }) => textContent.startsWith('Enter an'));
    const label = error?.parentElement?.nextElementSibling?.querySelector('label');
    return (label?.getBoundingClientRect().top ?? 0) - (error?.getBoundingClientRect().bottom ?? 0);
  });
  expect(room).toBeGreaterThanOrEqual(10);
});

test('the operator’s word is told at its field', async ({ access, open }) => {
  await using site = await ownSite({ access, environment: { SITE_NAME: 'Of the operator' } });
  const page = await open({ at: site, as: await member(site, 'owner', 'Olga'), path: '/site#settings' });
  await expect(setting(page, 'Name')).toHaveValue('Of the operator');
  await expect(setting(page, 'Name')).not.toBeEditable();
  await expect(page.getByText('Set by the operator (SITE_NAME), so it can’t be changed here.')).toBeVisible();
});

test('an owner sees unsaved settings in a frame, and a menu leads to the site from every page', async ({
  own,
  page,
}) => {
  await page.goto('/');
  const account = page.getByRole('banner').getByText('Account', { exact: true });
  const toTheSite = page.getByRole('link', { name: 'The site', exact: true });
  // "Account" is a link until the site has reported whether the user may manage it.
  await expect(page.getByRole('banner').locator('summary')).toBeVisible();
  await account.click();
  await page.getByRole('main').click({ position: { x: 1, y: 1 } });
  await expect(toTheSite).toBeHidden();
  await account.click();
  await account.evaluate((element: HTMLElement) => element.closest('summary')?.blur());
  await toTheSite.click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await setting(page, 'Name').fill('Not yet');
  await page.getByRole('button', { name: 'Preview the home page' }).click();
  await expect(page.frameLocator('iframe').getByRole('banner').getByRole('link', { name: 'Not yet' })).toBeVisible();
  expect(await own.text('/')).not.toContain('Not yet');
  const preview = { form: { settings: '{}' }, headers: { origin: 'https://evil.example' } };
  expect((await page.request.post('/api/settings/preview?path=/archive', preview)).status()).toBe(403);
  await expect(page.getByRole('button', { name: 'Preview the home page', pressed: true })).toBeVisible();
  const historyLength = () => page.evaluate(() => history.length);
  const before = await historyLength();
  await page.getByRole('radio', { name: /^Diary/ }).check();
  await setting(page, 'Name').fill('Soon');
  const header = page.frameLocator('iframe').getByRole('banner');
  await expect(header.getByRole('link', { name: 'Soon' }).getByText('Soon')).toHaveCSS('font-family', /^Brygada/);
  expect(await historyLength()).toBe(before);
});

test('an editor has no settings', async ({ open, site }) => {
  const page = await open({ as: await member(site, 'editor', 'Emil'), path: '/site#settings' });
  await expect(page.getByRole('link', { name: 'Tags', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0);
});

test('an owner asks owners and editors for a passkey, and stops asking', async ({ own, page }) => {
  const editor = await member(own, 'editor', 'Edda');
  const isAsked = async (): Promise<boolean> => {
    const { jwt } = await new Account(own.as(editor)).createJWT();
    const response = await fetch(`${own.url}/api/passkeys`, { headers: { 'x-appwrite-jwt': jwt } });
    return ((await response.json()) as OwnPasskeys).isAsked;
  };
  const wish = page.getByRole('checkbox', { name: 'Ask owners and editors to add a passkey' });
  await expect(wish).not.toBeChecked();
  expect(await isAsked()).toBe(false);
  await wish.check();
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  expect(await isAsked()).toBe(true);
  await page.reload();
  await wish.uncheck();
  await save(page);
  await expect(status(page, 'Saved.')).toBeVisible();
  expect(await isAsked()).toBe(false);
});
