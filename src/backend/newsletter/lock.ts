/** A lock stored in the backend, so that only one instance of the site sends the newsletter. */
import { databasesAsOf, keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

/** Another instance may take over a lock that has not been extended for this long. */
export const HOLD_MS = 120_000;

export type Lock = ReturnType<typeof openLock>;

/** @param holder a name for this instance of the site that stays the same after a restart */
export function openLock(target: ServerTarget, holder: string, now: () => number = Date.now) {
  const { databases, locks } = keyedBackend(target);
  const place = { ...locks, documentId: 'newsletter' };
  let heldUntil = 0;
  return {
    /** Takes or extends the lock. Returns false while another instance holds it. @throws the SDK's error */
    async hold(): Promise<boolean> {
      const until = now() + HOLD_MS;
      if (until - heldUntil < HOLD_MS / 2) return true;
      const row = await unless('document_not_found', databases.getDocument(place));
      if (row && row.holder !== holder && Date.parse(`${row.heldUntil}`) > now()) return false;
      const data = { holder, heldUntil: new Date(until).toISOString() };
      const written = row
        ? databasesAsOf(target, row.$updatedAt).updateDocument({ ...place, data })
        : databases.createDocument({ ...place, data, permissions: [] });
      if (!(await unless(409, written))) return false;
      heldUntil = until;
      return true;
    },
  };
}
