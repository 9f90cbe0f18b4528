/** Buckets as stored, and as the API returns them (contract 2.7). */
import type { Store } from '../../sqlite/store.ts';
import { flag, integer, json, type RecordOf, table, text } from '../../sqlite/table.ts';

const COLUMNS = {
  sequence: integer,
  id: text,
  name: text,
  permissions: json<readonly string[]>(),
  /** True if a file's own permissions count in addition to the bucket's. */
  fileSecurity: flag,
  /** False if only keys see the bucket. */
  enabled: flag,
  /** Bytes. */
  maximumFileSize: integer,
  /** Empty to allow every extension. */
  allowedFileExtensions: json<readonly string[]>(),
  compression: text,
  encryption: flag,
  antivirus: flag,
  /** False if previews are for keys only. */
  transformations: flag,
  createdAt: text,
  updatedAt: text,
};

export const BUCKETS = table('buckets', COLUMNS);
export type BucketRecord = RecordOf<typeof COLUMNS>;

function totalSize(store: Store, sequence: number): number {
  const row = store.prepare('SELECT sum(size_actual) AS bytes FROM files WHERE bucket_sequence = ?').get(sequence);
  return Number(row?.bytes ?? 0);
}

/** Returns the API's bucket model. */
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
