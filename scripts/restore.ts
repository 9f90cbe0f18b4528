/**
 * `npm run restore -- FILE [--check] [--force]`: puts a backup in place of the data folder, after every byte of it was
 * compared. `--check` starts a server on a copy instead, reads all of it, and throws the copy away.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ownDirectory } from 'embedded-appwrite';
import { noteChecked, noteMade } from '#operations/backup/backup-record.ts';
import { restore } from '#operations/backup/restore.ts';
import { readConfiguration } from '#server/configuration.ts';
import { checkBackup, faultsOf, tellReport } from './backup/check-backup.ts';

const USAGE = `Usage: npm run restore -- FILE [--check] [--force]
--check  proves that the backup can be restored, and changes nothing
--force  takes the place of data that are there; they are kept`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { check: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
    });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) return fail(USAGE);
    return { ...values, file };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

const { file, check, force } = options();
const configuration = readConfiguration();
const { dataDirectory } = configuration;
const passphrase = process.env.BACKUP_PASSPHRASE;

try {
  if (check) {
    process.exitCode = tellReport(await checkBackup(file, configuration, { mayBuild: true })) ? 0 : 1;
  } else {
    const own = ownDirectory;
    const { manifest, former } = await restore({ file, dataDirectory, passphrase, force, own, faultsOf });
    // The record in the backup is of the one before it.
    noteMade(dataDirectory, { made: manifest.made, file: resolve(file), bytes: statSync(file).size });
    noteChecked(dataDirectory, manifest.made);
    const { documents, users, files } = manifest.counts;
    console.log(
      `${dataDirectory} is as it was at ${manifest.made}: ${documents} documents, ${users} accounts, ${files} files.`,
    );
    if (former) console.log(`What was there before is in ${former}.`);
  }
} catch (error) {
  fail(error instanceof Error ? error.message : `${error}`);
}
