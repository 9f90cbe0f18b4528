import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, signIn, test } from './site.ts';

async function violations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen passes axe in the ${colorScheme} theme`, async ({ browser, site, writer }) => {
    const post = await site.post(writer, {
      content:
        '<h2>Part</h2><p>Text with <a href="https://example.com">a link</a>.</p><pre><code class="language-js">const a = 1;</code></pre><table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    });
    const draft = await site.post(writer, { status: 'inactive' });
    const guest = await browser.newContext({ baseURL: site.url, colorScheme });
    const signedIn = await browser.newContext({ baseURL: site.url, colorScheme });
    await signIn(signedIn, site, writer);
    const screens: readonly [typeof guest, string, (page: Page) => Promise<void>][] = [
      [guest, '/', (page) => expect(page.getByRole('heading', { name: 'Latest Posts' })).toBeVisible()],
      [guest, `/post/${post.id}`, (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
      [guest, '/post/no-such-post', (page) => expect(page.getByText('Post not found', { exact: true })).toBeVisible()],
      [guest, '/nowhere', (page) => expect(page.getByText('No route matches URL')).toBeVisible()],
      [guest, '/login', (page) => expect(page.getByLabel('Email', { exact: true }).first()).toBeVisible()],
      [guest, '/signup', (page) => expect(page.getByLabel('Full name')).toBeVisible()],
      [signedIn, '/all-posts', (page) => expect(page.getByRole('heading', { name: 'All Posts' })).toBeVisible()],
      [signedIn, '/add-post', (page) => expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()],
      [signedIn, `/edit-post/${post.id}`, (page) => expect(page.getByLabel('Title')).toHaveValue(post.title)],
      [signedIn, `/post/${draft.id}`, (page) => expect(page.getByText('Not published')).toBeVisible()],
      [
        signedIn,
        `/post/${post.id}`,
        async (page) => {
          await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      ],
    ];
    for (const [context, path, ready] of screens) {
      const page = await context.newPage();
      await page.goto(path);
      await ready(page);
      expect(await violations(page), `${path} (${colorScheme})`).toEqual([]);
      await page.close();
    }
    await guest.close();
    await signedIn.close();
  });
}
