import type { Page } from 'playwright/test';
import { WORKER_SCOPES } from '#blog/routes/paths.ts';
import { expect } from './site.ts';

/** Opens a page and waits until every page for writers is available offline. */
export async function readyOffline(page: Page, path = '/all-posts?scope=mine'): Promise<void> {
  await page.goto(path);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('common-ink:pages')).keys()).length))
    .toBe(WORKER_SCOPES.length);
  await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true);
}
