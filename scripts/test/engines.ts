/** Finds or installs the journey's browsers besides Chromium. */
import { existsSync } from 'node:fs';
import { installPackages } from './browser.ts';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof ENGINES)[number];

const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
/** WebKitGTK's browser has no headless mode and needs a virtual screen. */
const XVFB = '/usr/bin/xvfb-run';

/** Returns the path of Firefox; undefined if it is not installed. */
export const firefoxPath = (): string | undefined => ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

/** Returns the path of WebKitGTK's driver; undefined if the driver or Xvfb is missing. */
export const webkitDriverPath = (): string | undefined =>
  [WEBKIT_DRIVER, XVFB].every(existsSync) ? WEBKIT_DRIVER : undefined;

const OTHERS = [
  { engine: 'firefox', find: firefoxPath, packages: ['firefox-esr'] },
  { engine: 'webkit', find: webkitDriverPath, packages: ['webkit2gtk-driver', 'xvfb'] },
] as const;

/** Returns the available browsers, and a sentence for each missing one. */
export function installedEngines(): { readonly engines: readonly Engine[]; readonly missing: readonly string[] } {
  const engines: Engine[] = ['chromium'];
  const missing: string[] = [];
  for (const { engine, find, packages } of OTHERS) {
    if (!find()) installPackages(engine, packages);
    if (find()) engines.push(engine);
    else missing.push(`The journey in ${engine} is skipped: Debian has it as ${packages.join(' and ')}.`);
  }
  return { engines, missing };
}
