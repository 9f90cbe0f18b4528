/**
 * `npm run upgrade -- [--to REF] [--restart COMMAND] [--watch 60]`: a backup, the new release from git beside the old one, tried on
 * a copy of the data, then the change, which is taken back when the server is not well. `npm run rollback` takes it back later. What is cut off
 * at any step is settled by the next command or start: docs/decisions/020-upgrade.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MIGRATIONS } from 'embedded-appwrite';
import { backupName } from '#operations/backup/prune.ts';
import { BACKEND } from '#operations/backup/write-backup.ts';
import { upgrade } from '#operations/upgrade/upgrade.ts';
import { readConfiguration } from '#server/configuration.ts';
import { folderOf, git, type Journal, placeRelease, readJournal, writeJournal } from './upgrade/places.mjs';
import { commitOf, discardReleases, prepareRelease, ROOT, requireAlone, requireUnchanged } from './upgrade/releases.ts';
import { doctorsFindings, pidOf, startServer, stopServer, watchServer } from './upgrade/server.ts';
import { finishTakingBack } from './upgrade/taking-back.ts';

const USAGE = `Usage: npm run upgrade -- [--to REF] [--restart COMMAND] [--watch SECONDS]
       npm run rollback -- [--restart COMMAND]
--to       a tag, a branch or a commit; without it what the branch follows
--restart  starts the server anew, such as "systemctl restart common-ink"; without it a server that runs is ended and started`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        restart: { type: 'string' },
        watch: { type: 'string', default: '60' },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

const { values, positionals } = options();
const isRollback = positionals[0] === 'rollback';
const seconds = Number(values.watch);
if (positionals.length > (isRollback ? 1 : 0) || !(seconds >= 0)) fail(USAGE);
const configuration = readConfiguration();
const { dataDirectory, appwrite, publishing, ownAddress, backups } = configuration;
const backend = join(dataDirectory, BACKEND);
const lockFolder = appwrite.endpoint ? publishing.directory : backend;
const isRunning = pidOf(lockFolder) !== undefined;

/** Runs a command of a checkout. @throws Error with what it said. */
function command(root: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(-2000).trim());
}

let hasEnded = () => false;

/** With a supervisor's command the server is ended by that; what is below it changes first. */
async function change(prepared: Journal): Promise<void> {
  const journal: Journal = { ...prepared, state: 'changing' };
  writeJournal(ROOT, journal);
  if (isRunning && !values.restart) await stopServer(lockFolder);
  placeRelease(ROOT, journal, 'to');
  writeJournal(ROOT, { ...journal, state: 'watching' });
  if (isRunning) hasEnded = startServer(values.restart);
}

/** The server ends before: the data may have to change as well. */
async function takeBack(changed: Journal): Promise<void> {
  const journal: Journal = { ...changed, state: 'taking back', pid: process.pid };
  writeJournal(ROOT, journal);
  await stopServer(lockFolder);
  placeRelease(ROOT, journal, 'from');
  writeJournal(ROOT, { ...journal, state: 'putting data back' });
  finishTakingBack(configuration);
  if (isRunning) hasEnded = startServer(values.restart);
}

try {
  requireAlone();
  finishTakingBack(configuration);
  requireUnchanged();
  const last = readJournal(ROOT);
  const isChanged = last?.state === 'done' || last?.state === 'watching';
  if (isRollback) {
    if (!last || !isChanged) fail('There is no upgrade that could be taken back.');
    await takeBack(last);
    console.log(`The release ${git(ROOT, 'rev-parse', '--short', 'HEAD')} is back.`);
    process.exit();
  }
  if (git(ROOT, 'remote')) git(ROOT, 'fetch', '--tags', '--quiet');
  const commit = commitOf(values.to ?? '@{upstream}');
  if (commit === commitOf('HEAD')) {
    console.log('This is that release already.');
    process.exit();
  }
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  const before = isRunning ? doctorsFindings(process.env) : [];
  const watch = { address: ownAddress, known: before, environment: process.env };
  const directory = backups?.directory ?? `${dataDirectory}-backups`;
  let journal: Journal | undefined;
  const prepared = (): Journal => journal ?? fail('No release is prepared.');
  const outcome = await upgrade(
    {
      async backUp() {
        const file = join(directory, backupName(new Date()));
        if (appwrite.endpoint) return '';
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        command(ROOT, 'scripts/backup.ts', file);
        console.log(file);
        return file;
      },
      prepare: async () => {
        journal = prepareRelease(commit, known, process.env);
      },
      rehearse: async (file) => {
        if (file) command(folderOf(ROOT, prepared(), 'to'), 'scripts/restore.ts', file, '--check');
      },
      change: () => change(prepared()),
      watch: async () => (isRunning ? watchServer({ ...watch, hasEnded, seconds }) : undefined),
      async takeBack() {
        await takeBack(prepared());
        if (isRunning) await watchServer({ ...watch, hasEnded, seconds: 0 });
      },
      discard: async () => discardReleases(),
    },
    (what) => console.log(what),
  );
  if (outcome.kind === 'upgraded') {
    writeJournal(ROOT, { ...prepared(), state: 'done' });
    console.log(
      `The release is ${git(ROOT, 'rev-parse', '--short', 'HEAD')}; npm run rollback brings the former one back.`,
    );
  } else if (outcome.kind === 'refused') fail(`${outcome.why}\nNothing was changed.`);
  else fail(`${outcome.why}\nThe former release is back.`);
} catch (error) {
  fail(error instanceof Error ? error.message : `${error}`);
}
