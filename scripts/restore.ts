/**
 * `npm run restore -- FILE [--check] [--force]`: puts a backup in place of the data folder, after every byte of it was
 * compared. `--check` starts a server on a copy instead, reads all of it, and throws the copy away.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCopy, silenceCopy } from '#embedded/backup/check-copy.ts';
import { ownDirectory } from '#embedded/sqlite/owner.ts';
import { type CheckReport, checkRestore } from '#operations/backup/check-restore.ts';
import { restore } from '#operations/backup/restore.ts';
import { BACKEND } from '#operations/backup/write-backup.ts';
import { readConfiguration } from '#server/configuration.ts';
import { startSite } from '#server/site-process.ts';
import { buildIsStale, DIST } from './build-stamp.ts';

const USAGE = `Usage: npm run restore -- FILE [--check] [--force]
--check  proves that the backup can be restored, and changes nothing
--force  takes the place of data that are there; they are kept beside it`;

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

function prepare(): void {
  if (!buildIsStale()) return;
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
  if (status !== 0) fail('The site could not be built. See what is said above.');
}

/** What would tell others of the copy, or of what is tried on it. */
const SILENT = { INDEXNOW_KEY: undefined, WEBSUB_HUB: undefined, CDN_PROVIDER: undefined };

const { file, check, force } = options();
const configuration = readConfiguration();
const { dataDirectory } = configuration;
const passphrase = process.env.BACKUP_PASSPHRASE;
const faultsOf = async (directory: string) => (await checkCopy(join(directory, BACKEND))).faults;

function report({ posts, pages, files, bytes, startedAfter, milliseconds, faults }: CheckReport): boolean {
  const seconds = (duration: number) => `${(duration / 1000).toFixed(1)} s`;
  for (const fault of faults) console.log(fault);
  console.log(
    `${posts} posts, ${pages} pages and ${files} files of ${bytes} bytes were read in ${seconds(milliseconds)}; the server answered after ${seconds(startedAfter)}.`,
  );
  console.log(faults.length === 0 ? 'The backup can be restored.' : 'The backup is not good: see above.');
  return faults.length === 0;
}

try {
  if (check) {
    const start = (directory: string) =>
      startSite(configuration, {
        entry: join(DIST, 'server', 'entry.mjs'),
        commandEnvironment: { ...process.env, ...SILENT, DATA_DIR: directory },
        prepare,
      });
    const ids = configuration.appwrite;
    const checked = await checkRestore({
      file,
      passphrase,
      apiKey: process.env.APPWRITE_API_KEY || undefined,
      ids,
      faultsOf,
      silence: (directory) => silenceCopy(join(directory, BACKEND)),
      start,
    });
    process.exitCode = report(checked) ? 0 : 1;
  } else {
    // Refused while a server has the folder.
    if (existsSync(join(dataDirectory, BACKEND))) ownDirectory(join(dataDirectory, BACKEND)).release();
    const { manifest, former } = await restore({ file, dataDirectory, passphrase, force, faultsOf });
    const { documents, users, files } = manifest.counts;
    console.log(
      `${dataDirectory} is as it was at ${manifest.made}: ${documents} documents, ${users} accounts, ${files} files.`,
    );
    if (former) console.log(`What was there before is in ${former}.`);
  }
} catch (error) {
  fail(error instanceof Error ? error.message : `${error}`);
}
