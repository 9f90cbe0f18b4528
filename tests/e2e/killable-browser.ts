import { chromium, type LaunchOptions } from 'playwright/test';
import { startProgram } from '../support/program.ts';
import { patient } from './site.ts';

/** Starts the tests' browser with a persistent profile. `kill` ends all its processes at once, as a power cut would. */
export async function killableBrowser(profile: string, { executablePath = '', args = [] }: LaunchOptions) {
  const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--password-store=basic'];
  // Starts a process group, so that all processes can be killed.
  const started = startProgram(executablePath, [...args, ...own, 'about:blank'], { detached: true });
  const { child, ended, said, until } = started;
  await Promise.race([until(/DevTools listening on ws:\S+\n/), ended]);
  const [, address] = /DevTools listening on (ws:\S+)/.exec(said()) ?? [];
  if (!address) throw new Error(`The browser ended:\n${said()}`);
  const browser = await chromium.connectOverCDP(address, { timeout: 0 });
  const [context] = browser.contexts();
  if (!context || child.pid === undefined) throw new Error('The browser has no window.');
  await patient(context);
  const group = -child.pid;
  const kill = async () => {
    process.kill(group, 'SIGKILL');
    await ended;
  };
  return { context, kill };
}
