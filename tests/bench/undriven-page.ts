/**
 * A Chromium page without a driver's code. Playwright adds a second world beside each page's own, and the page's own
 * thread reports every request and console line to it: on a four times slower processor, a fifth of the time until a
 * form appears was work for the driver, which visitors don't have.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright';

const SIZE = { width: 1280, height: 900 };

/** Milliseconds between two polls of the browser's processor time, and the longest wait. */
const POLL = 100;
const LOOKS_END = 30_000;
/** The system counts processor time in steps of this many seconds; a smaller change means rest. */
const REST = 0.01;
/** Number of resting polls in a row. */
const RESTING = 2;

export interface Cookie {
  name: string;
  value: string;
  domain: string;
  path: string;
}

/** Messages of the DevTools protocol pass through as text, so Playwright's types don't apply. */
type Message = Record<string, unknown>;

export class UndrivenPage {
  readonly #browser: CDPSession;
  readonly #context: string;
  readonly #session: string;
  readonly #answers = new Map<number, (answer: { result?: Message; error?: { message: string } }) => void>();
  #asked = 0;
  #navigated = () => {};

  private constructor(browser: CDPSession, context: string, session: string) {
    this.#browser = browser;
    this.#context = context;
    this.#session = session;
    browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
      if (sessionId !== session) return;
      const said = JSON.parse(message);
      if (said.method === 'Page.frameNavigated') this.#navigated();
      this.#answers.get(said.id)?.(said);
      this.#answers.delete(said.id);
    });
  }

  /** Opens an empty, focused page in its own browser context. */
  static async open(browser: Browser, cookies: readonly Cookie[] = []): Promise<UndrivenPage> {
    const cdp = await browser.newBrowserCDPSession();
    const { browserContextId } = await cdp.send('Target.createBrowserContext');
    await cdp.send('Storage.setCookies', { browserContextId, cookies: [...cookies] });
    const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId, ...SIZE });
    // A "flat" session's messages would reach the driver, which doesn't know this page.
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
    const page = new UndrivenPage(cdp, browserContextId, sessionId);
    await page.send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false });
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.send('Page.enable');
    return page;
  }

  /** @throws {Error} the browser's error message */
  async send(method: string, params: Message = {}): Promise<Message> {
    this.#asked += 1;
    const id = this.#asked;
    const answered = new Promise<{ result?: Message; error?: { message: string } }>((resolve) => {
      this.#answers.set(id, resolve);
    });
    const message = JSON.stringify({ id, method, params });
    await this.#browser.send('Target.sendMessageToTarget', { sessionId: this.#session, message });
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Runs `work` in the page; returns its awaited result. */
  async evaluate<Result, Argument = undefined>(
    work: (argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Awaited<Result>> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression: `(${work})(${JSON.stringify(argument)})`,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: Awaited<Result> }; exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new Error(`In the page: ${exceptionDetails.text}`);
    return result.value;
  }

  /** Goes to `url`; resolves once the page has its document. */
  async go(url: string): Promise<void> {
    const there = new Promise<void>((resolve) => {
      this.#navigated = resolve;
    });
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await there;
  }

  /**
   * Resolves when the browser has finished its own work. A new window loads parts of the browser's interface (the
   * address bar's list is an app of a hundred modules), which occupies both of two processors for a second; a visitor
   * who follows a link already has an open window. @throws {Error} if the browser isn't at rest within 30 s
   */
  async atRest(): Promise<void> {
    const end = performance.now() + LOOKS_END;
    let before = await this.#processorTime();
    for (let resting = 0; resting < RESTING; ) {
      if (performance.now() > end) throw new Error('The browser does not come to rest: close what else runs in it.');
      await wait(POLL);
      const now = await this.#processorTime();
      resting = now - before > REST ? 0 : resting + 1;
      before = now;
    }
  }

  /** Returns the processor seconds of all the browser's processes. */
  async #processorTime(): Promise<number> {
    const { processInfo } = await this.#browser.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  }

  /** Runs `work` in each new document before its own scripts. */
  async atStart(work: () => void): Promise<void> {
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${work})()` });
  }

  /** Scrolls to the middle one of the matching elements and clicks it. */
  async clickMiddleOne(selector: string): Promise<void> {
    const { x, y } = await this.evaluate((wanted) => {
      const all = document.querySelectorAll(wanted);
      const element = all[Math.floor(all.length / 2)];
      if (!element) throw new Error(`Nothing is ${wanted}.`);
      element.scrollIntoView({ block: 'center' });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, selector);
    const mouse = { x, y, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { ...mouse, type: 'mousePressed' });
    await this.send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseReleased' });
  }

  async press(letter: string): Promise<void> {
    const upper = letter.toUpperCase();
    const key = {
      key: letter,
      code: letter === ' ' ? 'Space' : `Key${upper}`,
      windowsVirtualKeyCode: upper.charCodeAt(0),
    };
    await this.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text: letter });
    await this.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' });
  }

  async close(): Promise<void> {
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#context });
    await this.#browser.detach();
  }
}
