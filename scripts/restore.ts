/**
 * `npm run restore -- FILE [--check] [--force]`: checks a backup and restores the data folder from it. `--check` starts
 * a server on a copy instead, reads everything, and deletes the copy.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { noteChecked, noteMade } from '#operations/backup/backup-record.ts';
import { faultsOf } from '#operations/backup/check-restore.ts';
import { restore } from '#operations/backup/restore.ts';
import { readConfiguration } from '#server/configuration.ts';
import { checkBackup, tellReport } from './backup/check-backup.ts';
import { FLAG, readArguments, runCommand } from './command.ts';

const USAGE = `Usage: npm run restore -- FILE [--check] [--force]
--check  checks that the backup can be restored, and changes nothing
--force  replaces existing data, which is kept in another folder`;

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { check: FLAG, force: FLAG }, 1);
  const [file] = positionals;
  if (!file) throw new OperatorError(USAGE);
  const configuration = readConfiguration();
  if (values.check) return tellReport(await checkBackup(file, configuration, { mayBuild: true })) ? 0 : 1;
  const { dataDirectory } = configuration;
  const { manifest, former } = await restore({
    file,
    dataDirectory,
    passphrase: process.env.BACKUP_PASSPHRASE,
    force: values.force,
    faultsOf,
  });
  // Replaces the restored backup record, which describes an earlier backup than this one.
  noteMade(dataDirectory, { made: manifest.made, file: resolve(file), bytes: statSync(file).size });
  noteChecked(dataDirectory, manifest.made);
  const { documents, users, files } = manifest.counts;
  console.log(
    `Restored ${dataDirectory} to its state of ${manifest.made}: ${documents} documents, ${users} accounts, ${files} files.`,
  );
  if (former) console.log(`The previous data is in ${former}.`);
  return 0;
});
