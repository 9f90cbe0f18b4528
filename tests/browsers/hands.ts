/** Drives a window as a person does: waits for an element by its name, then uses it. */
import { expect } from 'playwright/test';
import type { BrowserWindow, PageElement, Role } from './window.ts';

/** Errors of WebDriver and Puppeteer for an element that is still moving, is covered or has just been replaced. */
const NOT_YET = /element click intercepted|element not interactable|stale element|not clickable|detached/;

/** Runs in the page and returns its rendered words. */
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

  /** Waits until the page of this path is there. */
  async arrivesAt(path: string): Promise<void> {
    await expect
      .poll(() => this.window.address().catch(() => ''), { message: `the page ${path}` })
      .toBe(this.#site + path);
  }

  async press(role: 'button' | 'link', name: string): Promise<void> {
    await this.#use(role, name, (element) => element.click());
  }

  /** Types into a field in place of what it has. */
  async fill(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    await this.window.evaluate(() => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
    });
    await this.write(name, text);
  }

  /** Types at the cursor of a field. */
  async write(name: string, text: string): Promise<void> {
    await this.#use('field', name, (element) => element.type(text));
  }

  /** Chooses a file in a file field. */
  async choose(name: string, path: string): Promise<void> {
    await this.#use('field', name, (element) => element.choose(path));
  }

  /** Waits until the page says this. */
  async sees(text: string | RegExp): Promise<void> {
    const expected = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
    await expect.poll(this.#asks(shownWords), { message: `the words ${text}` }).toEqual(expected);
  }

  async seesNo(text: string): Promise<void> {
    await expect
      .poll(this.#asks(shownWords), { message: `no words ${text}` })
      .toEqual(expect.not.stringContaining(text));
  }

  /** Waits until a field has this value, or an editor this text. */
  async finds(name: string, value: string): Promise<void> {
    await this.#use('field', name, (element) => element.click());
    const said = this.#asks(() => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
      return field?.textContent ?? '';
    });
    await expect.poll(said, { message: `the value of ${name}` }).toBe(value);
  }

  /** Waits for a picture that is drawn. */
  async seesPicture(): Promise<void> {
    const drawn = this.#asks(() => document.querySelector<HTMLImageElement>('main img')?.naturalWidth ?? 0);
    await expect.poll(drawn, { message: 'a picture' }).toBeGreaterThan(0);
  }

  /** Waits until the links of a post's text are underlined. */
  async seesUnderlinedLinks(): Promise<void> {
    const lines = this.#asks(() => {
      const link = document.querySelector('article .prose a[href]:not(.heading-anchor)');
      return link ? getComputedStyle(link).textDecorationLine : '';
    });
    await expect.poll(lines, { message: 'the line under a link' }).toBe('underline');
  }

  /** Waits until the page is dark, or light. */
  async findsItDark(isDark: boolean): Promise<void> {
    const dark = this.#asks(() => document.documentElement.classList.contains('dark'));
    await expect.poll(dark, { message: 'the dark theme' }).toBe(isDark);
  }

  /** Reads something of the page; undefined while it is on its way to the next one. */
  #asks<Result>(script: () => Result): () => Promise<Result | undefined> {
    return () => this.window.evaluate(script).catch(() => undefined);
  }

  async #use(role: Role, name: string, act: (element: PageElement) => Promise<void>): Promise<void> {
    const attempt = async () => {
      // The page may be on its way to the next one.
      const element = await this.window.find(role, name).catch(() => undefined);
      if (!element) return false;
      try {
        await act(element);
        return true;
      } catch (error) {
        const { message } = error as Error;
        // WebKit's driver says this of a press that leads to another page.
        if (message.includes('before the unload event')) return true;
        if (NOT_YET.test(message)) return false;
        throw error;
      }
    };
    await expect.poll(attempt, { message: `the ${role} “${name}”` }).toBe(true);
  }
}
