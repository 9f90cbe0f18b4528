/** Starts a browser with a lasting profile; a test can kill all its processes at once, as a power cut does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium, type LaunchOptions } from 'playwright/test';

export interface KillableBrowser {
  readonly context: BrowserContext;
  /** Sends SIGKILL to all its processes; resolves when they are gone. */
  kill(): Promise<void>;
}

/** Starts the tests' browser on the folder `profile`. */
export async function killableBrowser(profile: string, options: LaunchOptions = {}): Promise<KillableBrowser> {
  const { executablePath = '', args = [] } = options;
  const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--password-store=basic'];
  const child = spawn(executablePath, [...args, ...own, 'about:blank'], {
    // Starts a process group, so that all processes can be killed.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The browser ended:\n${output}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (!context || child.pid === undefined) throw new Error('The browser has no window.');
  const group = -child.pid;
  const kill = async () => {
    const ended = once(child, 'exit');
    process.kill(group, 'SIGKILL');
    await ended;
  };
  return { context, kill };
}
