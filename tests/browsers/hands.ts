/** Drives a window as a person would: waits for an element with a given name, then uses it. */
import { expect } from 'playwright/test';
import type { BrowserWindow, PageElement, Role } from './window.ts';

/** Matches errors from WebDriver and Puppeteer for an element that moves, is covered, or is no longer in the page. */
const NOT_YET = /element click intercepted|element not interactable|stale element|no such node|not clickable|detached/;
/** Matches errors of WebKit's driver, Firefox and Chromium for a page that was left while an element was used. */
const LEFT =
  /before the unload event|AbortError|Actor .* destroyed|discarded|context was destroyed|Cannot find context/;

/** `isMissed` is true if the last press hit a different element while `found` was still in the page. */
type Watched = typeof window & { found?: Element; isMissed?: boolean };

/** Runs in the page before a press, and sets `isMissed` when the press causes a click. */
function watchPress(): void {
  const page = window as Watched;
  const { found } = page;
  const look = (event: Event) => {
    page.isMissed = found?.isConnected === true && !event.composedPath().includes(found);
  };
  page.isMissed = false;
  addEventListener('click', look, { capture: true, once: true });
}

// biome-ignore lint/performance/useDomNodeTextContent: hidden words are not read.
const shownWords = () => document.body?.innerText ?? '';

export class Hands {
  readonly window: BrowserWindow;
  readonly #site: string;

  constructor(window: BrowserWindow, site: string) {
    this.window = window;
    this.#site = site;
  }

  goTo(path: string): Promise<void> {
    return this.window.open(this.#site + path);
  }

  /** Reads the address in the page, because Puppeteer also reports the address of an aborted navigation. */
  arrivesAt(path: string): Promise<void> {
    return this.waitsFor(`the page ${path}`, () => location.href, this.#site + path);
  }

  /** Presses again if the page moved and the press therefore hit a different element. */
  async press(role: 'button' | 'link', name: string): Promise<void> {
    await this.#use(role, name, async (element) => {
      await this.#asks(watchPress)();
      await element.click().catch((error: Error) => {
        if (!LEFT.test(error.message)) throw error;
      });
      return !(await this.#asks(() => (window as Watched).isMissed)());
    });
  }

  async fill(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    await this.#asks(() => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
    })();
    await this.write(name, text);
  }

  async write(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.type(text));
  }

  async choose(name: string, path: string): Promise<void> {
    await this.#use('field', name, (element) => element.choose(path));
  }

  async sees(text: string, timeout = 120_000): Promise<void> {
    await expect
      .poll(this.#asks(shownWords), { message: `the words ${text}`, timeout })
      .toEqual(expect.stringContaining(text));
  }

  async seesNo(text: string): Promise<void> {
    await expect
      .poll(this.#asks(shownWords), { message: `no words ${text}` })
      .toEqual(expect.not.stringContaining(text));
  }

  /** Waits until a field has this value or an editor has this text. */
  async finds(name: string, value: string, timeout = 60_000): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    const read = this.#asks(() => {
      const { found: field } = window as Watched;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
      return field?.textContent ?? '';
    });
    const said = async () => ((await this.#find('field', name)) ? read() : undefined);
    await expect.poll(said, { message: `the value of ${name}`, timeout }).toBe(value);
  }

  /** Waits until `script`, run in the page, returns this value. */
  async waitsFor<Result>(what: string, script: () => Result, value: Result): Promise<void> {
    await expect.poll(this.#asks(script), { message: what }).toEqual(value);
  }

  seesPicture(): Promise<void> {
    const isDrawn = () => (document.querySelector<HTMLImageElement>('main img')?.naturalWidth ?? 0) > 0;
    return this.waitsFor('a picture', isDrawn, true);
  }

  findsItDark(isDark: boolean): Promise<void> {
    return this.waitsFor('the dark theme', () => document.documentElement.classList.contains('dark'), isDark);
  }

  /** Returns the page's address and text, for failure reports. */
  shown(): Promise<string> {
    const whole = Promise.all([this.window.address(), this.window.evaluate(shownWords)]);
    return whole.then((parts) => parts.join('\n')).catch((error: unknown) => `${error}`);
  }

  /** Returns a function that runs `script` in the page. The function returns undefined while the page navigates. */
  #asks<Result>(script: () => Result): () => Promise<Result | undefined> {
    return () => this.window.evaluate(script).catch(() => undefined);
  }

  async #find(role: Role, name: string): Promise<PageElement | undefined> {
    return this.window.find(role, name).catch(() => undefined);
  }

  /** Repeats `act` until it succeeds and does not return false. */
  async #use(role: Role, name: string, act: (element: PageElement) => Promise<unknown>): Promise<void> {
    const attempt = async () => {
      const element = await this.#find(role, name);
      if (!element) return false;
      try {
        return (await act(element)) !== false;
      } catch (error) {
        const { message } = error as Error;
        if (NOT_YET.test(message) || LEFT.test(message)) return false;
        throw error;
      }
    };
    await expect.poll(attempt, { message: `the ${role} “${name}”` }).toBe(true);
  }
}
