/** A page of Chromium with the editor's own modules in it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';

/** Opens the page; close the browser when the tests are done. */
export async function editorPage(): Promise<{ browser: Browser; page: Page }> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('./page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const system = '/usr/bin/chromium';
  const browser = await chromium.launch({
    ...(existsSync(system) && { executablePath: system }),
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.setContent('<!doctype html><title>Editor</title>');
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
  return { browser, page };
}
