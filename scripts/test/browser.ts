/** Finds a Chromium for the end-to-end tests, or installs Debian's where this user may. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

function find(): string | undefined {
  const own = process.env.CHROMIUM_PATH;
  if (own) return existsSync(own) ? own : undefined;
  return [...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));
}

/**
 * The path of a Chromium.
 * @throws Error saying how to get one when there is none and none could be installed.
 */
export function browserPath(): string {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the end-to-end tests …');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const installed = find();
  if (installed) return installed;
  throw new Error(
    'No Chromium was found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROMIUM_PATH.',
  );
}
