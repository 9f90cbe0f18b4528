import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/** The headless shell comes first, because it uses a sixth less CPU time than full Chromium. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Features that Playwright disables, repeated here because Chromium reads only the last `--disable-features`. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
/** Features whose popups and spare processes would cost a visible browser more CPU time than the pages themselves. */
const OFF_IN_WINDOWS = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
];

export const BROWSER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...OFF_IN_WINDOWS].join(',')}`,
];

function find(): string | undefined {
  const own = process.env.CHROMIUM_PATH;
  if (own) return existsSync(own) ? own : undefined;
  return [...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));
}

/** Seconds to wait while another process holds the package manager's lock. */
const LOCK_WAIT = 600;

/** Refreshes Debian's package lists. Unlike `apt-get install`, `apt-get update` cannot wait for the lock itself. */
function updateLists(): void {
  for (const end = Date.now() + LOCK_WAIT * 1000; ; spawnSync('sleep', ['2'])) {
    const { stderr } = spawnSync('apt-get', ['update'], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    if (!/could not get lock/i.test(stderr ?? '') || Date.now() > end) return;
  }
}

export function installPackages(browser: string, packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${browser} for the tests …`);
  updateLists();
  const args = ['-o', `DPkg::Lock::Timeout=${LOCK_WAIT}`, 'install', '-y', ...packages];
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

/** Returns the path of Chromium, installing it first if necessary. @throws Error that says how to install it */
export function browserPath(): string {
  const found = find() ?? (PACKAGES.some((name) => installPackages('Chromium', [name])) ? find() : undefined);
  if (found) return found;
  throw new Error(
    'No Chromium was found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROMIUM_PATH.',
  );
}
