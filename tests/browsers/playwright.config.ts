import { defineConfig } from 'playwright/test';
import { ENGINES, type Engine } from '../../scripts/test/engines.ts';

export default defineConfig<object, { engine: Engine }>({
  projects: ENGINES.map((engine) => ({ name: engine, use: { engine } })),
  testDir: '.',
  outputDir: '../../test-results/browsers',
  // Bounds only tests that hang: a browser that starts beside others takes a slow machine tens of seconds.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  forbidOnly: true,
  workers: 2,
  reporter: [['../../scripts/test/file-reporter.ts'], ['json']],
});
