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

/** Returns the bucket. Throws 404 if it is missing, or disabled for a caller without a key. */
export function openBucket(store: Store, caller: Caller, bucketId: string): BucketRecord {
  const bucket = BUCKETS.get(store, { id: bucketId });
  if (!bucket || (!bucket.enabled && !caller.privileged)) throw new AppwriteError('storage_bucket_not_found');
  return bucket;
}

/** Throws 401 without permission, 404 for a missing file; both are 404 with file security. `pass` is from `passOf`. */
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

/** Returns the file for a change or deletion. Throws 401 without permission; read permission is not required. */
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
