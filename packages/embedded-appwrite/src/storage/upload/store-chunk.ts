/** Stores one chunk of a file: its bytes in their place in the file's blob, then the record that they have arrived. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import { type FileRecord, findFile, isComplete } from '../files/file.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { StorageService } from '../service.ts';
import { type ContentRange, chunkNumber } from './content-range.ts';
import type { ReceivedFile } from './receive-part.ts';
import { makePlace } from './unfinished.ts';
import {
  draft,
  insertNew,
  mustBePicture,
  requireAllowance,
  requirePicture,
  type Stored,
  type Upload,
} from './upload.ts';

const COPY_BUFFER = 1024 * 1024;

/** A disk that is nearly full takes a part without an error; the next write throws it. */
async function writeAt(target: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function copyInto(target: FileHandle, content: Buffer | string, offset: number): Promise<void> {
  if (typeof content !== 'string') return writeAt(target, content, offset);
  const source = await open(content, 'r');
  try {
    const buffer = Buffer.allocUnsafe(COPY_BUFFER);
    for (let position = offset; ; ) {
      const { bytesRead } = await source.read(buffer, 0, COPY_BUFFER);
      if (bytesRead === 0) return;
      await writeAt(target, buffer.subarray(0, bytesRead), position);
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
  const own = existing.uploader === upload.uploader || upload.caller.privileged;
  if (!own || (isComplete(existing) && existing.sizeOriginal !== total)) {
    throw new AppwriteError('storage_file_already_exists');
  }
  if (existing.sizeOriginal !== total) throw new AppwriteError('storage_invalid_content_range');
  return existing;
}

/** Writes the bytes to their place in the blob, durably. */
async function writeChunk(
  { blobs }: StorageService,
  blob: string,
  fresh: boolean,
  { content }: ReceivedFile,
  start: number,
) {
  if (fresh) await blobs.prepare(blob);
  const handle = await open(blobs.pathOf(blob), fresh ? 'wx' : 'r+', 0o600).catch((error) => {
    // The bucket was deleted since the row was read.
    throw !fresh && error.code === 'ENOENT' ? new AppwriteError('storage_file_not_found') : error;
  });
  try {
    await copyInto(handle, content, start);
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

  if (chunk > 1 && mustBePicture(upload) && !(existing && known.get(existing.sequence, 1))) {
    throw new AppwriteError('storage_invalid_content_range', 'Send the first chunk of a picture before the others.');
  }
  if (chunk === 1) requirePicture(upload, await mediaTypeOf(received.content, received.size));
  const file = existing ?? draft(upload, range.total);
  if (!existing) requireAllowance(service.kernel, upload, file);
  try {
    await writeChunk(service, file.blob, !existing, received, range.start);
  } catch (error) {
    // On a full disk a part of it would take the last room.
    if (!existing) await service.blobs.remove(file.blob);
    throw error;
  }
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
      const row = existing ? existing.sequence : insertNew(service.kernel, upload, file);
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
export async function storeChunk(service: StorageService, upload: Upload, range: ContentRange): Promise<Stored> {
  await makePlace(service, upload);
  return service.serial.run(`${upload.bucket.sequence}/${upload.fileId}`, () => addChunk(service, upload, range));
}
