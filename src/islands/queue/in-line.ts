/** The queue of drafts that are waiting to be sent, with their locks and outcomes. */

import { atom } from 'nanostores';
import type { Attempt } from '#stores/posts/post-actions.ts';
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

/** Runs `work` with a lock, or without one if the browser lacks locks, as on plain http outside localhost. */
export function locked<T>(name: string, options: LockOptions, work: (lock: Lock | null | undefined) => Promise<T>) {
  return navigator.locks ? navigator.locks.request(name, options, work) : work(undefined);
}

/**
 * Runs `work` with the draft locked. If a form or another tab already holds the lock, does nothing or waits, depending
 * on `options`. Returns true if `work` has run.
 */
export const whileClosed = (
  copy: string,
  work: () => Promise<void>,
  options: LockOptions = { ifAvailable: true },
): Promise<boolean> =>
  locked(lockOf(copy), options, async (lock) => {
    if (lock !== null) await work();
    return lock !== null;
  });

/**
 * Removes a draft from the queue but keeps it. Returns false if it is being sent or open in a form. With `signal`,
 * first waits until the draft is free or the signal aborts.
 */
export async function takeOutOfLine({ copy, ...place }: Draft, signal?: AbortSignal): Promise<boolean> {
  const take = async () => {
    const found = await findInLine(place.userId, copy);
    if (!found) return;
    const { queued: _, ...draft } = found;
    await writeDraft(draft);
  };
  const isTaken = await whileClosed(copy, take, signal && { signal }).catch(() => false);
  notifyTabs(place);
  return isTaken;
}

/** Turns a stored attempt back into an `Attempt` for a retry. `image` is the draft's featured image. */
export const attemptOf = ({ attempt }: Queued, image: File | undefined): Attempt => ({
  slug: attempt?.slug,
  fileId: attempt?.fileId,
  file: attempt?.isCurrent ? image : undefined,
});

export const storedAttempt = ({ slug, fileId, file }: Attempt, image: File | undefined): Queued['attempt'] => ({
  slug,
  fileId,
  isCurrent: file !== undefined && file === image,
});

/** The outcome for one draft: the post was sent, or the draft needs the author's attention. */
export interface QueueNews {
  readonly copy: string;
  readonly title: string;
  readonly what: 'published' | 'saved' | 'stopped';
  readonly address?: string;
}

export interface QueueState {
  /** The `copy` of the draft that is being sent. */
  readonly sending?: string | undefined;
  /** True if the session has ended, so nothing can be sent. */
  readonly isSignedOut: boolean;
  /** Outcomes on this page that the user has not dismissed yet, oldest first. */
  readonly news: readonly QueueNews[];
}

export const $queue = atom<QueueState>({ isSignedOut: false, news: [] });

export const tell = (change: Partial<QueueState>): void => $queue.set({ ...$queue.get(), ...change });

/** Name of the window event that makes this page check for drafts to send. */
export const QUEUED = 'common-ink:queued';
