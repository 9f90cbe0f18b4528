/** Moves pictures with their ids, names and permissions, byte for byte. */
import type { Models } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { faultOf } from '#blog/errors.ts';
import { filesOf, type KeyedBackend } from '../keyed-backend.ts';
import { type Convert, pairs } from './pairs.ts';
import type { MoveOptions, StageReport } from './report.ts';

const AT_ONCE = 4;

export const isWhole = (file: Models.File) => file.chunksUploaded >= file.chunksTotal;

/** Returns true if the two files have the same bytes (by recorded MD5 and length), name and permissions. */
export function sameFile(a: Models.File, b: Models.File): boolean {
  return (
    sameBytes(a, b) && a.name === b.name && [...a.$permissions].sort().join() === [...b.$permissions].sort().join()
  );
}

const sameBytes = (a: Models.File, b: Models.File) =>
  isWhole(b) && a.signature === b.signature && a.sizeOriginal === b.sizeOriginal;

async function transfer(
  from: KeyedBackend,
  to: KeyedBackend,
  file: Models.File,
  other: Models.File | undefined,
): Promise<void> {
  const { $id: fileId, name, $permissions: permissions } = file;
  const { bucketId } = to;
  if (other && sameBytes(file, other)) {
    await to.storage.updateFile({ bucketId, fileId, name, permissions });
    return;
  }
  // Uses `getFileView`, because with `getFileDownload` the SDK would parse the content of a JSON file.
  const bytes = await from.storage.getFileView({ bucketId: from.bucketId, fileId });
  if (other) await to.storage.deleteFile({ bucketId, fileId });
  await to.storage.createFile({ bucketId, fileId, file: InputFile.fromBuffer(Buffer.from(bytes), name), permissions });
}

export async function moveFiles(
  from: KeyedBackend,
  to: KeyedBackend,
  report: StageReport,
  options: MoveOptions,
  convert?: Convert<Models.File>,
): Promise<void> {
  let done = 0;
  for await (const page of pairs(filesOf(from), filesOf(to), convert)) {
    // All workers share one iterator, so that each file is moved once.
    const queue = page.filter(([file]) => isWhole(file)).values();
    const work = async () => {
      for (const [file, other] of queue) {
        try {
          if (other && sameFile(file, other)) report.unchanged += 1;
          else {
            if (!options.dryRun) await transfer(from, to, file, other);
            report[other ? 'updated' : 'created'] += 1;
          }
        } catch (error) {
          report.failed.push(`File ${file.$id} (${file.name}): ${faultOf(error).message}`);
        }
        options.onProgress?.('files', ++done);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}
