import type { Page } from 'playwright/test';
import { violationsOn } from './axe.ts';
import { test } from './every-page.ts';
import { expect, type RunningSite, type Writer } from './site.ts';

const VIEWS = [
  { width: 1280, theme: 'light' },
  { width: 360, theme: 'dark' },
];
/** Width in CSS pixels of a window of 1280 pixels at 400 % zoom (WCAG 1.4.10). */
const ZOOMED = 320;

async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, theme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
    await page.evaluate(settled);
    const violations = await violationsOn(page);
    faults.push(...violations.map((violation) => `${name}, ${width} px, ${theme}: ${violation}`));
  }
  await page.setViewportSize({ width: ZOOMED, height: 900 });
  const sideways = await page.evaluate(sidewaysIn);
  if (sideways.length > 0) faults.push(`${name}: at 400 % it scrolls sideways: ${sideways.join(', ')}`);
  faults.push(...(await movingIn(page)).map((what) => `${name}: moves although less motion is wanted: ${what}`));
  await page.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

/** Runs in the page. Resolves when layout and colours are stable, because axe measures the elements one by one. */
async function settled(): Promise<void> {
  // Fonts change the sizes of targets and of scrolling areas.
  await document.fonts.ready;
  // Even a transition of one millisecond passes through intermediate colours.
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
}

/** Runs in the page. If the page scrolls sideways, lists the elements that extend beyond its right edge. */
function sidewaysIn(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const beyond = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
  );
  return [`${scrollWidth - clientWidth} px`, ...beyond.map(({ tagName, className }) => `${tagName}.${className}`)];
}

/** Lists elements that are still animated. Durations of up to one millisecond do not count. */
function movingIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longest = (durations: string) => Math.max(...durations.split(',').map((each) => Number.parseFloat(each)));
    const moving = [...document.querySelectorAll('*')].filter((element) => {
      const { animationName, animationDuration, animationIterationCount, transitionDuration } =
        getComputedStyle(element);
      const isLong = longest(animationDuration) > 0.001 || animationIterationCount !== '1';
      return (animationName !== 'none' && isLong) || longest(transitionDuration) > 0.001;
    });
    if (getComputedStyle(document.documentElement).scrollBehavior !== 'auto') moving.push(document.documentElement);
    return moving.map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  });
}

/** Pages that are not checked, because all their parts also appear on other pages. */
const REPEATED = ['more of an author', 'a bad request', 'a forbidden address', 'a method that is not allowed'];

