/** Follows a post from a browser without a network until it is published on the site. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases } from 'node-appwrite';
import { killableBrowser } from './killable-browser.ts';
import { readyOffline } from './offline.ts';
import { otherBuild } from './other-build.ts';
import { picture } from './pictures.ts';
import { paste, postForm } from './post-form.ts';
import { ARTICLES, expect, ownSite, signIn, test } from './site.ts';

// A killed browser cannot write a trace.
test.use({ trace: 'off' });

test('a form opened, filled and submitted offline is published once, after a killed browser and by a new build @embedded', async ({
  launchOptions,
}) => {
  test.slow();
  await using site = await ownSite();
  const writer = await site.writer();
  const profile = mkdtempSync(join(tmpdir(), 'common-ink-profile-'));
  let browser = await killableBrowser(profile, launchOptions);
  const { build } = otherBuild();
  try {
    let page = await signIn(browser.context, site, writer);
    await readyOffline(page, `${site.url}/all-posts?scope=mine`);
    await site.stop();
    await browser.context.setOffline(true);
    await page.goto(`${site.url}/add-post`);
    const form = postForm(page);
    await form.title.fill('Two tunnels');
    await form.chooseImage('ink.png');
    await form.write('Written below ground.');
    await paste(form.content, {}, await picture(80, 50), 'in-text.png');
    await expect(form.content.locator('img.uploading')).toBeVisible();
    await form.submit.click();
    await page.getByRole('button', { name: 'Publish anyway' }).click();
    const item = page.getByRole('listitem').filter({ hasText: 'Two tunnels' });
    await expect(item).toContainText('It will be sent when you’re back online.');
    await browser.kill();

    const { port } = new URL(site.url);
    await using _next = await ownSite({ build, environment: { PORT: port, DATA_DIR: site.dataDirectory } });
    browser = await killableBrowser(profile, launchOptions);
    page = await signIn(browser.context, site, writer);
    await page.goto(`${site.url}/account`);
    await expect(page.getByRole('status').filter({ hasText: '“Two tunnels” was published.' })).toBeVisible();
    await page.getByRole('link', { name: 'Read the post' }).click();
    await expect(page.getByText('Written below ground.')).toBeVisible();
    for (const image of await page.locator('article img').all()) {
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
    }
    expect((await new Databases(site.admin()).listDocuments(ARTICLES)).total).toBe(1);
  } finally {
    await browser.kill().catch(() => undefined);
    for (const folder of [build, profile]) rmSync(folder, { recursive: true, force: true });
  }
});
