import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { BROWSER_FLAGS } from './browser.ts';

test('whatever Playwright switches off in Chromium stays switched off', () => {
  const require = createRequire(createRequire(import.meta.url).resolve('playwright'));
  const source = readFileSync(require.resolve('playwright-core/lib/coreBundle'), 'utf8');
  const [, list = ''] = /\bdisabledFeatures = \[([^\]]*)\]/.exec(source) ?? [];
  const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(names).toContain('PaintHolding');
  const off = BROWSER_FLAGS.find((flag) => flag.startsWith('--disable-features='))?.split(/[=,]/);
  expect(off).toEqual(expect.arrayContaining(names));
});
