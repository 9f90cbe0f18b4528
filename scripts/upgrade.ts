/**
 * `npm run upgrade -- [--to REF] [--major] [--restart COMMAND] [--watch 60]`: makes a backup, builds the new release
 * from git beside the old one, tries it on a copy of the data, switches to it, and switches back if the server is
 * unhealthy. In a folder created by `npm create common-ink`, it installs the newer version instead.
 * `npm run rollback` switches back later. If a switch is interrupted, the next command or start restores the old
 * release (docs/decisions/020-upgrade.md).
 */
import { join } from 'node:path';
import { MIGRATIONS } from 'embedded-appwrite';
import { OperatorError } from '#blog/errors.ts';
import { BACKEND } from '#operations/backup/write-backup.ts';
import { upgrade } from '#operations/upgrade/upgrade.ts';
import { chooseVersion, isVersion, majorOf, notesBetween } from '#operations/upgrade/versions.ts';
import { readConfiguration } from '#server/configuration.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';
import { availableVersions, INSTALLED, IS_CHECKOUT, refusal } from './upgrade/available.ts';
import { backUp, runIn } from './upgrade/back-up.ts';
import { upgradeByVersion } from './upgrade/by-version.ts';
import { folderOf, git, type Journal, placeRelease, readJournal, writeJournal } from './upgrade/places.mjs';
import { commitOf, discardReleases, prepareRelease, ROOT, requireAlone, requireUnchanged } from './upgrade/releases.ts';
import { doctorsFindings, pidOf, startServer, stopServer, watchServer } from './upgrade/server.ts';
import { finishTakingBack } from './upgrade/taking-back.ts';

const USAGE = `Usage: npm run upgrade -- [--to REF] [--major] [--restart COMMAND] [--watch SECONDS]
       npm run rollback -- [--restart COMMAND]
--to       a tag, a branch or a commit (default: the newest release)
--major    allows a new major version, whose notes say what to do first
--restart  the command that restarts the server, such as "systemctl restart common-ink" (default: a running server is stopped and started)
--watch    how many seconds to watch the new release before the upgrade counts as successful (default: 60)`;

const shortCommit = (): string => git(ROOT, 'rev-parse', '--short', 'HEAD');

const versionOf = (commit: string): string => JSON.parse(git(ROOT, 'show', `${commit}:package.json`)).version;

/**
 * Returns the commit to upgrade to, by default that of the newest release or, without releases, the branch's upstream.
 * Returns undefined if that commit is already installed.
 * @throws OperatorError for a new major version that is not allowed
 */
function chooseCommit(to: string | undefined, mayBeMajor: boolean): string | undefined {
  const versions = to ? [] : availableVersions().filter(isVersion);
  const { version, nextMajor } = chooseVersion(versions, INSTALLED, mayBeMajor);
  if (nextMajor) console.log(refusal(nextMajor));
  if (!version && versions.length > 0) return undefined;
  const commit = commitOf(to ?? (version ? `v${version}` : '@{upstream}'));
  if (!mayBeMajor && majorOf(versionOf(commit)) > majorOf(INSTALLED))
    throw new OperatorError(refusal(versionOf(commit)));
  return commit === commitOf('HEAD') ? undefined : commit;
}

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { to: TEXT, major: FLAG, restart: TEXT, watch: TEXT }, 1);
  const isRollback = positionals[0] === 'rollback';
  const seconds = Number(values.watch ?? 60);
  if (positionals.length > (isRollback ? 1 : 0) || !(seconds >= 0)) throw new OperatorError(USAGE);
  const configuration = readConfiguration();
  if (!IS_CHECKOUT) return upgradeByVersion(configuration, values.to, values.major);
  const { dataDirectory, appwrite, publishing, ownAddress } = configuration;
  const lockFolder = appwrite.endpoint ? publishing.directory : join(dataDirectory, BACKEND);
  const isRunning = pidOf(lockFolder) !== undefined;
  let hasEnded = () => false;

  /** Switches to the new release. A restart command, if given, must stop the old server itself. */
  async function change(prepared: Journal): Promise<void> {
    const journal: Journal = { ...prepared, state: 'changing' };
    writeJournal(ROOT, journal);
    if (isRunning && !values.restart) await stopServer(lockFolder);
    placeRelease(ROOT, journal, 'to');
    writeJournal(ROOT, { ...journal, state: 'watching' });
    if (isRunning) hasEnded = startServer(values.restart);
  }

  /** Switches back. Always stops the server first, because the previous data may have to be restored too. */
  async function takeBack(changed: Journal): Promise<void> {
    const journal: Journal = { ...changed, state: 'taking back', pid: process.pid };
    writeJournal(ROOT, journal);
    await stopServer(lockFolder);
    placeRelease(ROOT, journal, 'from');
    writeJournal(ROOT, { ...journal, state: 'putting data back' });
    finishTakingBack(configuration);
    if (isRunning) hasEnded = startServer(values.restart);
  }

  requireAlone();
  finishTakingBack(configuration);
  requireUnchanged();
  if (isRollback) {
    const last = readJournal(ROOT);
    if (last?.state !== 'done' && last?.state !== 'watching')
      throw new OperatorError('There is no upgrade to roll back.');
    await takeBack(last);
    console.log(`Rolled back to release ${shortCommit()}.`);
    return;
  }
  if (git(ROOT, 'remote')) git(ROOT, 'fetch', '--tags', '--quiet');
  const commit = chooseCommit(values.to, values.major);
  if (!commit) {
    console.log('This release is already installed.');
    return;
  }
  const version = versionOf(commit);
  const notes = notesBetween(git(ROOT, 'show', `${commit}:CHANGELOG.md`), INSTALLED, version);
  if (notes) console.log(`${notes}\n`);
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  const before = isRunning ? doctorsFindings() : [];
  const outcome = await upgrade<Journal>(
    {
      backUp: async () => backUp(configuration),
      prepare: async () => prepareRelease(commit, known),
      rehearse: async (prepared, file) => {
        if (file) runIn(folderOf(ROOT, prepared, 'to'), 'restore', file, '--check');
      },
      change,
      watch: async () => (isRunning ? watchServer(ownAddress, hasEnded, seconds, before) : undefined),
      async takeBack(prepared) {
        await takeBack(prepared);
        if (isRunning) await watchServer(ownAddress, hasEnded, 0, before);
      },
      discard: async () => discardReleases(),
    },
    (what) => console.log(what),
  );
  if (outcome.kind === 'refused') throw new OperatorError(`${outcome.why}\nNothing was changed.`);
  if (outcome.kind === 'taken back') throw new OperatorError(`${outcome.why}\nThe previous release is back.`);
  writeJournal(ROOT, { ...outcome.release, state: 'done' });
  console.log(`Upgraded to release ${version} (${shortCommit()}). To go back, use npm run rollback.`);
});
process.exit();
