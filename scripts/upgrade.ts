/**
 * `npm run upgrade -- [--to REF] [--restart COMMAND] [--watch 60]`: a backup, the new release from git beside the old one, tried on
 * a copy of the data, then the change, which is taken back when the server is not well. `npm run upgrade -- rollback` takes it
 * back later.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countsOf } from '#embedded/backup/check-copy.ts';
import { isCopy } from '#embedded/sqlite/migrate.ts';
import { MIGRATIONS } from '#embedded/sqlite/migrations.ts';
import { backupName } from '#operations/backup/prune.ts';
import { BACKEND } from '#operations/backup/write-backup.ts';
import { upgrade } from '#operations/upgrade/upgrade.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorsFindings, pidOf, startServer, stopServer, watchServer } from './upgrade/server.ts';
import {
  BESIDE,
  changePlaces,
  commitOf,
  discardBeside,
  git,
  prepareBeside,
  ROOT,
  requireUnchanged,
} from './upgrade/trees.ts';

const USAGE = `Usage: npm run upgrade -- [--to REF] [--restart COMMAND] [--watch SECONDS]
       npm run upgrade -- rollback [--restart COMMAND]
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
const database = join(backend, 'backend.sqlite');
const version = () => (appwrite.endpoint || !existsSync(database) ? 0 : countsOf(backend).version);
const isRunning = pidOf(lockFolder) !== undefined;

/** Runs a command of a checkout. @throws Error with what it said. */
function command(root: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(-2000).trim());
}

/** The data as they were before the newest release brought them to another version, where `known` is older. */
function putDataBack(known: number): void {
  if (version() <= known) return;
  const copies = readdirSync(backend).filter((name) => isCopy(name) && name.startsWith(`backend.v${known}.`));
  const copy = copies.toSorted().at(-1);
  if (!copy)
    throw new Error(`There is no copy of version ${known} in ${backend}: put the backup back by npm run restore.`);
  const aside = join(backend, `backend.v${version()}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.sqlite`);
  // A server that was cut off leaves a log, which belongs to its own database and would spoil another.
  for (const part of ['', '-wal', '-shm']) if (existsSync(database + part)) renameSync(database + part, aside + part);
  renameSync(join(backend, copy), database);
  console.log(`The data are those from before the upgrade. What was written since is in ${aside}.`);
}

let hasEnded = () => false;

/** With a supervisor's command the server is ended by that; what is below it changes first. */
async function exchange(known?: number): Promise<void> {
  if (isRunning && (!values.restart || known !== undefined)) await stopServer(lockFolder);
  changePlaces();
  if (known !== undefined) putDataBack(known);
  if (isRunning) hasEnded = startServer(values.restart);
}

try {
  requireUnchanged();
  if (isRollback) {
    if (!existsSync(BESIDE)) fail(`There is no former release beside this one (${BESIDE}).`);
    const { known } = JSON.parse(git(ROOT, 'config', '--get', 'common-ink.upgrade')) as { known: number };
    await exchange(known);
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
      prepare: async () => prepareBeside(commit, process.env),
      rehearse: async (file) => {
        if (file) command(BESIDE, 'scripts/restore.ts', file, '--check');
      },
      async change() {
        git(ROOT, 'config', 'common-ink.upgrade', JSON.stringify({ known }));
        await exchange();
      },
      watch: async () => (isRunning ? watchServer({ ...watch, hasEnded, seconds }) : undefined),
      async takeBack() {
        await exchange(known);
        if (isRunning) await watchServer({ ...watch, hasEnded, seconds: 0 });
      },
      discard: async () => discardBeside(),
    },
    (what) => console.log(what),
  );
  if (outcome.kind === 'upgraded')
    console.log(`The release is ${git(ROOT, 'rev-parse', '--short', 'HEAD')}; the former one is in ${BESIDE}.`);
  else if (outcome.kind === 'refused') fail(`${outcome.why}\nNothing was changed.`);
  else fail(`${outcome.why}\nThe former release is back.`);
} catch (error) {
  fail(error instanceof Error ? error.message : `${error}`);
}
