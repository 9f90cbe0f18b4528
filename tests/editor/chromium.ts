/** A page of Chromium with the editor's own modules in it. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import { browserPath } from '../../scripts/test/browser.ts';
import { STAND_INS } from '../../src/server/stand-ins.ts';

/** Opens the page; close the browser when the tests are done. */
export async function editorPage(): Promise<{ browser: Browser; page: Page }> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('./page.ts', import.meta.url))],
    bundle: true,
    alias: { ...STAND_INS },
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.setContent('<!doctype html><title>Editor</title>');
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
  return { browser, page };
}
