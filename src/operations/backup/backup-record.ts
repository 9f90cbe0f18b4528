import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'backups.json';

const schema = z.object({
  last: z.object({ made: z.iso.datetime(), file: z.string(), bytes: z.number() }).optional(),
  checked: z.object({ made: z.iso.datetime() }).optional(),
  failed: z.object({ at: z.iso.datetime(), why: z.string() }).optional(),
});

export type BackupRecord = z.infer<typeof schema>;

export function readBackupRecord(dataDirectory: string): BackupRecord {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dataDirectory, FILE), 'utf8')));
  } catch {
    return {};
  }
}

/** Updates the record. Does nothing without a data folder, because a backup may be checked on another machine. */
function note(dataDirectory: string, change: BackupRecord): void {
  if (!existsSync(dataDirectory)) return;
  const path = join(dataDirectory, FILE);
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify({ ...readBackupRecord(dataDirectory), ...change }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(partial, path);
}

export const noteMade = (dataDirectory: string, last: NonNullable<BackupRecord['last']>): void =>
  note(dataDirectory, { last });

export function noteChecked(dataDirectory: string, made: string): void {
  const { checked } = readBackupRecord(dataDirectory);
  if (!checked || checked.made < made) note(dataDirectory, { checked: { made } });
}

export const noteFailed = (dataDirectory: string, failed: NonNullable<BackupRecord['failed']>): void =>
  note(dataDirectory, { failed });
