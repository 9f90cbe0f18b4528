/**
 * Asks a real Appwrite what was written, where no webhook tells: to a private or loopback address a production server sends
 * none, and says nothing (docs/decisions/010-what-a-write-invalidates.md).
 */

import type { Log } from '@common-ink/http/log.ts';
import type { ChangedPost, PostChanges } from '#backend/server/query-changed-posts.ts';
import { faultOf } from '#blog/errors.ts';
import type { Revalidate } from '#publishing/revalidate.ts';

export interface PollingOptions {
  readonly changes: PostChanges;
  readonly revalidate: Revalidate;
  /** Posts whose pages are stored. */
  readonly storedPosts: () => readonly string[];
  readonly log: Log;
  /** Milliseconds between two questions, between two looks for what is gone, and for which a webhook is trusted. */
  readonly every?: number;
  readonly lookEvery?: number;
  readonly trustWebhooksFor?: number;
}

export interface Polling {
  /** A webhook came: nothing is asked for a while. */
  heard(): void;
  stop(): void;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The longest pause between two questions to a backend that does not answer. */
const LONGEST = 5 * MINUTE;

/** Begins with what is written after its start and with what is gone by then; older changes show when pages are rendered again by their age. */
export function pollForChanges({
  changes,
  revalidate,
  storedPosts,
  log,
  every = 4 * SECOND,
  lookEvery = 5 * MINUTE,
  trustWebhooksFor = 10 * MINUTE,
}: PollingOptions): Polling {
  let newest: ChangedPost | undefined;
  /** Those that were written in the same millisecond as the newest, and have been told. */
  let told = new Set<string>();
  let heardAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let pause = every;
  let isStopped = false;
  let timer = setTimeout(ask, 0).unref();

  async function revalidateChanged(slugs: readonly string[], gone: readonly string[] = []): Promise<void> {
    if (slugs.length > 0 && !isStopped) await revalidate({ slugs, gone, from: 'poll' });
  }

  async function askForChanges(): Promise<void> {
    if (newest === undefined) {
      // A site without posts begins with whatever comes first.
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

  /** What is gone is in no list of changes. */
  async function lookForGone(): Promise<void> {
    const stored = storedPosts();
    if (stored.length === 0) return;
    const there = await changes.publicIds();
    await revalidateChanged(stored.filter((slug) => !there.has(slug)));
  }

  async function ask(): Promise<void> {
    try {
      const isTrusted = performance.now() - heardAt < trustWebhooksFor;
      if (!isTrusted) await askForChanges();
      if (performance.now() - lookedAt >= lookEvery) {
        await lookForGone();
        lookedAt = performance.now();
      }
      pause = every;
    } catch (error) {
      // The first failure is said, not each.
      if (pause === every) log('warn', `The backend could not be asked what changed: ${faultOf(error).message}`);
      pause = Math.min(pause * 2, LONGEST);
    }
    if (!isStopped) timer = setTimeout(ask, pause).unref();
  }

  return {
    heard() {
      heardAt = performance.now();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const NOTHING: ChangedPost = { id: '', updatedAt: new Date(0).toISOString(), isActive: false };

const atTime = (posts: readonly ChangedPost[], time: string): Set<string> =>
  new Set(posts.filter(({ updatedAt }) => updatedAt === time).map(({ id }) => id));
