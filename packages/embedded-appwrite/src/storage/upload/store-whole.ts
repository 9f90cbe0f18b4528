/** Stores a file that came in one request. */
import { AppwriteError } from '../../http/errors.ts';
import { findFile, type NewFile } from '../files/file.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { StorageService } from '../service.ts';
import { draft, insertNew, requireAllowance, requirePicture, type Stored, type Upload } from './upload.ts';

/** The bytes first, then the row. Throws 409 when the id is taken, by an unfinished upload too, 413 without room. */
export async function storeWhole(service: StorageService, upload: Upload): Promise<Stored> {
  const { kernel } = service;
  const { bucket, received } = upload;
  if (findFile(kernel.store, bucket, upload.fileId)) throw new AppwriteError('storage_file_already_exists');
  const mimeType = await mediaTypeOf(received.content, received.size);
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
  await service.blobs.adopt(received.content, file.blob);
  try {
    const sequence = await kernel.store.write(() => insertNew(kernel, upload, file));
    return { file: { ...file, sequence }, completed: true };
  } catch (error) {
    await service.blobs.remove(file.blob);
    throw error;
  }
}
