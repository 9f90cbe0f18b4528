/** Puts a backup back in place of a data folder, which is kept beside it. */
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupError, type Manifest } from './manifest.ts';
import { extractBackup } from './read-backup.ts';

export interface RestoreOptions {
  readonly file: string;
  readonly dataDirectory: string;
  readonly passphrase?: string | undefined;
  /** Takes the place of data that is there. */
  readonly force: boolean;
  /** What is wrong with extracted data, a sentence each. */
  readonly faultsOf: (directory: string) => Promise<readonly string[]>;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the former data are, if there were any. */
  readonly former?: string;
}

/**
 * Nothing is touched until all of the backup is extracted and found whole; then two renames put it in place. No server may
 * run on the folder.
 * @throws BackupError when there are data already and `force` is not set, and for whatever is wrong with the backup.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, dataDirectory, passphrase, force, faultsOf } = options;
  const isTaken = existsSync(dataDirectory) && (await readdir(dataDirectory)).length > 0;
  if (isTaken && !force) {
    throw new BackupError(
      `${dataDirectory} holds data already. Add --force to put the backup in its place; they are kept beside it.`,
    );
  }
  const extracted = join(dirname(dataDirectory), `.${basename(dataDirectory)}.restoring-${process.pid}`);
  try {
    const manifest = await extractBackup(file, extracted, passphrase);
    const [fault] = await faultsOf(extracted);
    if (fault) throw new BackupError(`The backup holds damaged data. ${fault}`);
    if (!isTaken) {
      await rm(dataDirectory, { recursive: true, force: true });
      await rename(extracted, dataDirectory);
      return { manifest };
    }
    const former = `${dataDirectory}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(dataDirectory, former);
    await rename(extracted, dataDirectory);
    return { manifest, former };
  } finally {
    await rm(extracted, { recursive: true, force: true });
  }
}
