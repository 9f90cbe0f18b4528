/** Subscribes to posts through the SDK's Realtime, which handles the socket, its heartbeat and its back-off. */

import { Channel, Realtime } from 'appwrite';
import type { PostSummary } from '#blog/post.ts';
import { type ArticleDocument, summaryOf } from '../document.ts';
import { connect } from './client.ts';

/** The post after the change; for a deleted post, its last state. */
export interface PostEvent {
  readonly post: PostSummary;
  readonly deleted: boolean;
}

export interface PostListener {
  readonly changed: (news: PostEvent) => void;
  /** Called after a reconnection, because no events arrive for changes made while the connection was lost. */
  readonly missed: () => void;
}

/** Time allowed for a subscription to take effect after its connection has opened. */
const SETTLE_MS = 500;

/**
 * Notifies `watcher` of every change to a post that this user may read; with `slug`, only of changes to that post.
 * Returns a function that unsubscribes. There is no event when a change makes a post unreadable for the user.
 */
export function subscribeToPosts(watcher: PostListener, slug?: string): () => void {
  const { client, site } = connect();
  const realtime = new Realtime(client);
  let gap = false;
  realtime.onClose(() => {
    gap = true;
  });
  realtime.onOpen(() => {
    if (gap) setTimeout(watcher.missed, SETTLE_MS);
    gap = false;
  });
  const collection = Channel.database(site.databaseId).collection(site.collectionId);
  const channel = slug === undefined ? collection.document() : collection.document(slug);
  const onEvent = ({ events, payload }: { events: readonly string[]; payload: ArticleDocument }) =>
    watcher.changed({ post: summaryOf(payload), deleted: events.some((name) => name.endsWith('.delete')) });
  // Only logs a failed first connection, because the SDK retries.
  realtime
    .subscribe<ArticleDocument>(channel, onEvent)
    .catch((error: unknown) => console.info('subscribeToPosts:', error));
  return () => void realtime.disconnect();
}
