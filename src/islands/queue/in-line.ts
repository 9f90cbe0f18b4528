/** Finds queued drafts, locks them and removes them from the queue. */

import { type Draft, draftsOf, type Queued, writeDraft } from '../post-form/draft/draft-store.ts';
import { lockOf, notifyTabs } from '../post-form/draft/draft-tabs.ts';

export interface QueuedDraft extends Draft {
  readonly queued: Queued;
}

const isQueued = (draft: Draft): draft is QueuedDraft => draft.queued !== undefined;

/** Returns a user's queued drafts in the order in which they are sent. */
export const inLine = async (userId: string): Promise<readonly QueuedDraft[]> =>
  (await draftsOf(userId)).filter(isQueued).sort((one, other) => one.queued.at - other.queued.at);

export const findInLine = async (userId: string, copy: string) =>
  (await inLine(userId)).find((draft) => draft.copy === copy);

/** Runs `work` with a lock, or without one if the browser has none, as on plain http outside localhost. */
export function locked<T>(name: string, options: LockOptions, work: (lock: Lock | null | undefined) => Promise<T>) {
  return navigator.locks ? navigator.locks.request(name, options, work) : work(undefined);
}

/** Runs `work` unless a form or another tab has locked the draft. Returns true if `work` has run. */
export const whileClosed = (copy: string, work: () => Promise<void>): Promise<boolean> =>
  locked(lockOf(copy), { ifAvailable: true }, async (lock) => {
    if (lock !== null) await work();
    return lock !== null;
  });

/** Makes a queued draft an ordinary one again, unless it is being sent. */
export async function takeOutOfLine({ copy, ...place }: Draft): Promise<void> {
  await whileClosed(copy, async () => {
    const found = await findInLine(place.userId, copy);
    if (!found) return;
    const { queued: _, ...draft } = found;
    await writeDraft(draft);
  });
  notifyTabs(place);
}
