import type { Page } from 'playwright/test';
import { COLOURS, loadAxe, violationsOn } from './axe.ts';
import { test } from './every-page.ts';
import { expect, type RunningSite, signIn, type Writer } from './site.ts';

test.describe.configure({ mode: 'parallel', timeout: 120_000 });

/** Two views run all rules; the other two run the rules that a theme alone can break. */
const VIEWS = [
  { width: 1280, theme: 'light', rules: 'all' },
  { width: 1280, theme: 'dark', rules: 'colours' },
  { width: 360, theme: 'dark', rules: 'all' },
  { width: 360, theme: 'light', rules: 'colours' },
] as const;
/** 1280 CSS pixels at 400 % zoom (WCAG 1.4.10). */
const ZOOMED = 320;

async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  // Loads axe once for all views: loading takes as long as judging a page.
  await loadAxe(page);
  for (const { width, theme, rules } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
    await page.evaluate(settled);
    const violations = await violationsOn(page, rules === 'all' ? undefined : COLOURS);
    faults.push(...violations.map((violation) => `${name}, ${width} px, ${theme}: ${violation}`));
  }
  await page.setViewportSize({ width: ZOOMED, height: 900 });
  const sideways = await page.evaluate(sidewaysIn);
  if (sideways.length > 0) faults.push(`${name}: at 400 % it scrolls sideways: ${sideways.join(', ')}`);
  faults.push(...(await movingIn(page)).map((what) => `${name}: moves although less motion is wanted: ${what}`));
  await page.setViewportSize({ width: VIEWS[0].width, height: 900 });
  return faults;
}

/** Runs in the page; resolves when layout and colours are stable, because axe measures one element after the other. */
async function settled(): Promise<void> {
  // Fonts change the sizes of targets and of scrolling areas.
  await document.fonts.ready;
  // A transition of one millisecond passes through intermediate colours.
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
}

/** Runs in the page; lists what lies beyond its right edge, if the page scrolls sideways. */
function sidewaysIn(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const beyond = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
  );
  return [
    `${scrollWidth - clientWidth} px`,
    ...beyond.map((each) => `${each.tagName.toLowerCase()}.${each.className}`),
  ];
}

/** Lists elements that still move; durations up to one millisecond do not count. */
function movingIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longest = (durations: string) => Math.max(...durations.split(',').map((each) => Number.parseFloat(each)));
    const moving = [...document.querySelectorAll('*')].filter((element) => {
      const { animationName, animationDuration, animationIterationCount, transitionDuration } =
        getComputedStyle(element);
      const isAnimated =
        animationName !== 'none' && (longest(animationDuration) > 0.001 || animationIterationCount !== '1');
      return isAnimated || longest(transitionDuration) > 0.001;
    });
    if (getComputedStyle(document.documentElement).scrollBehavior !== 'auto') moving.push(document.documentElement);
    return moving.map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  });
}

const PARTS = 3;

