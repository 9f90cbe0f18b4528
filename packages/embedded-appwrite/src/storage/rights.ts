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

/** Returns the bucket. Throws 404 if it is missing, or if it is disabled and the caller has no server key. */
export function openBucket(store: Store, caller: Caller, bucketId: string): BucketRecord {
  const bucket = BUCKETS.get(store, { id: bucketId });
  if (!bucket || (!bucket.enabled && !caller.privileged)) throw new AppwriteError('storage_bucket_not_found');
  return bucket;
}

/**
 * Returns the file and its bucket. Throws 404 if the file is missing and 401 if the caller may not read it. With file
 * security and without `pass`, throws 404 in both cases, which hides whether the file exists.
 * @param pass the result of `passOf` for the request's file token
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

/**
 * Returns the file to change or delete, and its bucket. Throws 401 if the caller may not perform `action`; read
 * permission is not required.
 */
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
