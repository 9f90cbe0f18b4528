import { ID } from 'appwrite';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import { imageFault, imageType } from '#blog/images.ts';
import { filePermissions } from '#blog/permissions.ts';
import { type PictureSize, pictureId } from '#blog/pictures/file-id.ts';
import type { PostStatus } from '#blog/post.ts';
import { connect, logged, storageWith } from './client.ts';

export interface Progress {
  readonly percent: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly chunks: number;
  readonly totalChunks: number;
}

export interface UploadOptions {
  readonly userId: string;
  /** Default `inactive`: only the author can read the file until a post with this file is published. */
  readonly status?: PostStatus;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborting it stops the upload and deletes the part that is already stored. */
  readonly signal?: AbortSignal | undefined;
}

/** The SDK's chunk size (spec 9). */
const CHUNK_BYTES = 5 * 1024 * 1024;
/** Milliseconds to wait before each retry: a phone may be switching networks, or the server may be restarting. */
const PAUSES = [500, 2000] as const;

/**
 * Uploads a picture and returns the new file's id, which ends with the picture's dimensions if known. Files larger than
 * 5 MiB are sent in chunks. Retries a transient failure with a new id, because the first file may have been stored.
 * @throws Error with a message for the user if the file is not an accepted picture; the signal's reason if aborted;
 * otherwise the SDK's error
 */
export function uploadFile(file: File, options: UploadOptions): Promise<string> {
  return logged('uploadFile', async () => {
    const fault = await imageFault(file);
    if (fault) throw new Error(fault);
    const named = await rightlyNamed(file);
    const size = await sizeOf(file);
    for (let attempt = 0; ; attempt += 1) {
      const fileId = size ? pictureId(ID.unique(), size) : ID.unique();
      try {
        await send(named, fileId, options);
        return fileId;
      } catch (error) {
        const { signal } = options;
        const pause = PAUSES[attempt];
        const again = !signal?.aborted && pause !== undefined && isTransient(error);
        // Waits only if the upload was cancelled: after a network failure, the deletion could hang.
        const gone = deleteFile(fileId, { mayBeMissing: true });
        if (signal?.aborted) await gone;
        if (!again) throw signal?.aborted ? signal.reason : error;
        await later(pause, signal);
      }
    }
  });
}

async function send(file: File, fileId: string, { userId, status = 'inactive', onProgress, signal }: UploadOptions) {
  signal?.throwIfAborted();
  const { site } = connect();
  const totalChunks = Math.ceil(file.size / CHUNK_BYTES);
  const reportProgress = (percent: number, bytes: number, chunks: number) =>
    onProgress?.({ percent, bytes, totalBytes: file.size, chunks, totalChunks });
  reportProgress(0, 0, 0);
  await storageWith(signal).createFile({
    bucketId: site.bucketId,
    fileId,
    file,
    permissions: filePermissions(status, userId),
    onProgress: ({ progress, sizeUploaded, chunksUploaded }) =>
      reportProgress(Math.min(100, Math.round(progress)), Math.min(file.size, sizeUploaded), chunksUploaded),
  });
  reportProgress(100, file.size, totalChunks);
}

export async function fetchFile(fileId: string): Promise<File> {
  const { client, storage, site } = connect();
  const address = new URL(storage.getFileView({ bucketId: site.bucketId, fileId }));
  const bytes: ArrayBuffer = await client.call('GET', address, {}, {}, 'arrayBuffer');
  return rightlyNamed(new File([bytes], 'picture'));
}

/**
 * Copies a picture to the file `copyId`, which only the author can read. Also succeeds if the copy already exists.
 * @throws the SDK's 409 error if a different file has that id; users can choose any id for their files
 */
export async function copyFile(fileId: string, copyId: string, userId: string): Promise<void> {
  try {
    await send(await fetchFile(fileId), copyId, { userId });
  } catch (error) {
    if (faultOf(error).code !== 409) throw error;
    const { storage, site } = connect();
    const [kept, there] = await Promise.all(
      [fileId, copyId].map((id) => storage.getFile({ bucketId: site.bucketId, fileId: id })),
    );
    if (kept?.signature !== there?.signature) throw error;
    await shareFiles([copyId], 'inactive', userId);
  }
}

function isTransient(error: unknown): boolean {
  const { code } = faultOf(error);
  return isUnreachable(error) || code === 429 || code >= 500;
}

function later(pause: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pause);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Deletes a file. On failure, logs the error and returns false; the server's periodic sweep deletes the file later. */
export async function deleteFile(fileId: string, { mayBeMissing = false } = {}): Promise<boolean> {
  try {
    const { storage, site } = connect();
    await storage.deleteFile({ bucketId: site.bucketId, fileId });
    return true;
  } catch (error) {
    if (!mayBeMissing || faultOf(error).code !== 404) console.error('deleteFile:', error);
    return false;
  }
}

/**
 * Sets files' permissions to match a post's status. Skips and logs missing files and other users' files.
 * @throws the SDK's error if another attempt may succeed
 */
export async function shareFiles(fileIds: readonly string[], status: PostStatus, userId: string): Promise<void> {
  const { storage, site } = connect();
  const permissions = filePermissions(status, userId);
  for (const fileId of fileIds) {
    try {
      await storage.updateFile({ bucketId: site.bucketId, fileId, permissions });
    } catch (error) {
      console.error(`shareFiles: ${fileId}:`, error);
      if (isTransient(error)) throw error;
    }
  }
}

/** Returns the displayed size of a picture that can be uploaded as it is; undefined for any other file. */
async function sizeOf(file: Blob): Promise<PictureSize | undefined> {
  const { planFor } = await import('#blog/pictures/plan.ts');
  const plan = planFor(new Uint8Array(await file.arrayBuffer()));
  return plan.kind === 'keep' ? plan : undefined;
}

/** Renames a picture whose extension does not match its type, because the bucket checks the extension. */
async function rightlyNamed(file: File): Promise<File> {
  const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  if (!type || ending === type || (type === 'jpg' && ending === 'jpeg')) return file;
  return new File([file], `${file.name.replace(/\.[^.]*$/, '') || 'picture'}.${type}`, { type: file.type });
}
