/** A page in Chromium that runs the editor's own modules. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { BROWSER_FLAGS, browserPath } from '../../scripts/test/browser.ts';
import { PACKAGE_ALIASES } from '../../src/server/astro/bundle-aliases.ts';

/** Maximum time, in milliseconds, for the browser's start and for each action: longer than a busy machine needs. */
const PATIENCE_MS = 300_000;

export const editorPage = () => pageWith('./page.ts');

/** Opens a page with the editor's toolbar, menus, bubbles and styles, but without the site's styles. */
export const screenPage = (options?: BrowserContextOptions) => pageWith('./screen.tsx', options);

export const versionsPage = () => pageWith('./versions-page.ts');

async function pageWith(entry: string, options: BrowserContextOptions = {}): Promise<{ browser: Browser; page: Page }> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    alias: { ...PACKAGE_ALIASES },
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' },
    outdir: 'none',
    format: 'iife',
    target: 'es2022',
    write: false,
    // Hides warnings about style sheets, because the site's own build does not use esbuild for them.
    logLevel: 'error',
  });
  const launching = { executablePath: browserPath(), args: [...BROWSER_FLAGS], timeout: PATIENCE_MS };
  const browser = await chromium.launch(launching);
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => console.error(error));
  await page.setContent('<!doctype html><meta name=viewport content="width=device-width"><title>Editor</title>');
  for (const { path, text } of bundle.outputFiles) {
    if (path.endsWith('.css')) await page.addStyleTag({ content: text });
    else await page.addScriptTag({ content: text });
  }
  return { browser, page };
}
