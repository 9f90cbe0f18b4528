import { createReadStream } from 'node:fs';
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import type { Kernel } from '../../kernel.ts';
import { newBlobName } from '../blobs.ts';
import { BUCKETS, type BucketRecord } from '../buckets/bucket.ts';
import { bytesOfFile, FILES, type FileRecord, findFile, type NewFile } from '../files/file.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { StorageService } from '../service.ts';
import { chunkCount } from './content-range.ts';
import { extensionOf } from './file-name.ts';
import type { ReceivedFile } from './receive-part.ts';
import { requireFewUnfinished, type Uploader } from './unfinished.ts';

export interface Upload extends Uploader {
  readonly bucket: BucketRecord;
  readonly fileId: string;
  readonly name: string;
  readonly folder: string;
  readonly permissions: readonly string[];
  readonly received: ReceivedFile;
}

export interface Stored {
  readonly file: FileRecord;
  /** True if this request completed the file. */
  readonly completed: boolean;
  /** True if the file was already complete; nothing was changed. */
  readonly unchanged?: boolean;
}

const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'heic']);

/**
 * Returns true if the bucket restricts extensions and the file has a picture extension. The content of such a file must
 * be a picture; Appwrite checks only the name.
 */
export function mustBePicture({ bucket, name }: Upload): boolean {
  return bucket.allowedFileExtensions.length > 0 && PICTURE_EXTENSIONS.has(extensionOf(name));
}

/** Throws 403 `storage_invalid_file` if the upload must be a picture and is not one. */
export function requirePicture(upload: Upload, mimeType: string): void {
  if (!mustBePicture(upload)) return;
  const { name } = upload;
  if (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml') return;
  throw new AppwriteError(
    'storage_invalid_file',
    `The file ${name} is not a picture, although its name says so. Choose another file.`,
  );
}

export function typeOfReceived({ content, size }: ReceivedFile): Promise<string> {
  if (typeof content !== 'string') return mediaTypeOf(content, size);
  return mediaTypeOf(({ start, end }) => createReadStream(content, { start, end: end - 1 }), size);
}

export function draft({ bucket, fileId, name, folder, permissions, uploader }: Upload, total: number): NewFile {
  const created = now();
  return {
    bucketSequence: bucket.sequence,
    id: fileId,
    name,
    folder,
    permissions,
    signature: '',
    mimeType: '',
    sizeOriginal: total,
    sizeActual: 0,
    chunksTotal: chunkCount(total),
    chunksUploaded: 0,
    blob: newBlobName(),
    uploader,
    createdAt: created,
    updatedAt: created,
  };
}

/** Throws 413 over quota, 429 for too many unfinished uploads. Call before storing bytes and again within the write. */
export function requireAllowance({ store, usage }: Kernel, upload: Upload, file: NewFile): void {
  usage.requireRoom(upload.caller, upload.uploader, bytesOfFile(file));
  if (file.chunksTotal > 1) requireFewUnfinished(store, upload);
}

/** Inserts the row; call within a write. Throws if the id was taken, the bucket was removed, or the quota is full. */
export function insertNew(kernel: Kernel, upload: Upload, file: NewFile): number {
  const { store } = kernel;
  const { bucket } = upload;
  if (!BUCKETS.get(store, { sequence: bucket.sequence })) throw new AppwriteError('storage_bucket_not_found');
  if (findFile(store, bucket, file.id)) throw new AppwriteError('storage_file_already_exists');
  requireAllowance(kernel, upload, file);
  return FILES.insert(store, { ...file, bytes: bytesOfFile(file) });
}

/** Stores a whole file. Throws 409 if the id is taken, even by an unfinished upload, and 413 if the quota is full. */
export async function storeWhole(service: StorageService, upload: Upload): Promise<Stored> {
  const { kernel, blobs } = service;
  const { bucket, received } = upload;
  if (findFile(kernel.store, bucket, upload.fileId)) throw new AppwriteError('storage_file_already_exists');
  const mimeType = await typeOfReceived(received);
  requirePicture(upload, mimeType);
  const file: NewFile = {
    ...draft(upload, received.size),
    signature: received.md5,
    mimeType,
    sizeActual: received.size,
    chunksTotal: 1,
    chunksUploaded: 1,
  };
  requireAllowance(kernel, upload, file);
  await blobs.write(file.blob, received.content);
  try {
    const sequence = await kernel.store.write(() => insertNew(kernel, upload, file));
    return { file: { ...file, sequence }, completed: true };
  } catch (error) {
    await blobs.remove(file.blob);
    throw error;
  }
}
