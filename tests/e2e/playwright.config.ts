import { defineConfig } from 'playwright/test';
import { BROWSER_FLAGS, browserPath } from '../../scripts/test/browser.ts';
import { REAL } from './remote.ts';
import type { Access } from './site.ts';

/**
 * With a remote Appwrite, behind the gateway or reached directly, `npm test` runs one writer's journey and the tests
 * that concern a remote backend. `E2E=all` runs every test that is not only for the embedded backend.
 */
const inFull = process.env.E2E === 'all';
const remotely = (access: Access, briefly: RegExp) => ({
  name: access,
  use: { access },
  grepInvert: /@embedded/,
  testIgnore: /start\.spec\.ts/,
  // A second worker would start another site and another remote for only a few tests.
  ...(!inFull && { testMatch: briefly, workers: 1 }),
});

/**
 * Runs the whole product in a real browser; each worker starts its own server on a fresh data folder (see `site.ts`).
 */
export default defineConfig<object, { access: Access }>({
  projects: [
    remotely('gateway', /(invitation|journey|remote|live|sync-elsewhere)\.spec\.ts/),
    remotely('direct', /journey\.spec\.ts/),
    { name: 'embedded', use: { access: 'embedded' }, testIgnore: /(journey|remote)\.spec\.ts/ },
  ],
  testDir: '.',
  // Distributes individual tests, so that no worker is left with a long file at the end.
  fullyParallel: true,
  outputDir: '../../test-results',
  // Stops only tests that hang, because everything takes many times as long on a busy machine.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  forbidOnly: true,
  // Tests wait half the time, so two cores can run three. With a real Appwrite, workers would share its only project.
  workers: REAL ? 1 : 3,
  reporter: [['../../scripts/test/file-reporter.ts'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    // A page's service worker would bypass the routes that tests set up. `offline.spec.ts` allows workers.
    serviceWorkers: 'block',
    // Records actions, requests and messages, but no pictures, which take two thirds more processor time than the
    // tests themselves. Request them with `--trace retain-on-failure`.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: {
      executablePath: browserPath(),
      args: [...BROWSER_FLAGS],
      // Without a locale, as in containers, Chromium cannot open files with non-ASCII names.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
});
