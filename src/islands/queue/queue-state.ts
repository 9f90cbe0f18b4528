import { atom } from 'nanostores';

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
  /** True if the session has ended, so that nothing can be sent. */
  readonly isSignedOut: boolean;
  /** Outcomes that this page has to report, oldest first. */
  readonly news: readonly QueueNews[];
}

export const $queue = atom<QueueState>({ isSignedOut: false, news: [] });

export const tell = (change: Partial<QueueState>): void => $queue.set({ ...$queue.get(), ...change });

/** Event that makes this page look for drafts to send. */
export const QUEUED = 'common-ink:queued';