for (let part = 0; part < PARTS; part += 1) {
  test(`pages for readers, part ${part + 1} of ${PARTS}`, async ({ browser, site, everyPage }) => {
    const context = await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const faults: string[] = [];
    for (const { name, path } of everyPage.readers.filter((_, at) => at % PARTS === part)) {
      await page.goto(path);
      // A page that redirects home offers to stay.
      const stay = page.getByRole('button', { name: 'Stay here' });
      if (await stay.isVisible()) await stay.click();
      faults.push(...(await faultsOf(page, name)));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

interface Screen {
  readonly name: string;
  readonly reader: 'guest' | 'writer' | 'newcomer';
  /** Prepares the data of the screen and returns its path. */
  readonly path: (site: RunningSite, writer: Writer) => Promise<string> | string;
  readonly ready: (page: Page) => Promise<void>;
}

const cards = (page: Page) => page.getByRole('main').locator('a.card-link');
const published = async (site: RunningSite, writer: Writer) => `/post/${(await site.post(writer)).id}`;

const SCREENS: readonly Screen[] = [
  {
    name: 'login with its faults shown',
    reader: 'guest',
    path: () => '/login',
    ready: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByText('Email is required')).toBeVisible();
    },
  },
  {
    name: 'sign-up with its faults shown',
    reader: 'guest',
    path: () => '/signup',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create Account' }).click();
      await expect(page.getByText('Name is required')).toBeVisible();
    },
  },
  {
    name: 'all posts, own ones among them, one taken back and one that could not be',
    reader: 'writer',
    path: async (site, writer) => {
      await site.post(writer, { title: 'Refused here' });
      await site.post(writer, { title: 'Taken back here' });
      return '/all-posts';
    },
    ready: async (page) => {
      await page.getByRole('button', { name: 'Deactivate “Taken back here”' }).click();
      await expect(page.getByText('Not published')).toBeVisible();
      await page.route('**/articles/documents/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Deactivate “Refused here”' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible();
    },
  },
  {
    name: 'the question before a listed post is deleted',
    reader: 'writer',
    path: async (site, writer) => {
      await site.post(writer, { title: 'To be asked about' });
      return '/all-posts';
    },
    ready: async (page) => {
      await page.getByRole('button', { name: 'Delete “To be asked about”' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'a search for titles that finds none',
    reader: 'writer',
    path: () => '/all-posts?q=no+such+title',
    ready: (page) => expect(page.getByRole('button', { name: 'Show all' })).toBeVisible(),
  },
  {
    name: 'one’s own posts, of which there are none',
    reader: 'newcomer',
    path: () => '/all-posts?scope=mine',
    ready: (page) => expect(page.getByRole('heading', { name: 'You have no posts yet' })).toBeVisible(),
  },
  {
    name: 'posts that could not be fetched',
    reader: 'writer',
    path: () => '/all-posts',
    ready: async (page) => {
      await expect(cards(page).first()).toBeVisible();
      await page.route('**/articles/documents?*', (route) => route.abort());
      await page.getByRole('button', { name: 'Oldest' }).click();
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    },
  },
  {
    name: 'add post',
    reader: 'writer',
    path: () => '/add-post',
    ready: (page) => expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible(),
  },
  {
    name: 'edit post',
    reader: 'writer',
    path: async (site, writer) => {
      const content = `<h2>Part</h2><p>Text with <a href="https://example.com">a link</a>.</p>
<pre><code class="language-js">const a = 1;</code></pre>
<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`;
      return `/edit-post/${(await site.post(writer, { content })).id}`;
    },
    ready: (page) => expect(page.getByRole('textbox', { name: 'Content' }).locator('table')).toBeVisible(),
  },
  {
    name: 'a post of one’s own that is not published',
    reader: 'writer',
    path: async (site, writer) => `/post/${(await site.post(writer, { status: 'inactive' })).id}`,
    ready: (page) => expect(page.getByText('Not published')).toBeVisible(),
  },
  {
    name: 'the question before a post is deleted',
    reader: 'writer',
    path: published,
    ready: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
];

for (const { name, reader, path, ready } of SCREENS) {
  test(name, async ({ browser, site, writer }) => {
    const context = await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' });
    const user = reader === 'newcomer' ? await site.writer('A Newcomer') : writer;
    const page = await (reader === 'guest' ? context.newPage() : signIn(context, site, user));
    await page.goto(await path(site, writer));
    await ready(page);
    expect(await faultsOf(page, name)).toEqual([]);
    await context.close();
  });
}

test('in forced colours every control has an outline, what is chosen is told apart, and the focus shows', async ({
  browser,
  site,
  writer,
  everyPage,
}) => {
  const context = await browser.newContext({ baseURL: site.url, forcedColors: 'active' });
  const page = await signIn(context, site, writer);
  for (const path of ['/all-posts', '/add-post', '/search?q=quillwork', `/post/${everyPage.rich}`, '/']) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.locator('a, button').filter({ visible: true }).first()).toBeVisible();
    const without = await page.evaluate(() =>
      [...document.querySelectorAll('.button, input:not([type=file], [type=hidden], [type=checkbox]), select')]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
          return (
            borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) < 1 || /^rgba\(.*, 0\)$/.test(borderTopColor)
          );
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(without, path).toEqual([]);
    // With forced colours the browser sets the colour of marked words, so the mark needs a background.
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
  await context.close();
});
