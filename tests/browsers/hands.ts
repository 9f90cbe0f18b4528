/** Drives a window as a person would: waits for an element with a given name, then uses it. */
import { expect } from 'playwright/test';
import type { BrowserWindow, PageElement, Role } from './window.ts';

/** Matches errors from WebDriver and Puppeteer for an element that moves, is covered, or is no longer in the page. */
const NOT_YET = /element click intercepted|element not interactable|stale element|no such node|not clickable|detached/;

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

  async press(role: 'button' | 'link', name: string): Promise<void> {
    await this.#use(role, name, (element) => element.click());
  }

  async fill(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    await this.window.evaluate(() => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
    });
    await this.write(name, text);
  }

  async write(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.type(text));
  }

  async choose(name: string, path: string): Promise<void> {
    await this.#use('field', name, (element) => element.choose(path));
  }

  async sees(text: string): Promise<void> {
    await expect.poll(this.#asks(shownWords), { message: `the words ${text}` }).toEqual(expect.stringContaining(text));
  }

  async seesNo(text: string): Promise<void> {
    await expect
      .poll(this.#asks(shownWords), { message: `no words ${text}` })
      .toEqual(expect.not.stringContaining(text));
  }

  /** Waits until a field has this value or an editor has this text. */
  async finds(name: string, value: string, timeout = 60_000): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    const said = this.#asks(() => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
      return field?.textContent ?? '';
    });
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

  async #use(role: Role, name: string, act: (element: PageElement) => Promise<void>): Promise<void> {
    const attempt = async () => {
      const element = await this.window.find(role, name).catch(() => undefined);
      if (!element) return false;
      try {
        await act(element);
        return true;
      } catch (error) {
        const { message } = error as Error;
        // WebKit's driver reports this error for a click that navigates to another page.
        if (message.includes('before the unload event')) return true;
        if (NOT_YET.test(message)) return false;
        throw error;
      }
    };
    await expect.poll(attempt, { message: `the ${role} “${name}”` }).toBe(true);
  }
}
