import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { backupName } from '#operations/backup/prune.ts';
import { chooseVersion, isVersion, majorOf, notesBetween } from '#operations/upgrade/versions.ts';
import type { Configuration } from '#server/configuration.ts';
import { availableVersions, INSTALLED, npm } from './available.ts';
import { ROOT } from './releases.ts';

/** Runs a command of the installed version. @throws OperatorError with its output if it fails */
function command(name: string, ...args: readonly string[]): void {
  const script = join(ROOT, 'scripts', `${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new OperatorError(`${stdout}${stderr}`.slice(-2000).trim());
}

/**
 * Upgrades a site that depends on the npm package: backs up, installs the version `to`, by default the newest, and
 * tries it on a copy of the data. Reinstalls the former version if that fails.
 */
export function upgradeByVersion(
  { appwrite, backups, dataDirectory }: Configuration,
  { to, major }: { readonly to: string | undefined; readonly major: boolean },
): void {
  const { version, nextMajor } = chooseVersion(to ? [to] : availableVersions(), INSTALLED, major);
  if (to && !isVersion(to)) throw new OperatorError(`“${to}” is not a version such as 1.2.3.`);
  if (!version) {
    if (to && nextMajor) throw new OperatorError(refusal(nextMajor));
    console.log(`${INSTALLED} is the newest release.${nextMajor ? ` ${refusal(nextMajor)}` : ''}`);
    return;
  }
  let backup = '';
  if (!appwrite.endpoint) {
    const directory = backups?.directory ?? `${dataDirectory}-backups`;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    backup = join(directory, backupName(new Date()));
    console.log('Backing up …');
    command('backup', backup);
    console.log(backup);
  }
  console.log(`Installing ${version} …`);
  npm('install', '--save-exact', '--no-audit', '--no-fund', `common-ink@${version}`);
  try {
    if (backup) {
      console.log('Trying the new release on a copy of the data …');
      command('restore', backup, '--check');
    }
  } catch (error) {
    npm('install', '--save-exact', '--no-audit', '--no-fund', `common-ink@${INSTALLED}`);
    throw new OperatorError(`${(error as Error).message}\n${INSTALLED} is installed again. Nothing was changed.`);
  }
  console.log(`\n${notesBetween(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), INSTALLED, version)}\n`);
  console.log(`${version} is installed. Restart the server. To go back, stop the server and run
npm install --save-exact common-ink@${INSTALLED}`);
  if (backup)
    console.log(`If ${INSTALLED} then says that the data is newer, also run npm run restore -- ${backup} --force.
It keeps what was written after the upgrade in another folder.`);
  if (nextMajor) console.log(refusal(nextMajor));
}

/** What to say about a release with a higher major version. */
export const refusal = (version: string): string =>
  `${version} is a new major version. Read its notes, then run npm run upgrade -- --major for version ${majorOf(version)}.`;
