/** Permissions of a bucket's files, and the refusal of those without (contract 2.7, rights). */
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { type Action, authorise } from '../permissions.ts';
import type { Store } from '../sqlite/store.ts';
import { BUCKETS, type BucketRecord } from './buckets/bucket.ts';
import { type FileRecord, findFile } from './files/file.ts';

export interface OpenedFile {
  readonly bucket: BucketRecord;
  readonly file: FileRecord;
}

/** The bucket, or 404; a disabled one exists for keys only. */
export function openBucket(store: Store, caller: Caller, bucketId: string): BucketRecord {
  const bucket = BUCKETS.get(store, { id: bucketId });
  if (!bucket || (!bucket.enabled && !caller.privileged)) throw new AppwriteError('storage_bucket_not_found');
  return bucket;
}

/**
 * The file for reading. Without the right: 401 when the bucket alone decides, 404 when files have rights of their own.
 * @param pass a file's sequence that the caller holds a token for; it opens that file, and no other.
 */
export function openForReading(
  store: Store,
  caller: Caller,
  bucketId: string,
  fileId: string,
  pass?: number | undefined,
): OpenedFile {
  const bucket = openBucket(store, caller, bucketId);
  const byBucket = authorise(caller, 'read', bucket.permissions);
  if (!byBucket && !bucket.fileSecurity && pass === undefined) throw new AppwriteError('user_unauthorized');
  const file = findFile(store, bucket, fileId);
  if (!file) throw new AppwriteError('storage_file_not_found');
  if (byBucket || pass === file.sequence) return { bucket, file };
  if (bucket.fileSecurity && authorise(caller, 'read', file.permissions)) return { bucket, file };
  throw new AppwriteError(pass === undefined ? 'storage_file_not_found' : 'user_unauthorized');
}

/** The file for changing or deleting; without the right 401. The right to read is not needed. */
export function openForWriting(
  store: Store,
  caller: Caller,
  action: Extract<Action, 'update' | 'delete'>,
  bucketId: string,
  fileId: string,
): OpenedFile {
  const bucket = openBucket(store, caller, bucketId);
  const byBucket = authorise(caller, action, bucket.permissions);
  if (!byBucket && !bucket.fileSecurity) throw new AppwriteError('user_unauthorized');
  const file = findFile(store, bucket, fileId);
  if (!file) throw new AppwriteError('storage_file_not_found');
  if (byBucket || authorise(caller, action, file.permissions)) return { bucket, file };
  throw new AppwriteError('user_unauthorized');
}
