import { defineConfig } from 'playwright/test';
import { ENGINES, type Engine } from '../../scripts/test/engines.ts';

export default defineConfig<object, { engine: Engine }>({
  projects: ENGINES.map((engine) => ({ name: engine, use: { engine } })),
  testDir: '.',
  outputDir: '../../test-results/browsers',
  // Stops only tests that hang: on a slow machine, starting a browser beside others takes tens of seconds.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  forbidOnly: true,
  workers: 2,
  reporter: [['../../scripts/test/file-reporter.ts'], ['json']],
});
