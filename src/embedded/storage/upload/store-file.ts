/** Puts received bytes and their row into storage: a whole file at once, or a chunk into the file it belongs to. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import { newBlobName } from '../blobs.ts';
import type { BucketRecord } from '../buckets/bucket.ts';
import { type FileRecord, findFile, insertFile, isComplete, type NewFile } from '../files/file.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { StorageService } from '../service.ts';
import { type ContentRange, chunkCount, chunkNumber } from './content-range.ts';
import { extensionOf } from './file-name.ts';
import type { ReceivedFile } from './form.ts';

export interface Upload {
  readonly bucket: BucketRecord;
  readonly fileId: string;
  readonly name: string;
  readonly folder: string;
  readonly permissions: readonly string[];
  readonly uploader: string;
  /** A key may continue anybody's upload. */
  readonly privileged: boolean;
  readonly received: ReceivedFile;
}

export interface Stored {
  readonly file: FileRecord;
  /** This request brought the last missing bytes. */
  readonly completed: boolean;
  /** The file was complete before; nothing was changed. */
  readonly unchanged?: boolean;
}

const COPY_BUFFER = 1024 * 1024;

const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'heic']);

/**
 * A bucket that lists its extensions wants what they say: under a picture's name it takes pictures alone, of whichever
 * format. Stricter than a real server, which believes the name. Throws 403 `storage_invalid_file`.
 */
function requirePicture({ bucket, name }: Upload, mimeType: string): void {
  if (bucket.allowedFileExtensions.length === 0 || !PICTURE_EXTENSIONS.has(extensionOf(name))) return;
  if (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml') return;
  throw new AppwriteError(
    'storage_invalid_file',
    `The file ${name} is not a picture. Choose a file that is what its name says.`,
  );
}

function draft({ bucket, fileId, name, folder, permissions, uploader }: Upload, total: number): NewFile {
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

/** Inserts unless somebody else did meanwhile, or removed the bucket. Call inside `store.write`. */
function insertNew(service: StorageService, bucket: BucketRecord, file: NewFile): number {
  const { store } = service.kernel;
  if (!store.prepare('SELECT 1 FROM buckets WHERE sequence = ?').get(bucket.sequence)) {
    throw new AppwriteError('storage_bucket_not_found');
  }
  if (findFile(store, bucket, file.id)) throw new AppwriteError('storage_file_already_exists');
  return insertFile(store, file);
}

/** Stores a file that came in one request. Throws 409 when the id is taken, by an unfinished upload too. */
export async function storeWhole(service: StorageService, upload: Upload): Promise<Stored> {
  const { bucket, received } = upload;
  if (findFile(service.kernel.store, bucket, upload.fileId)) throw new AppwriteError('storage_file_already_exists');
  const mimeType = await mediaTypeOf(received.path, received.size);
  requirePicture(upload, mimeType);
  const file: NewFile = {
    ...draft(upload, received.size),
    signature: received.md5,
    mimeType,
    sizeActual: received.size,
    chunksTotal: 1,
    chunksUploaded: 1,
  };
  await service.blobs.adopt(received.path, file.blob);
  try {
    const sequence = await service.kernel.store.write(() => insertNew(service, bucket, file));
    return { file: { ...file, sequence }, completed: true };
  } catch (error) {
    await service.blobs.remove(file.blob);
    throw error;
  }
}

async function copyInto(target: FileHandle, path: string, offset: number): Promise<void> {
  const source = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(COPY_BUFFER);
    for (let position = offset; ; ) {
      const { bytesRead } = await source.read(buffer, 0, COPY_BUFFER);
      if (bytesRead === 0) return;
      await target.write(buffer, 0, bytesRead, position);
      position += bytesRead;
    }
  } finally {
    await source.close();
  }
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  const handle = await open(path, 'r');
  for await (const chunk of handle.createReadStream({ highWaterMark: COPY_BUFFER })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The unfinished upload a chunk belongs to, if there is one. Throws when the chunk does not fit what is there. */
function uploadInProgress(existing: FileRecord, upload: Upload, total: number): FileRecord {
  const own = existing.uploader === upload.uploader || upload.privileged;
  if (!own || (isComplete(existing) && existing.sizeOriginal !== total)) {
    throw new AppwriteError('storage_file_already_exists');
  }
  if (existing.sizeOriginal !== total) throw new AppwriteError('storage_invalid_content_range');
  return existing;
}

/** Writes the bytes to their place in the blob, durably. */
async function writeChunk(service: StorageService, blob: string, fresh: boolean, path: string, start: number) {
  const { blobs } = service;
  if (fresh) await blobs.prepare(blob);
  const handle = await open(blobs.pathOf(blob), fresh ? 'wx' : 'r+', 0o600).catch((error) => {
    // The bucket was deleted since the row was read.
    throw !fresh && error.code === 'ENOENT' ? new AppwriteError('storage_file_not_found') : error;
  });
  try {
    await copyInto(handle, path, start);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (fresh) await blobs.settle(blob);
}

async function addChunk(service: StorageService, upload: Upload, range: ContentRange): Promise<Stored> {
  const { store } = service.kernel;
  const { bucket, received } = upload;
  const found = findFile(store, bucket, upload.fileId);
  const existing = found && uploadInProgress(found, upload, range.total);
  if (existing && isComplete(existing)) return { file: existing, completed: false, unchanged: true };

  const chunk = chunkNumber(range.start);
  const known = store.prepare('SELECT 1 FROM file_chunks WHERE file_sequence = ? AND chunk = ?');
  if (existing && known.get(existing.sequence, chunk)) return { file: existing, completed: false };

  if (chunk === 1) requirePicture(upload, await mediaTypeOf(received.path, received.size));
  const file = existing ?? draft(upload, range.total);
  await writeChunk(service, file.blob, !existing, received.path, range.start);
  const chunksUploaded = file.chunksUploaded + 1;
  const completed = chunksUploaded === file.chunksTotal;
  const path = service.blobs.pathOf(file.blob);
  const changed = {
    chunksUploaded,
    updatedAt: now(),
    signature: completed ? await md5Of(path) : '',
    mimeType: completed ? await mediaTypeOf(path, range.total) : '',
    sizeActual: completed ? range.total : 0,
  };
  try {
    const sequence = await store.write(() => {
      const row = existing ? existing.sequence : insertNew(service, bucket, file);
      const { changes } = store
        .prepare(
          `UPDATE files SET chunks_uploaded = ?, updated_at = ?, signature = ?, mime_type = ?, size_actual = ?
           WHERE sequence = ?`,
        )
        .run(chunksUploaded, changed.updatedAt, changed.signature, changed.mimeType, changed.sizeActual, row);
      if (changes === 0) throw new AppwriteError('storage_file_not_found'); // deleted while the bytes were written
      if (completed) store.prepare('DELETE FROM file_chunks WHERE file_sequence = ?').run(row);
      else store.prepare('INSERT INTO file_chunks (file_sequence, chunk) VALUES (?, ?)').run(row, chunk);
      return row;
    });
    return { file: { ...file, ...changed, sequence }, completed };
  } catch (error) {
    if (!existing) await service.blobs.remove(file.blob);
    throw error;
  }
}

/**
 * Stores one chunk. Chunks of one file are taken one after the other, in whatever order they come; which have arrived is
 * on record, so that an upload goes on after a restart.
 */
export function storeChunk(service: StorageService, upload: Upload, range: ContentRange): Promise<Stored> {
  return service.serial.run(`${upload.bucket.sequence}/${upload.fileId}`, () => addChunk(service, upload, range));
}
