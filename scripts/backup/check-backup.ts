/** Proves a backup by a server on a copy of it, for the commands that take and restore backups. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkCopy, schemaFaults, silenceCopy } from 'embedded-appwrite/backup';
import { noteChecked } from '#operations/backup/backup-record.ts';
import { type CheckReport, checkRestore } from '#operations/backup/check-restore.ts';
import { BackupError } from '#operations/backup/manifest.ts';
import { BACKEND } from '#operations/backup/write-backup.ts';
import type { Configuration } from '#server/configuration.ts';
import { startSite } from '#server/site-process.ts';
import { buildIsStale, DIST } from '../build-stamp.ts';

/** What would tell others of the copy, or of what is tried on it; and a backend that is another one. */
const SILENT = {
  INDEXNOW_KEY: undefined,
  WEBSUB_HUB: undefined,
  CDN_PROVIDER: undefined,
  SMTP_HOST: undefined,
  APPWRITE_ENDPOINT: undefined,
  APPWRITE_ACCESS: undefined,
};

/**
 * Returns what is wrong with data that were extracted, a sentence each.
 * @throws BackupError for a schema that is not this release's, before anything else is read
 */
export async function faultsOf(directory: string): Promise<readonly string[]> {
  const [fault] = schemaFaults(join(directory, BACKEND));
  if (fault) throw new BackupError(`The backup is not one of this product. ${fault}`);
  return (await checkCopy(join(directory, BACKEND))).faults;
}

function build(): void {
  if (!buildIsStale()) return;
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'build.ts')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The site could not be built. See what is said above.');
}

/**
 * Starts a server on a copy of the backup and reads all of it; a good one is noted in the data folder.
 * @param mayBuild false beside a running server, whose build is not to be replaced.
 * @throws BackupError when the file is no whole backup.
 */
export async function checkBackup(
  file: string,
  configuration: Configuration,
  { mayBuild }: { readonly mayBuild: boolean },
): Promise<CheckReport> {
  // That of a real Appwrite is no key of the copy, which makes its own.
  const ownKey = configuration.appwrite.endpoint ? undefined : process.env.APPWRITE_API_KEY || undefined;
  const start = (directory: string) =>
    startSite(configuration, {
      entry: join(DIST, 'server', 'entry.mjs'),
      commandEnvironment: { ...process.env, ...SILENT, APPWRITE_API_KEY: ownKey, DATA_DIR: directory },
      prepare: mayBuild ? build : () => {},
    });
  const report = await checkRestore({
    file,
    passphrase: process.env.BACKUP_PASSPHRASE,
    apiKey: ownKey,
    ids: configuration.appwrite,
    faultsOf,
    silence: (directory) => silenceCopy(join(directory, BACKEND)),
    start,
  });
  if (report.faults.length === 0) noteChecked(configuration.dataDirectory, report.manifest.made);
  return report;
}

/** Tells what was read and found. True when the backup is good. */
export function tellReport({ posts, pages, files, bytes, startedAfter, milliseconds, faults }: CheckReport): boolean {
  const seconds = (duration: number) => `${(duration / 1000).toFixed(1)} s`;
  for (const fault of faults) console.log(fault);
  console.log(
    `${posts} posts, ${pages} pages and ${files} files of ${bytes} bytes were read in ${seconds(milliseconds)}; the server answered after ${seconds(startedAfter)}.`,
  );
  console.log(faults.length === 0 ? 'The backup can be restored.' : 'The backup is not good: see above.');
  return faults.length === 0;
}
