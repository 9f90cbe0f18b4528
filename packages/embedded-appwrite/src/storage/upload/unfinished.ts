/** Uploads that began and have not ended: how many somebody may have, and when they are given up. */
import { AppwriteError } from '../../http/errors.ts';
import { dateText } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { findFile } from '../files/file.ts';
import type { StorageService } from '../service.ts';
import type { Upload } from './upload.ts';

/** Unfinished uploads of one owner. */
export const MOST_UNFINISHED = 20;
/** Milliseconds after which a new upload may take the place of one that nothing was added to. */
const IDLE_AFTER = 600_000;

function mayBegin(store: Store, { caller, uploader }: Upload): boolean {
  if (caller.privileged) return true;
  const unfinished = 'SELECT count(*) AS number FROM files WHERE chunks_uploaded < chunks_total AND uploader = ?';
  return Number(store.prepare(unfinished).get(uploader)?.number) < MOST_UNFINISHED;
}

/** Throws 429 when the uploader has as many unfinished uploads as are allowed. Call within the write of a new one. */
export function requireFewUnfinished(store: Store, upload: Upload): void {
  if (mayBegin(store, upload)) return;
  throw new AppwriteError(
    'general_rate_limit_exceeded',
    `Only ${MOST_UNFINISHED} uploads may be unfinished at a time. Finish or delete some, or try again in a few minutes.`,
  );
}

/** Gives the uploader's idle uploads up when a new one has no place otherwise. */
export async function makePlace(service: StorageService, upload: Upload): Promise<void> {
  const { store } = service.kernel;
  if (findFile(store, upload.bucket, upload.fileId) || mayBegin(store, upload)) return;
  await giveUpUploads(service, Date.now() - IDLE_AFTER, upload.uploader);
}

/**
 * Removes unfinished uploads that nothing was added to since `moment` (milliseconds since 1970), and gives their number.
 * @param uploader default: anybody's
 */
export async function giveUpUploads(service: StorageService, moment: number, uploader?: string): Promise<number> {
  const { store } = service.kernel;
  const before = dateText(moment);
  const stale = 'chunks_uploaded < chunks_total AND updated_at < ?';
  const rows = store
    .prepare(
      `SELECT sequence, bucket_sequence, id, blob FROM files WHERE ${stale} AND uploader = coalesce(?, uploader)`,
    )
    .all(before, uploader ?? null);
  let givenUp = 0;
  for (const row of rows) {
    await service.serial.run(`${row.bucket_sequence}/${row.id}`, async () => {
      const { changes } = await store.writeThoughFull(() =>
        store.prepare(`DELETE FROM files WHERE sequence = ? AND ${stale}`).run(row.sequence as number, before),
      );
      if (changes === 0) return; // continued meanwhile
      await service.dispose({ blob: row.blob as string });
      givenUp++;
    });
  }
  return givenUp;
}
