import { existsSync } from 'node:fs';
import { installPackages } from './browser.ts';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof ENGINES)[number];

const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
/** Provides a virtual screen for WebKitGTK's browser, which has no headless mode. */
const XVFB = '/usr/bin/xvfb-run';

export const firefoxPath = (): string | undefined => ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

export const webkitDriverPath = (): string | undefined =>
  [WEBKIT_DRIVER, XVFB].every(existsSync) ? WEBKIT_DRIVER : undefined;

const OTHERS = [
  { engine: 'firefox', find: firefoxPath, packages: ['firefox-esr'] },
  { engine: 'webkit', find: webkitDriverPath, packages: ['webkit2gtk-driver', 'xvfb'] },
] as const;

export function installedEngines(): { readonly engines: readonly Engine[]; readonly missing: readonly string[] } {
  const engines: Engine[] = ['chromium'];
  const missing: string[] = [];
  for (const { engine, find, packages } of OTHERS) {
    if (!find()) installPackages(engine, packages);
    if (find()) engines.push(engine);
    else missing.push(`Skipping the journey in ${engine}. To run it on Debian: apt-get install ${packages.join(' ')}`);
  }
  return { engines, missing };
}
