/** Pictures in the bucket, from the browser. */

import { ID, type UploadProgress } from 'appwrite';
import { imageFault, imageType } from '#blog/images.ts';
import { filePermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import { connect, logged } from './client.ts';

/** Percent, bytes and chunks sent so far. */
export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly chunks: number;
  readonly totalChunks: number;
}

export interface UploadOptions {
  readonly userId: string;
  /** `inactive` (the default): for the author alone, until a post that shows it is published. */
  readonly status?: PostStatus;
  readonly onProgress?: (progress: Progress) => void;
}

/** What the SDK sends at a time (spec 9). */
const CHUNK_BYTES = 5 * 1024 * 1024;

/**
 * Uploads a picture under a new id and gives that id. Five megabytes and more go in chunks.
 * @throws Error in the product's words for a file that is no accepted picture, else the SDK's error.
 */
export function uploadFile(file: File, { userId, status = 'inactive', onProgress }: UploadOptions): Promise<string> {
  return logged('uploadFile', async () => {
    const fault = await imageFault(file);
    if (fault) throw new Error(fault);
    const { storage, site } = connect();
    const { $id } = await storage.createFile({
      bucketId: site.bucketId,
      fileId: ID.unique(),
      file: await rightlyNamed(file),
      permissions: filePermissions(status, userId),
      onProgress: (sent) => onProgress?.(progressOf(sent, file.size)),
    });
    const chunks = Math.ceil(file.size / CHUNK_BYTES);
    onProgress?.({ percent: 100, bytes: file.size, totalBytes: file.size, chunks, totalChunks: chunks });
    return $id;
  });
}

/** True when the file is gone. A failure is logged: nothing depends on it, and what is left behind is swept later. */
export async function deleteFile(fileId: string): Promise<boolean> {
  try {
    const { storage, site } = connect();
    await storage.deleteFile({ bucketId: site.bucketId, fileId });
    return true;
  } catch (error) {
    console.error('deleteFile:', error);
    return false;
  }
}

/** Gives files the permissions of a post's status. Files of other people, or none at all, are passed over and logged. */
export async function shareFiles(fileIds: readonly string[], status: PostStatus, userId: string): Promise<void> {
  const { storage, site } = connect();
  const permissions = filePermissions(status, userId);
  for (const fileId of fileIds) {
    try {
      await storage.updateFile({ bucketId: site.bucketId, fileId, permissions });
    } catch (error) {
      console.error(`shareFiles: ${fileId}:`, error);
    }
  }
}

/** The bucket goes by the name's ending, the product by content: `photo.PNG.jpeg` that holds a GIF becomes `….gif`. */
async function rightlyNamed(file: File): Promise<File> {
  const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  if (!type || ending === type || (type === 'jpg' && ending === 'jpeg')) return file;
  return new File([file], `${file.name.replace(/\.[^.]*$/, '') || 'picture'}.${type}`, { type: file.type });
}

function progressOf(sent: UploadProgress, totalBytes: number): Progress {
  return {
    percent: Math.min(100, Math.round(sent.progress)),
    bytes: Math.min(totalBytes, sent.sizeUploaded),
    totalBytes,
    chunks: sent.chunksUploaded,
    totalChunks: sent.chunksTotal,
  };
}
