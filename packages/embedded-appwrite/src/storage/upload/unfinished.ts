import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { dateText } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import type { StorageService } from '../service.ts';

export const MOST_UNFINISHED = 20;
/** Milliseconds without progress after which an unfinished upload may be removed to make room for a new one. */
const IDLE_AFTER_MS = 600_000;

export interface Uploader {
  readonly caller: Caller;
  readonly uploader: string;
}

function mayBegin(store: Store, { caller, uploader }: Uploader): boolean {
  if (caller.privileged) return true;
  const unfinished = 'SELECT count(*) AS number FROM files WHERE chunks_uploaded < chunks_total AND uploader = ?';
  return Number(store.prepare(unfinished).get(uploader)?.number) < MOST_UNFINISHED;
}

/** Throws 429 if the uploader has the maximum number of unfinished uploads. Call within the write that adds one. */
export function requireFewUnfinished(store: Store, uploader: Uploader): void {
  if (mayBegin(store, uploader)) return;
  throw new AppwriteError(
    'general_rate_limit_exceeded',
    `Only ${MOST_UNFINISHED} uploads may be unfinished at a time. Finish or delete some, or try again in a few minutes.`,
  );
}

/** Removes the uploader's idle uploads if a new one would exceed the maximum. */
export async function makePlace(service: StorageService, uploader: Uploader): Promise<void> {
  if (mayBegin(service.kernel.store, uploader)) return;
  await removeUnfinished(service, Date.now() - IDLE_AFTER_MS, uploader.uploader);
}

/** Removes unfinished uploads without progress since `moment` (Unix ms), by default of all users; returns how many. */
export async function removeUnfinished(service: StorageService, moment: number, uploader?: string): Promise<number> {
  const { store } = service.kernel;
  const before = dateText(moment);
  const stale = 'chunks_uploaded < chunks_total AND updated_at < ?';
  const rows = store
    .prepare(
      `SELECT sequence, bucket_sequence, id, blob FROM files WHERE ${stale} AND uploader = coalesce(?, uploader)`,
    )
    .all(before, uploader ?? null);
  let removed = 0;
  for (const row of rows) {
    await service.serial.run(`${row.bucket_sequence}/${row.id}`, async () => {
      const { changes } = await store.writeThoughFull(() =>
        store.prepare(`DELETE FROM files WHERE sequence = ? AND ${stale}`).run(row.sequence as number, before),
      );
      if (changes === 0) return; // the client has continued it in the meantime
      await service.dispose({ blob: row.blob as string });
      removed++;
    });
  }
  return removed;
}
