/** A bucket as stored, the JSON it is answered with (contract 2.7), and its rows. */
import type { Store } from '../../sqlite/store.ts';

export interface BucketRecord {
  readonly sequence: number;
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** Whether a file's own permissions count beside the bucket's. */
  readonly fileSecurity: boolean;
  /** False: only keys see the bucket. */
  readonly enabled: boolean;
  /** Bytes. */
  readonly maximumFileSize: number;
  /** Empty: every extension. */
  readonly allowedFileExtensions: readonly string[];
  readonly compression: string;
  readonly encryption: boolean;
  readonly antivirus: boolean;
  /** False: previews for keys only. */
  readonly transformations: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type NewBucket = Omit<BucketRecord, 'sequence'>;

/** Reads a row of `buckets`. */
export function bucketFromRow(row: Record<string, unknown>): BucketRecord {
  return {
    sequence: row.sequence as number,
    id: row.id as string,
    name: row.name as string,
    permissions: JSON.parse(row.permissions as string),
    fileSecurity: row.file_security === 1,
    enabled: row.enabled === 1,
    maximumFileSize: row.maximum_file_size as number,
    allowedFileExtensions: JSON.parse(row.allowed_file_extensions as string),
    compression: row.compression as string,
    encryption: row.encryption === 1,
    antivirus: row.antivirus === 1,
    transformations: row.transformations === 1,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
  };
}

/** The bucket called `id`, whoever asks. */
export function findBucket(store: Store, id: string): BucketRecord | undefined {
  const row = store.prepare('SELECT * FROM buckets WHERE id = ?').get(id);
  return row && bucketFromRow(row);
}

function columns(bucket: NewBucket) {
  return [
    bucket.name,
    JSON.stringify(bucket.permissions),
    Number(bucket.fileSecurity),
    Number(bucket.enabled),
    bucket.maximumFileSize,
    JSON.stringify(bucket.allowedFileExtensions),
    bucket.compression,
    Number(bucket.encryption),
    Number(bucket.antivirus),
    Number(bucket.transformations),
    bucket.createdAt,
    bucket.updatedAt,
    bucket.id,
  ];
}

/** Adds a row. Call inside `store.write`, after making sure that the id is free. */
export function insertBucket(store: Store, bucket: NewBucket): void {
  store
    .prepare(
      `INSERT INTO buckets (name, permissions, file_security, enabled, maximum_file_size, allowed_file_extensions,
       compression, encryption, antivirus, transformations, created_at, updated_at, id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...columns(bucket));
}

/** Replaces the row with this id. Call inside `store.write`. */
export function updateBucket(store: Store, bucket: NewBucket): void {
  store
    .prepare(
      `UPDATE buckets SET name = ?, permissions = ?, file_security = ?, enabled = ?, maximum_file_size = ?,
       allowed_file_extensions = ?, compression = ?, encryption = ?, antivirus = ?, transformations = ?,
       created_at = ?, updated_at = ? WHERE id = ?`,
    )
    .run(...columns(bucket));
}

/** Bytes that the bucket's complete files take. */
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
