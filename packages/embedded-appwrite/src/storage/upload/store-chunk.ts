/** Stores one chunk of a file: first writes its bytes to the blob, then records that it has arrived. */
import { createHash } from 'node:crypto';
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import type { BlobContent, BlobPart } from '../blobs.ts';
import { FILES, type FileRecord, findFile, isComplete } from '../files/file.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { StorageService } from '../service.ts';
import { type ContentRange, chunkNumber } from './content-range.ts';
import { makePlace } from './unfinished.ts';
import {
  draft,
  insertNew,
  mustBePicture,
  requireAllowance,
  requirePicture,
  type Stored,
  typeOfReceived,
  type Upload,
} from './upload.ts';

function uploadInProgress(existing: FileRecord, upload: Upload, total: number): FileRecord {
  const own = existing.uploader === upload.uploader || upload.caller.privileged;
  if (!own || (isComplete(existing) && existing.sizeOriginal !== total)) {
    throw new AppwriteError('storage_file_already_exists');
  }
  if (existing.sizeOriginal !== total) throw new AppwriteError('storage_invalid_content_range');
  return existing;
}

/** Writes the bytes at their offset in the blob. Throws 404 if the file has been deleted since its row was read. */
async function writeChunk(
  { blobs }: StorageService,
  blob: string,
  content: BlobContent,
  part: BlobPart,
): Promise<void> {
  await blobs.write(blob, content, part).catch((error) => {
    throw !part.isFirst && error.code === 'ENOENT' ? new AppwriteError('storage_file_not_found') : error;
  });
}

async function inspect({ blobs }: StorageService, name: string): Promise<{ signature: string; mimeType: string }> {
  const blob = await blobs.open(name);
  try {
    const hash = createHash('md5');
    for await (const chunk of blob.chunks()) hash.update(chunk);
    return { signature: hash.digest('hex'), mimeType: await mediaTypeOf(blob.chunks, blob.size) };
  } finally {
    await blob.close();
  }
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
  if (chunk === 1) requirePicture(upload, await typeOfReceived(received));
  const file = existing ?? draft(upload, range.total);
  if (!existing) requireAllowance(service.kernel, upload, file);
  await writeChunk(service, file.blob, received.content, { at: range.start, isFirst: !existing });
  const chunksUploaded = file.chunksUploaded + 1;
  const completed = chunksUploaded === file.chunksTotal;
  const changed = {
    chunksUploaded,
    updatedAt: now(),
    sizeActual: completed ? range.total : 0,
    ...(completed ? await inspect(service, file.blob) : { signature: '', mimeType: '' }),
  };
  try {
    const sequence = await store.write(() => {
      const row = existing ? existing.sequence : insertNew(service.kernel, upload, file);
      // No row is updated if the file was deleted while its bytes were written.
      if (FILES.update(store, { sequence: row }, changed) === 0) throw new AppwriteError('storage_file_not_found');
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

/** Stores one chunk at a time per file. Stored chunks are recorded, so that an upload can continue after a restart. */
export async function storeChunk(service: StorageService, upload: Upload, range: ContentRange): Promise<Stored> {
  if (!findFile(service.kernel.store, upload.bucket, upload.fileId)) await makePlace(service, upload);
  return service.serial.run(`${upload.bucket.sequence}/${upload.fileId}`, () => addChunk(service, upload, range));
}
