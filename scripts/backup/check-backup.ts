import { noteChecked } from '#operations/backup/backup-record.ts';
import { type CheckReport, checkRestore } from '#operations/backup/check-restore.ts';
import type { Configuration } from '#server/configuration.ts';
import { startSite } from '#server/site-process.ts';
import { buildIfStale, ENTRY } from '../build-stamp.ts';

/** Variables unset for the server that runs on the copy, so that it contacts no other server and sends no email. */
const SILENT = {
  INDEXNOW_KEY: undefined,
  WEBSUB_HUB: undefined,
  CDN_PROVIDER: undefined,
  SMTP_HOST: undefined,
  _APP_SMTP_HOST: undefined,
  APPWRITE_ENDPOINT: undefined,
  APPWRITE_ACCESS: undefined,
};

/**
 * Starts a server on a copy of the backup and reads everything from it. If there are no errors, records the check in
 * the data folder.
 * @param mayBuild false while a server runs, because a build would replace its files
 * @throws OperatorError if the file is not a complete backup
 */
export async function checkBackup(
  file: string,
  configuration: Configuration,
  { mayBuild }: { readonly mayBuild: boolean },
): Promise<CheckReport> {
  // With a real Appwrite, the server on the copy creates a key, because the configured one belongs to that Appwrite.
  const ownKey = configuration.appwrite.endpoint ? undefined : process.env.APPWRITE_API_KEY || undefined;
  const start = (directory: string) =>
    startSite(configuration, {
      entry: ENTRY,
      commandEnvironment: { ...process.env, ...SILENT, APPWRITE_API_KEY: ownKey, DATA_DIR: directory },
      prepare: mayBuild ? () => buildIfStale() : () => {},
    });
  const report = await checkRestore({
    file,
    passphrase: process.env.BACKUP_PASSPHRASE,
    apiKey: ownKey,
    ids: configuration.appwrite,
    start,
  });
  if (report.faults.length === 0) noteChecked(configuration.dataDirectory, report.manifest.made);
  return report;
}

export function tellReport({ posts, pages, files, bytes, startedAfter, milliseconds, faults }: CheckReport): boolean {
  const seconds = (duration: number) => `${(duration / 1000).toFixed(1)} s`;
  for (const fault of faults) console.log(fault);
  console.log(
    `Read ${posts} posts, ${pages} pages and ${files} files (${bytes} bytes) in ${seconds(milliseconds)}; the server answered after ${seconds(startedAfter)}.`,
  );
  console.log(
    faults.length === 0 ? 'The backup can be restored.' : 'The backup cannot be restored. See the faults above.',
  );
  return faults.length === 0;
}
