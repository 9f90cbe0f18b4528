/** Removes leftovers: interrupted uploads, bytes whose row was never committed, previews of deleted files. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageService } from './service.ts';
import { removeUnfinished } from './upload/unfinished.ts';

const HOUR_MS = 3_600_000;
const UNFINISHED_AFTER_MS = 24 * HOUR_MS;
/** Minimum age at which a blob without a row is removed. The row of a newer blob may not be committed yet. */
const SETTLED_AFTER_MS = HOUR_MS;

async function sweepIncoming({ incoming }: StorageService, before: number): Promise<number> {
  let swept = 0;
  for (const name of await readdir(incoming).catch(() => [])) {
    const file = path.join(incoming, name);
    const modified = await stat(file)
      .then(({ mtimeMs }) => mtimeMs)
      .catch(() => before);
    if (modified >= before) continue;
    await rm(file, { force: true });
    swept++;
  }
  return swept;
}

async function sweepBlobs({ blobs, kernel, previews, otherPreviews }: StorageService, before: number): Promise<number> {
  const hasRow = (blob: string) => kernel.store.prepare('SELECT 1 FROM files WHERE blob = ?').get(blob) !== undefined;
  let swept = 0;
  for await (const blob of blobs.list()) {
    if (hasRow(blob)) continue;
    const found = await blobs.open(blob).catch(() => undefined);
    await found?.close();
    // Checks again: the row may have been committed in the meantime.
    if (!found || found.modifiedMs >= before || hasRow(blob)) continue;
    await blobs.remove(blob);
    swept++;
  }
  for (const cache of [previews, otherPreviews]) {
    for (const blob of await cache.blobs()) {
      if (!blob.startsWith('icon-') && !hasRow(blob)) await cache.forget(blob);
    }
  }
  return swept;
}

/**
 * Removes leftovers and returns their number, not counting previews. Keeps incoming files newer than `incomingBefore`
 * (Unix ms).
 */
export async function sweep(service: StorageService, now: number, incomingBefore = now - SETTLED_AFTER_MS) {
  const unfinished = await removeUnfinished(service, now - UNFINISHED_AFTER_MS);
  return (
    unfinished + (await sweepIncoming(service, incomingBefore)) + (await sweepBlobs(service, now - SETTLED_AFTER_MS))
  );
}

export function keepSwept(service: StorageService): void {
  const run = async (incomingBefore?: number) => {
    if (!service.kernel.store.database.isOpen) {
      clearInterval(timer);
      return;
    }
    try {
      const swept = await sweep(service, Date.now(), incomingBefore);
      if (swept > 0) service.log('info', `Deleted ${swept} unfinished uploads from storage.`);
    } catch (error) {
      if (service.kernel.store.database.isOpen)
        service.log('error', 'Unfinished uploads could not be removed from storage.', error);
    }
  };
  const timer = setInterval(run, HOUR_MS);
  timer.unref();
  // At start, every incoming file is left over from an earlier process.
  void run(Date.now());
}
