/** A lock in the backend: of several instances of the site, one sends the newsletter. */
import { faultOf } from '#blog/errors.ts';
import { databasesAsOf, keyedBackend, unless } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';

/** Another process takes over after this time. */
export const HOLD_MS = 120_000;

export type Lock = ReturnType<typeof openLock>;

/** @param holder names this instance of the site, also after a restart */
export function openLock(target: ServerTarget, holder: string, now: () => number = Date.now) {
  const { databases, locks } = keyedBackend(target);
  const place = { ...locks, documentId: 'newsletter' };
  let heldUntil = 0;
  return {
    /** Takes or extends the lock. Returns false while another process holds it. @throws the SDK's error */
    async hold(): Promise<boolean> {
      const until = now() + HOLD_MS;
      if (until - heldUntil < HOLD_MS / 2) return true;
      const row = await unless('document_not_found', databases.getDocument(place));
      if (row && row.holder !== holder && Date.parse(`${row.heldUntil}`) > now()) return false;
      const data = { holder, heldUntil: new Date(until).toISOString() };
      try {
        if (row) await databasesAsOf(target, row.$updatedAt).updateDocument({ ...place, data });
        else await databases.createDocument({ ...place, data, permissions: [] });
      } catch (error) {
        if (faultOf(error).code === 409) return false;
        throw error;
      }
      heldUntil = until;
      return true;
    },
  };
}
