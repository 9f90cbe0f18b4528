/** Moves pictures with their ids, names and permissions, byte for byte. */
import type { Models } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import type { MoveOptions, StageReport } from './report.ts';
import { findByIds, pages, type Side } from './side.ts';

/** Files under way at once. */
const AT_ONCE = 4;

export const listFiles =
  ({ storage, target: { bucketId } }: Side) =>
  async (queries: string[]) =>
    (await storage.listFiles({ bucketId, queries })).files;

export const isWhole = (file: Models.File) => file.chunksUploaded >= file.chunksTotal;

/** The same bytes (MD5 and length, as the backend recorded them), name and permissions. */
export function sameFile(a: Models.File, b: Models.File): boolean {
  return (
    sameBytes(a, b) && a.name === b.name && [...a.$permissions].sort().join() === [...b.$permissions].sort().join()
  );
}

const sameBytes = (a: Models.File, b: Models.File) =>
  isWhole(b) && a.signature === b.signature && a.sizeOriginal === b.sizeOriginal;

async function transfer(from: Side, to: Side, file: Models.File, other: Models.File | undefined): Promise<void> {
  const { $id: fileId, name, $permissions: permissions } = file;
  const { bucketId } = to.target;
  if (other && sameBytes(file, other)) {
    await to.storage.updateFile({ bucketId, fileId, name, permissions });
    return;
  }
  // The view, not the download: the SDK parses a JSON file's download.
  const bytes = await from.storage.getFileView({ bucketId: from.target.bucketId, fileId });
  if (other) await to.storage.deleteFile({ bucketId, fileId });
  await to.storage.createFile({ bucketId, fileId, file: InputFile.fromBuffer(Buffer.from(bytes), name), permissions });
}

/** Moves every finished file that is missing or differs at `to`. */
export async function moveFiles(from: Side, to: Side, report: StageReport, options: MoveOptions): Promise<void> {
  let done = 0;
  for await (const page of pages(listFiles(from))) {
    const whole = page.filter(isWhole);
    const there = await findByIds(
      page.map(({ $id }) => $id),
      listFiles(to),
    );
    const queue = [...whole];
    const work = async () => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        const other = there.get(file.$id);
        try {
          if (other && sameFile(file, other)) report.unchanged += 1;
          else {
            if (!options.dryRun) await transfer(from, to, file, other);
            report[other ? 'updated' : 'created'] += 1;
          }
        } catch (error) {
          report.failed.push(`File ${file.$id} (${file.name}): ${error instanceof Error ? error.message : error}`);
        }
        options.onProgress?.('files', ++done);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}
