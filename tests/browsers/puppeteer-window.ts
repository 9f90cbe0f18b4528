/** Drives Chromium through its own protocol and Firefox through WebDriver BiDi, both with Puppeteer. */
import puppeteer, { type ElementHandle } from 'puppeteer-core';
import { BROWSER_FLAGS } from '../../scripts/test/browser.ts';
import { type BrowserWindow, elementNamed, type PageElement } from './window.ts';

/** Milliseconds to wait for a browser's start and answers. A busy machine takes tens of seconds. */
const PATIENCE = 300_000;

export async function puppeteerWindow(browser: 'chrome' | 'firefox', executablePath: string): Promise<BrowserWindow> {
  const running = await puppeteer.launch({
    browser,
    executablePath,
    headless: true,
    // Disables view transitions, during which a click hits only the document element.
    args: browser === 'chrome' ? [...BROWSER_FLAGS, '--force-prefers-reduced-motion'] : [],
    // Without a locale, as in containers, Chromium cannot open files with non-ASCII names.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
  });
  const page = await running.newPage();
  page.setDefaultNavigationTimeout(PATIENCE);
  // Ignores the error for a dialog that has already closed.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  // Firefox reports this error if another navigation replaces this one.
  const isCrossed = (error: unknown) => error instanceof Error && error.message.includes('NS_BINDING_ABORTED');
  const open = async (address: string): Promise<void> => {
    await page.goto(address).catch((error: unknown) => (isCrossed(error) ? open(address) : Promise.reject(error)));
  };
  return {
    open,
    reload: async () => void (await page.reload()),
    address: async () => page.url(),
    evaluate: async (script) => page.evaluate(script),
    find: async (role, name) => {
      const found = await page.evaluateHandle(elementNamed, role, name);
      const element = found.asElement();
      return element ? elementOf(element as ElementHandle<Element>) : undefined;
    },
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => running.close(),
  };
}

function elementOf(element: ElementHandle<Element>): PageElement {
  return {
    click: () => element.click(),
    type: (text) => element.type(text),
    choose: (path) => (element as ElementHandle<HTMLInputElement>).uploadFile(path),
  };
}
