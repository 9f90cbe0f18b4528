/**
 * `npm run backup -- [FILE|FOLDER|-] [--keep 7d,4w,12m] [--check]`: everything that the site is in one zip file, while it runs. In a
 * folder the file has the time in its name, and `--keep` deletes older ones there. `--check` proves it as `restore --check` does;
 * one that is not good is put aside in place of the last such, and nothing else is deleted. With a real Appwrite its data are
 * fetched and become those of an embedded backend, which is what the file holds.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isDiskFull } from 'embedded-appwrite';
import { countsOf, takeCopy } from 'embedded-appwrite/backup';
import { noteMade } from '#operations/backup/backup-record.ts';
import type { Manifest } from '#operations/backup/manifest.ts';
import { backupName, badOf, isBad, parseKeep, toPrune } from '#operations/backup/prune.ts';
import {
  BACKEND,
  type BackupSource,
  partialOf,
  writeBackup,
  writeBackupFile,
} from '#operations/backup/write-backup.ts';
import { readConfiguration } from '#server/configuration.ts';
import { prepareDataDirectory } from '#server/data-directory.ts';
import packageFile from '../package.json' with { type: 'json' };
import { checkBackup, tellReport } from './backup/check-backup.ts';
import { copyRemote } from './backup/copy-remote.ts';

const USAGE = `Usage: npm run backup -- [FILE|FOLDER|-] [--keep 7d,4w,12m] [--check]
Without a file the backup goes into this folder; - is the standard output. BACKUP_PASSPHRASE encrypts the server key.`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { keep: { type: 'string' }, check: { type: 'boolean', default: false } },
    });
    const [target = '.', ...more] = positionals;
    if (more.length > 0) fail(USAGE);
    if (values.check && target === '-') fail('--check needs a file.');
    return { target, check: values.check, keep: values.keep === undefined ? undefined : parseKeep(values.keep) };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

const { target, check, keep } = options();
const configuration = readConfiguration();
const { dataDirectory, appwrite } = configuration;
const directory = join(dataDirectory, BACKEND);
if (appwrite.endpoint) prepareDataDirectory(dataDirectory);
else if (!existsSync(directory)) fail(`There are no data in ${dataDirectory}. Set DATA_DIR as for the server.`);

const source: BackupSource = {
  dataDirectory,
  release: packageFile.version,
  takeCopy: (copy) => (appwrite.endpoint ? copyRemote(configuration, copy) : takeCopy(directory, copy)),
  countsOf,
  isDiskFull,
  passphrase: process.env.BACKUP_PASSPHRASE,
};
const summary = ({ counts, members }: Manifest): string =>
  `${counts.documents} documents, ${counts.users} accounts and ${counts.files} files; ${members.reduce((sum, { bytes }) => sum + bytes, 0)} bytes`;

/** Tells what the check found, or why there was none. */
async function isGood(file: string): Promise<boolean> {
  try {
    return tellReport(await checkBackup(file, configuration, { mayBuild: false }));
  } catch (error) {
    const why = isDiskFull(error)
      ? `there is no room in ${tmpdir()} for a copy of it. Set TMPDIR to a folder that has.`
      : `${error instanceof Error ? error.message : error}`;
    console.error(`The backup could not be checked: ${why}`);
    return false;
  }
}

try {
  const begun = performance.now();
  if (target === '-') {
    await writeBackup(source, process.stdout);
  } else {
    const isFolder = existsSync(target) && statSync(target).isDirectory();
    const file = resolve(isFolder ? join(target, backupName(new Date())) : target);
    // Until it is found good, a file of that name stays.
    const written = check && !isFolder ? `${file}.new` : file;
    // Whoever ends this leaves nothing behind: a server that checks the backup ends with this process.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        rmSync(partialOf(written), { force: true });
        if (written !== file) rmSync(written, { force: true });
        process.exit(1);
      });
    }
    const manifest = await writeBackupFile(source, written);
    console.log(`${file}: ${summary(manifest)}, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    if (check && !(await isGood(written))) {
      await rename(written, badOf(file));
      // One is enough to see what is wrong: a site whose backups are all bad would fill its disk.
      const others = isFolder
        ? (await readdir(target)).filter((name) => isBad(name) && name !== basename(badOf(file)))
        : [];
      for (const name of others) await rm(join(target, name));
      fail(`It is kept as ${badOf(file)}, and no older backup was deleted.`);
    }
    if (written !== file) await rename(written, file);
    try {
      noteMade(dataDirectory, { made: manifest.made, file, bytes: statSync(file).size });
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      console.error(
        `The disk of ${dataDirectory} is full: the doctor will not know of this backup. Free some space there.`,
      );
    }
    if (keep && isFolder) {
      for (const name of toPrune(await readdir(target), keep)) {
        await rm(join(target, name));
        console.log(`${name}: deleted, as --keep says.`);
      }
    }
  }
} catch (error) {
  if (isDiskFull(error))
    fail('The disk is full: there is no room for a backup, or for its copy of the database. Nothing is left of it.');
  fail(error instanceof Error ? error.message : `${error}`);
}
