import type { Store } from '../../sqlite/store.ts';
import { flag, integer, json, type RecordOf, table, text } from '../../sqlite/table.ts';

const COLUMNS = {
  sequence: integer,
  id: text,
  name: text,
  permissions: json<readonly string[]>(),
  /** True if a file's own permissions count in addition to the bucket's. */
  fileSecurity: flag,
  /** False if only callers with a server key can access the bucket. */
  enabled: flag,
  /** Bytes. */
  maximumFileSize: integer,
  /** Empty to allow every extension. */
  allowedFileExtensions: json<readonly string[]>(),
  compression: text,
  encryption: flag,
  antivirus: flag,
  /** False if only callers with a server key can request previews. */
  transformations: flag,
  createdAt: text,
  updatedAt: text,
};

export const BUCKETS = table('buckets', COLUMNS);
export type BucketRecord = RecordOf<typeof COLUMNS>;

export function bucketModel(
  store: Store,
  { id, sequence, createdAt, updatedAt, permissions, ...settings }: BucketRecord,
): Record<string, unknown> {
  const sum = store.prepare('SELECT sum(size_actual) AS bytes FROM files WHERE bucket_sequence = ?').get(sequence);
  const totalSize = Number(sum?.bytes ?? 0);
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, $permissions: permissions, ...settings, totalSize };
}
