/**
 * `npm run backup -- [FILE|FOLDER|-] [--keep 7d,4w,12m] [--check]`: writes the whole site to one zip file while it
 * runs, with either backend. In a FOLDER, the file is named after the time, and `--keep` deletes older backups.
 * `--check` checks the file like `restore --check`; a bad file replaces the previous bad one, and no good backup is
 * deleted.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isDiskFull } from 'embedded-appwrite';
import { countsOf, takeCopy } from 'embedded-appwrite/backup';
import { move } from '#backend/move/move.ts';
import { OperatorError } from '#blog/errors.ts';
import { noteMade } from '#operations/backup/backup-record.ts';
import type { Manifest } from '#operations/backup/manifest.ts';
import { backupName, badOf, isBad, type Keep, parseKeep, toPrune } from '#operations/backup/prune.ts';
import {
  BACKEND,
  type BackupSource,
  partialOf,
  writeBackup,
  writeBackupFile,
} from '#operations/backup/write-backup.ts';
import { withBackendIn } from '#server/backend/embedded.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { prepareDataDirectory } from '#server/data-directory.ts';
import packageFile from '../package.json' with { type: 'json' };
import { checkBackup, tellReport } from './backup/check-backup.ts';
import { FLAG, readArguments, runCommand, sentenceOf, TEXT } from './command.ts';

const USAGE = `Usage: npm run backup -- [FILE|FOLDER|-] [--keep 7d,4w,12m] [--check]
Without FILE or FOLDER, the backup is written to the current folder; - writes it to standard output.
BACKUP_PASSPHRASE encrypts the server key.`;

function sourceOf(configuration: Configuration): BackupSource {
  const { dataDirectory, appwrite } = configuration;
  const directory = join(dataDirectory, BACKEND);
  if (appwrite.endpoint) prepareDataDirectory(dataDirectory);
  else if (!existsSync(directory))
    throw new OperatorError(`There is no data in ${dataDirectory}. Set DATA_DIR to the server’s data folder.`);
  return {
    dataDirectory,
    release: packageFile.version,
    takeCopy: (copy) => (appwrite.endpoint ? copyRemote(configuration, copy) : takeCopy(directory, copy)),
    countsOf,
    passphrase: process.env.BACKUP_PASSPHRASE,
  };
}

/** Copies a remote Appwrite's data to `target`. @throws OperatorError naming each item that could not be copied */
async function copyRemote(configuration: Configuration, target: string): Promise<void> {
  const { appwrite, siteUrl } = configuration;
  const { serverEndpoint: endpoint, apiKey } = appwrite;
  if (!apiKey)
    throw new OperatorError(
      'APPWRITE_API_KEY is not set. Create a server key in the Appwrite console and set it here.',
    );
  const fetched = `${target}.fetched`;
  const ownKey = randomBytes(32).toString('hex');
  const { report, differences } = await withBackendIn(configuration, fetched, ownKey, (own) =>
    move(
      { ...appwrite, endpoint, apiKey },
      { ...appwrite, ...own },
      { dryRun: false, host: new URL(siteUrl).hostname, onProgress: () => {} },
    ),
  );
  const failed = [...Object.values(report).flatMap((stage) => stage.failed), ...differences];
  if (failed.length > 0) throw new OperatorError(`Some data could not be fetched:\n${failed.join('\n')}`);
  await takeCopy(fetched, target);
}

const summary = ({ counts, members }: Manifest): string =>
  `${counts.documents} documents, ${counts.users} accounts and ${counts.files} files; ${members.reduce((sum, { bytes }) => sum + bytes, 0)} bytes`;

async function isGood(file: string, configuration: Configuration): Promise<boolean> {
  try {
    return tellReport(await checkBackup(file, configuration, { mayBuild: false }));
  } catch (error) {
    const why = isDiskFull(error)
      ? `there is not enough space in ${tmpdir()} for a copy of it. Set TMPDIR to a folder with more space.`
      : sentenceOf(error);
    console.error(`The backup could not be checked: ${why}`);
    return false;
  }
}

async function backUp(
  target: string,
  check: boolean,
  keep: Keep | undefined,
  configuration: Configuration,
): Promise<void> {
  const source = sourceOf(configuration);
  const { dataDirectory } = configuration;
  if (target === '-') return void (await writeBackup(source, process.stdout));
  const begun = performance.now();
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const file = resolve(isFolder ? join(target, backupName(new Date())) : target);
  // With `--check`, a new file replaces an existing one of the same name only after it has passed the check.
  const written = check && !isFolder ? `${file}.new` : file;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(partialOf(written), { force: true });
      if (written !== file) rmSync(written, { force: true });
      process.exit(1);
    });
  }
  const manifest = await writeBackupFile(source, written);
  console.log(`${file}: ${summary(manifest)}, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  if (check && !(await isGood(written, configuration))) {
    await rename(written, badOf(file));
    // Keeps only the latest bad backup, which is enough to find the problem. More of them would fill the disk.
    for (const name of isFolder ? await readdir(target) : [])
      if (isBad(name) && name !== basename(badOf(file))) await rm(join(target, name));
    throw new OperatorError(`The bad backup was kept as ${badOf(file)}, and no older backup was deleted.`);
  }
  if (written !== file) await rename(written, file);
  try {
    noteMade(dataDirectory, { made: manifest.made, file, bytes: statSync(file).size });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    console.error(
      `The disk with ${dataDirectory} is full, so the doctor will not know about this backup. Free some space there.`,
    );
  }
  if (!keep || !isFolder) return;
  for (const name of toPrune(await readdir(target), keep)) {
    await rm(join(target, name));
    console.log(`${name}: deleted because of --keep.`);
  }
}

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { keep: TEXT, check: FLAG }, 1);
  const [target = '.'] = positionals;
  if (values.check && target === '-') throw new OperatorError('--check needs a file.');
  const keep = values.keep === undefined ? undefined : parseKeep(values.keep);
  await backUp(target, values.check, keep, readConfiguration()).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error;
    throw new OperatorError(
      'The disk is full: there is not enough space for the backup or for the copy of the database that it needs. The unfinished backup was deleted.',
    );
  });
});
