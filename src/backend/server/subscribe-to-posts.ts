/** Subscription to published posts outside of a browser, by the SDK's Realtime, which keeps the socket and its back-off. */

import { Channel, Client, Realtime } from 'appwrite';

export interface PublicPostsOptions {
  /** Absolute address ending in `/v1`. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
}

/** What the SDK uses of a browser: timers, and where browsers that take no cookies keep a session. */
const windowForSdk = { setInterval, clearInterval, localStorage: { getItem: () => null } };

/**
 * Calls `onChange` after each change of a post that a guest may read, and when the connection is there again after a gap,
 * until the function that it gives is called. Unpublishing causes no event: a guest may not read the post any more.
 */
export function subscribeToPublicPosts(
  { endpoint, projectId, databaseId, collectionId }: PublicPostsOptions,
  onChange: () => void,
): () => void {
  Object.assign(globalThis, { window: windowForSdk });
  const realtime = new Realtime(new Client().setEndpoint(endpoint).setProject(projectId));
  realtime.onOpen(onChange);
  const channel = Channel.database(databaseId).collection(collectionId).document();
  // A first connection that fails is tried again like any other.
  realtime.subscribe(channel, onChange).catch(() => undefined);
  return () => void realtime.disconnect();
}
