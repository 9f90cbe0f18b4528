/** Every page and state for everybody: axe in both themes, on a phone and a desk; 400 % zoom; forced colours; no motion. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { test } from './every-page.ts';
import { expect, type RunningSite, signIn, type Writer } from './site.ts';

const WIDTHS = [1280, 360] as const;
/** 1280 pixels at 400 % (WCAG 1.4.10). */
const ZOOMED = 320;

/** What is wrong with a page as it stands, a line each. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of violations) {
        faults.push(`${name}, ${width} px, ${theme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
      }
    }
  }
  await page.setViewportSize({ width: ZOOMED, height: 900 });
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  if (sideways > 0) faults.push(`${name}: at 400 % it scrolls sideways by ${sideways} px`);
  faults.push(...(await movingIn(page)).map((what) => `${name}: moves although less motion is wanted: ${what}`));
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  return faults;
}

/** Elements that would still move; one millisecond is no motion. */
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

test('every page for readers', async ({ browser, site, everyPage }) => {
  test.setTimeout(180_000);
  const context = await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  for (const { name, path } of everyPage.readers) {
    await page.goto(path);
    // A page that takes its reader home is asked to stay.
    const stay = page.getByRole('button', { name: 'Stay here' });
    if (await stay.isVisible()) await stay.click();
    faults.push(...(await faultsOf(page, name)));
  }
  expect(faults).toEqual([]);
  await context.close();
});

interface Screen {
  readonly name: string;
  readonly reader: 'guest' | 'writer';
  /** Prepares what the screen shows; gives its path. */
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
    name: 'inactive posts, of which there are none',
    reader: 'writer',
    path: () => '/all-posts?status=inactive',
    ready: (page) => expect(page.getByRole('heading', { name: 'No inactive posts' })).toBeVisible(),
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
    if (reader === 'writer') await signIn(context, site, writer);
    const page = await context.newPage();
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
  await signIn(context, site, writer);
  const page = await context.newPage();
  for (const path of ['/all-posts', '/add-post', '/search?q=quillwork', `/post/${everyPage.rich}`, '/']) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.locator('a, button').filter({ visible: true }).first()).toBeVisible();
    const without = await page.evaluate(() =>
      [...document.querySelectorAll('.button, input:not([type=file]):not([type=hidden]), select')]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
          return borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) < 1 || borderTopColor.endsWith(', 0)');
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(without, path).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline, path).not.toBe('none');
  }
  await page.goto('/all-posts');
  const outlineOf = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).outlineStyle);
  expect(await outlineOf('Active')).not.toBe(await outlineOf('My inactive'));
  await context.close();
});