test.describe('every page', () => {
  // Runs the tests in a single worker, so that the site with a page of every kind is created only once.
  test.describe.configure({ mode: 'default' });

  test('pages for readers are accessible', async ({ open, everyPage: { site, readers, writer } }) => {
    const page = await open({ at: site, reducedMotion: 'reduce' });
    const faults: string[] = [];
    for (const { name, path } of readers.filter((each) => !REPEATED.includes(each.name))) {
      await expect(async () => {
        await page.goto(path);
        // A page that redirects to the home page has a button that cancels the redirect.
        const stay = page.getByRole('button', { name: 'Stay here' });
        if (await stay.isVisible()) await stay.click({ timeout: 1000 });
        const found = await faultsOf(page, name);
        // The page may already have been on its way to the home page when it was told to stay.
        expect(page.url()).toBe(site.url + path);
        faults.push(...found);
      }).toPass();
      // A long name must wrap within its column, even where the page would hide the overflow.
      await page.setViewportSize({ width: 360, height: 900 });
      for (const long of await page.getByText(writer.name).filter({ visible: true }).all()) {
        const { x = 0, width = 0 } = (await long.boundingBox()) ?? {};
        if (x + width > 360) faults.push(`${name}: the author’s name ends at ${x + width} px`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('forced colours keep outlines, choices and the focus visible', async ({
    open,
    everyPage: { site, writer, rich },
  }) => {
    const page = await open({ as: writer, at: site, forcedColors: 'active' });
    for (const path of ['/all-posts', '/add-post', '/search?q=quillwork', `/post/${rich}`, '/']) {
      await page.goto(path);
      const main = page.getByRole('main');
      await expect(main.locator('a, button').filter({ visible: true }).first()).toBeVisible();
      const without = await page.evaluate(() =>
        [...document.querySelectorAll('.button, input:not([type=file], [type=hidden], [type=checkbox]), select')]
          .filter((element) => element.checkVisibility())
          .filter((element) => {
            const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
            const isThin = borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) < 1;
            return isThin || /^rgba\(.*, 0\)$/.test(borderTopColor);
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      expect(without, path).toEqual([]);
      // With forced colours, the browser sets the text colour of marked words, so the mark needs a background.
      for (const mark of await main.locator('mark').all())
        await expect(mark, path).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
      expect(outline, path).not.toBe('none');
    }
    await page.goto('/all-posts');
    const outlineOf = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).outlineStyle);
    expect(await outlineOf('All')).not.toBe(await outlineOf('Mine'));
  });
});

type Screen = readonly [
  name: string,
  path: string | ((site: RunningSite, writer: Writer) => Promise<string>),
  prepare: (page: Page) => Promise<void>,
];

const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name }).click();
const shows = async (page: Page, words: string) => expect(page.getByText(words)).toBeVisible();
const shownAfter = (page: Page, button: string, words: string) => press(page, button).then(() => shows(page, words));
const posts =
  (...titles: string[]) =>
  async (site: RunningSite, writer: Writer) => {
    for (const title of titles) await site.post(writer, { title });
    return '/all-posts';
  };

const OF_GUESTS: readonly Screen[] = [
  ['the login form with its errors', '/login', (page) => shownAfter(page, 'Sign in', 'Email is required')],
  ['the sign-up form with its errors', '/signup', (page) => shownAfter(page, 'Create Account', 'Name is required')],
];
const OF_WRITERS: readonly Screen[] = [
  [
    'all posts with an unpublished one and one that could not be',
    posts('Refused here', 'Unpublished here'),
    async (page) => {
      await press(page, 'Deactivate “Unpublished here”');
      await shows(page, 'Not published');
      await page.route('**/articles/documents/**', (route) => route.abort());
      await press(page, 'Deactivate “Refused here”');
      await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible();
    },
  ],
  [
    'the question before a post is deleted',
    posts('To be asked about'),
    (page) => press(page, 'Delete “To be asked about”').then(() => expect(page.getByRole('dialog')).toBeVisible()),
  ],
  [
    'a search for titles without a result',
    '/all-posts?q=no+such+title',
    (page) => expect(page.getByRole('button', { name: 'Show all' })).toBeVisible(),
  ],
  ['the posts of a writer without any', '/all-posts?scope=mine', (page) => shows(page, 'You have no posts yet')],
  [
    'posts that could not be fetched',
    posts('Fetched once'),
    async (page) => {
      await expect(page.getByRole('link', { name: 'Fetched once', exact: true }).first()).toBeVisible();
      await page.route('**/articles/documents?*', (route) => route.abort());
      await press(page, 'Oldest');
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    },
  ],
  ['the form', '/add-post', (page) => expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()],
  [
    'an unpublished post of the reader',
    async (site, writer) => `/post/${(await site.post(writer, { status: 'inactive' })).id}`,
    (page) => shows(page, 'Not published'),
  ],
];

for (const [name, path, prepare] of [...OF_GUESTS, ...OF_WRITERS]) {
  test(`${name} passes`, async ({ open, site, writer }) => {
    const isGuest = OF_GUESTS.some((screen) => screen[0] === name);
    const page = await open({ reducedMotion: 'reduce', ...(!isGuest && { as: writer }) });
    await page.goto(typeof path === 'string' ? path : await path(site, writer));
    await prepare(page);
    expect(await faultsOf(page, name)).toEqual([]);
  });
}
