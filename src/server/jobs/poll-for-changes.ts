/** Polls for changes, because Appwrite does not call webhooks at private addresses (decision 010). */

import type { Log } from '@common-ink/http/log.ts';
import type { ChangedPost, PostChanges } from '#backend/server/query-changed-posts.ts';
import { faultOf } from '#blog/errors.ts';
import type { Revalidate } from '#publishing/revalidate.ts';
import { every } from './every.ts';
import { lookForGone } from './look-for-gone.ts';

export interface PollingOptions {
  readonly changes: PostChanges;
  readonly revalidate: Revalidate;
  readonly shownPosts: () => readonly string[];
  readonly log: Log;
  readonly pollMs?: number;
  readonly lookMs?: number;
  /** Milliseconds for which polling for changed posts pauses after a webhook. */
  readonly trustWebhooksMs?: number;
}

export type Polling = ReturnType<typeof pollForChanges>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

/** Reports posts written after its start, and all deleted posts. Earlier writes appear once the stored pages expire. */
export function pollForChanges({
  changes,
  revalidate,
  shownPosts,
  log,
  pollMs = 4 * SECOND,
  lookMs = 5 * MINUTE,
  trustWebhooksMs = 10 * MINUTE,
}: PollingOptions) {
  let newest: ChangedPost | undefined;
  /** Ids of reported posts that were written in the same millisecond as `newest`. */
  let told = new Set<string>();
  let heardAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let pause = pollMs;

  async function revalidateChanged(slugs: readonly string[], gone: readonly string[] = []): Promise<void> {
    if (slugs.length > 0 && !job.isStopped) await revalidate({ slugs, gone, from: 'poll' });
  }

  async function askForChanges(): Promise<void> {
    if (newest === undefined) {
      const [last = NOTHING] = await changes.since();
      told = atTime(await changes.since(last.updatedAt), last.updatedAt);
      newest = last;
      return;
    }
    const { updatedAt: since } = newest;
    const found = await changes.since(since);
    const fresh = found.filter(({ id, updatedAt }) => updatedAt !== since || !told.has(id));
    if (fresh.length === 0) return;
    await revalidateChanged(
      fresh.map(({ id }) => id),
      fresh.filter(({ isActive }) => !isActive).map(({ id }) => id),
    );
    newest = fresh.at(-1) ?? newest;
    const last = newest.updatedAt;
    told = atTime(found, last);
  }

  async function ask(): Promise<number> {
    try {
      const isTrusted = performance.now() - heardAt < trustWebhooksMs;
      if (!isTrusted) await askForChanges();
      if (performance.now() - lookedAt >= lookMs) {
        // Lists of changed posts do not include deleted ones.
        await lookForGone({ changes, shownPosts, report: revalidateChanged });
        lookedAt = performance.now();
      }
      pause = pollMs;
    } catch (error) {
      if (pause === pollMs) log('warn', `Could not ask the backend what has changed: ${faultOf(error).message}`);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
    return pause;
  }

  const job = every(0, ask);
  return {
    heard(): void {
      heardAt = performance.now();
    },
    stop: job.stop,
  };
}

const NOTHING: ChangedPost = { id: '', updatedAt: new Date(0).toISOString(), isActive: false };

const atTime = (posts: readonly ChangedPost[], time: string): Set<string> =>
  new Set(posts.filter(({ updatedAt }) => updatedAt === time).map(({ id }) => id));
