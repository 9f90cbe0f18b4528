import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { chooseVersion, isVersion, notesBetween } from '#operations/upgrade/versions.ts';
import type { Configuration } from '#server/configuration.ts';
import { availableVersions, INSTALLED, npm, refusal } from './available.ts';
import { backUp, runIn } from './back-up.ts';
import { ROOT } from './releases.ts';

const install = (version: string) => npm('install', '--save-exact', '--no-audit', '--no-fund', `common-ink@${version}`);

/**
 * Upgrades a site that depends on the npm package. Makes a backup, installs version `to` (default: the newest) and
 * tries it on a copy of the data. Reinstalls the old version if that fails.
 * @throws OperatorError for a version that is not newer, or a new major version that is not allowed
 */
export function upgradeByVersion(configuration: Configuration, to: string | undefined, mayBeMajor: boolean): void {
  if (to && !isVersion(to)) throw new OperatorError(`“${to}” is not a version such as 1.2.3.`);
  const { version, nextMajor } = chooseVersion(to ? [to] : availableVersions(), INSTALLED, mayBeMajor);
  if (!version) {
    if (to) throw new OperatorError(nextMajor ? refusal(nextMajor) : `${to} is not newer than ${INSTALLED}.`);
    console.log(`${INSTALLED} is the newest release.${nextMajor ? ` ${refusal(nextMajor)}` : ''}`);
    return;
  }
  console.log('Backing up …');
  const backup = backUp(configuration);
  console.log(`Installing ${version} …`);
  install(version);
  try {
    console.log('Trying the new release on a copy of the data …');
    if (backup) runIn(ROOT, 'restore', backup, '--check');
  } catch (error) {
    install(INSTALLED);
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
