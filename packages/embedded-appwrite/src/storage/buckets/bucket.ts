/** Buckets as stored, and as the API shows them (contract 2.7). */
import type { Store } from '../../sqlite/store.ts';
import { flag, integer, json, type RecordOf, table, text } from '../../sqlite/table.ts';

const COLUMNS = {
  sequence: integer,
  id: text,
  name: text,
  permissions: json<readonly string[]>(),
  /** True: a file's own permissions count beside the bucket's. */
  fileSecurity: flag,
  /** False: only keys see the bucket. */
  enabled: flag,
  /** Bytes. */
  maximumFileSize: integer,
  /** Empty: every extension. */
  allowedFileExtensions: json<readonly string[]>(),
  compression: text,
  encryption: flag,
  antivirus: flag,
  /** False: previews for keys only. */
  transformations: flag,
  createdAt: text,
  updatedAt: text,
};

export const BUCKETS = table('buckets', COLUMNS);
export type BucketRecord = RecordOf<typeof COLUMNS>;

/** Bytes of the bucket's complete files. */
function totalSize(store: Store, sequence: number): number {
  const row = store.prepare('SELECT sum(size_actual) AS bytes FROM files WHERE bucket_sequence = ?').get(sequence);
  return Number(row?.bytes ?? 0);
}

/** The answer for a bucket. */
export function bucketModel(store: Store, bucket: BucketRecord): Record<string, unknown> {
  return {
    $id: bucket.id,
    $createdAt: bucket.createdAt,
    $updatedAt: bucket.updatedAt,
    $permissions: bucket.permissions,
    fileSecurity: bucket.fileSecurity,
    name: bucket.name,
    enabled: bucket.enabled,
    maximumFileSize: bucket.maximumFileSize,
    allowedFileExtensions: bucket.allowedFileExtensions,
    compression: bucket.compression,
    encryption: bucket.encryption,
    antivirus: bucket.antivirus,
    transformations: bucket.transformations,
    totalSize: totalSize(store, bucket.sequence),
  };
}
