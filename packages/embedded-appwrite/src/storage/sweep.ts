/** Removes what no row points to: uploads that broke off, bytes whose row was never committed, previews of files gone. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageService } from './service.ts';
import { giveUpUploads } from './upload/unfinished.ts';

const HOUR = 3_600_000;
/** An upload that nothing was added to for so long is given up (milliseconds). */
const UNFINISHED_AFTER = 24 * HOUR;
/** Bytes younger than this may be on their way into a row (milliseconds). */
const SETTLED_AFTER = HOUR;

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function olderThan(file: string, moment: number): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  return info !== undefined && info.mtimeMs < moment;
}

async function sweepBytes(service: StorageService, now: number, incomingBefore: number): Promise<number> {
  const { blobs, kernel } = service;
  const hasRow = (blob: string) => kernel.store.prepare('SELECT 1 FROM files WHERE blob = ?').get(blob) !== undefined;
  let swept = 0;
  const remove = async (file: string) => {
    await rm(file, { force: true });
    swept++;
  };
  for (const name of await names(blobs.incoming)) {
    const file = path.join(blobs.incoming, name);
    if (await olderThan(file, incomingBefore)) await remove(file);
  }
  for (const folder of await names(blobs.files)) {
    for (const blob of await names(path.join(blobs.files, folder))) {
      const file = path.join(blobs.files, folder, blob);
      if (!hasRow(blob) && (await olderThan(file, now - SETTLED_AFTER)) && !hasRow(blob)) await remove(file);
    }
  }
  for (const previews of [service.previews, service.otherPreviews]) {
    for (const blob of await previews.blobs()) {
      if (!blob.startsWith('icon-') && !hasRow(blob)) await previews.forget(blob);
    }
  }
  return swept;
}

/**
 * Sweeps once and gives the number of things removed.
 * @param now milliseconds since 1970
 * @param incomingBefore bytes on their way in that are older than this moment belong to nobody
 */
export async function sweep(service: StorageService, now: number, incomingBefore = now - SETTLED_AFTER) {
  return (await giveUpUploads(service, now - UNFINISHED_AFTER)) + (await sweepBytes(service, now, incomingBefore));
}

/** Sweeps now and every hour, until the database is closed. */
export function keepSwept(service: StorageService): void {
  const run = async (incomingBefore?: number) => {
    if (!service.kernel.store.database.isOpen) {
      clearInterval(timer);
      return;
    }
    try {
      const swept = await sweep(service, Date.now(), incomingBefore);
      if (swept > 0) service.log('info', `Storage: ${swept} left-over upload(s) removed.`);
    } catch (error) {
      if (service.kernel.store.database.isOpen) service.log('error', 'Storage could not be swept.', error);
    }
  };
  const timer = setInterval(run, HOUR);
  timer.unref();
  // What was on its way in when the process ended will not arrive any more.
  void run(Date.now());
}
