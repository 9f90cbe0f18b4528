import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, type RunningSite, signIn, test, type Writer } from './site.ts';

const CONTENT = `<h2>Part</h2><p>Text with <a href="https://example.com">a link</a>.</p>
<pre><code class="language-js">const a = 1;</code></pre>
<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`;

interface Screen {
  readonly name: string;
  readonly reader: 'guest' | 'writer';
  /** Prepares what the screen shows; gives its path. */
  readonly path: (site: RunningSite, writer: Writer) => Promise<string> | string;
  readonly ready: (page: Page) => Promise<void>;
}

const post = async (site: RunningSite, writer: Writer) => `/post/${(await site.post(writer, { content: CONTENT })).id}`;

const SCREENS: readonly Screen[] = [
  {
    name: 'home',
    reader: 'guest',
    path: async (site, writer) => {
      await site.post(writer);
      return '/';
    },
    ready: (page) => expect(page.getByRole('heading', { name: 'Latest Posts' })).toBeVisible(),
  },
  { name: 'a post', reader: 'guest', path: post, ready: (page) => expect(page.getByText('Part')).toBeVisible() },
  {
    name: 'a post that is not there',
    reader: 'guest',
    path: () => '/post/no-such-post',
    ready: (page) => expect(page.getByText('Post not found', { exact: true })).toBeVisible(),
  },
  {
    name: 'an unknown address',
    reader: 'guest',
    path: () => '/nowhere',
    ready: (page) => expect(page.getByText('No route matches URL')).toBeVisible(),
  },
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
    name: 'all posts',
    reader: 'writer',
    path: async (site, writer) => {
      await site.post(writer);
      return '/all-posts';
    },
    ready: (page) => expect(page.getByRole('main').locator('a[href^="/post/"]').first()).toBeVisible(),
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
    path: async (site, writer) => (await post(site, writer)).replace('/post/', '/edit-post/'),
    ready: (page) => expect(page.getByRole('textbox', { name: 'Content' }).locator('table')).toBeVisible(),
  },
  {
    name: 'a post of one’s own that is not published',
    reader: 'writer',
    path: async (site, writer) => `/post/${(await site.post(writer, { status: 'inactive' })).id}`,
    ready: (page) => expect(page.getByText('Not published')).toBeVisible(),
  },
  {
    name: 'the delete dialog',
    reader: 'writer',
    path: post,
    ready: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
];

for (const { name, reader, path, ready } of SCREENS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${name} passes axe in the ${colorScheme} theme`, async ({ browser, site, writer }) => {
      // Colours are judged at rest.
      const context = await browser.newContext({ baseURL: site.url, colorScheme, reducedMotion: 'reduce' });
      if (reader === 'writer') await signIn(context, site, writer);
      const page = await context.newPage();
      await page.goto(await path(site, writer));
      await ready(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
      expect(found).toEqual([]);
      await context.close();
    });
  }
}
