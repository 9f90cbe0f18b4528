/**
 * Drives WebKitGTK through WebDriver (https://www.w3.org/TR/webdriver2/), because its driver does not support BiDi. The
 * journey needs only a dozen calls, so no client library is installed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@common-ink/http/free-port.ts';
import { z } from 'zod';
import { type BrowserWindow, elementNamed, type PageElement } from './window.ts';

/** The key under which WebDriver returns an element (section 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const answer = z.object({ value: z.unknown() });
const fault = z.object({ error: z.string(), message: z.string() });
const reference = z.object({ [ELEMENT]: z.string() });

/** In milliseconds, like `PATIENCE` in `puppeteer-window.ts`, but shorter than the 300 s after which `fetch` fails. */
const TIMEOUTS = { pageLoad: 240_000, script: 240_000 };

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Starts the driver and a browser on a virtual screen. */
export async function webdriverWindow(driver: string): Promise<BrowserWindow> {
  const port = await freePort();
  const screen = ['--auto-servernum', '--server-args=-screen 0 1600x1200x24'];
  // Starts a process group, so that one signal ends the screen, the driver and the browser.
  const child = spawn('xvfb-run', [...screen, driver, `--port=${port}`], { stdio: 'ignore', detached: true });
  const call = caller(`http://127.0.0.1:${port}`);
  try {
    await answering(call, child);
    const session = z.object({ sessionId: z.string() }).parse(
      await call('POST', '/session', {
        capabilities: { alwaysMatch: { unhandledPromptBehavior: 'accept', timeouts: TIMEOUTS } },
      }),
    );
    return windowOf(caller(`http://127.0.0.1:${port}/session/${session.sessionId}`), () => end(child));
  } catch (error) {
    await end(child);
    throw error;
  }
}

function windowOf(call: Call, end: () => Promise<void>): BrowserWindow {
  const run = (script: (...given: never[]) => unknown, given: readonly unknown[]) =>
    call('POST', '/execute/sync', { script: `return (${script}).apply(null, arguments);`, args: given });
  return {
    open: async (address) => void (await call('POST', '/url', { url: address })),
    reload: async () => void (await call('POST', '/refresh', {})),
    address: async () => z.string().parse(await call('GET', '/url')),
    evaluate: (script) => run(script, []) as Promise<never>,
    find: async (role, name) => {
      const found = await run(elementNamed, [role, name]);
      return found ? elementOf(call, reference.parse(found)[ELEMENT]) : undefined;
    },
    resize: async (width, height) => {
      // Resizes the window once to measure the browser's bars, then again with their width and height added.
      await call('POST', '/window/rect', { width, height });
      const [wide, high] = z
        .tuple([z.number(), z.number()])
        .parse(await run(() => [window.innerWidth, window.innerHeight], []));
      await call('POST', '/window/rect', { width: 2 * width - wide, height: 2 * height - high });
    },
    close: async () => {
      await call('DELETE', '');
      await end();
    },
  };
}

function elementOf(call: Call, id: string): PageElement {
  const type = async (text: string) => void (await call('POST', `/element/${id}/value`, { text }));
  return { click: async () => void (await call('POST', `/element/${id}/click`, {})), type, choose: type };
}

function caller(base: string): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = answer.parse(await response.json());
    if (response.ok) return value;
    const { error, message } = fault.parse(value);
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
}

async function answering(call: Call, child: ChildProcess): Promise<void> {
  for (const late = Date.now() + 240_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (child.exitCode !== null) throw new Error(`The driver of WebKit ended with code ${child.exitCode}.`);
    const status = await call('GET', '/status').catch((error: unknown) => error);
    if (!(status instanceof Error)) return;
    if (Date.now() > late) throw status;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
