/**
 * Subscribes to published posts outside a browser, through the SDK's Realtime, which handles the socket and its
 * back-off.
 */

import { Channel, Client, Realtime } from 'appwrite';

export interface PublicPostsOptions {
  /** Absolute URL ending in `/v1`. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
}

/** Stubs for the browser APIs that the SDK uses: timers, and the local storage that stands in for cookies. */
const windowForSdk = { setInterval, clearInterval, localStorage: { getItem: () => null } };

/**
 * Calls `onChange` after each change to a public post and whenever the connection opens; returns a function that
 * unsubscribes. Unpublishing causes no event, since a guest may no longer read the post.
 */
export function subscribeToPublicPosts(
  { endpoint, projectId, databaseId, collectionId }: PublicPostsOptions,
  onChange: () => void,
): () => void {
  Object.assign(globalThis, { window: windowForSdk });
  const realtime = new Realtime(new Client().setEndpoint(endpoint).setProject(projectId));
  realtime.onOpen(onChange);
  const channel = Channel.database(databaseId).collection(collectionId).document();
  // The SDK retries if the first connection fails.
  realtime.subscribe(channel, onChange).catch(() => undefined);
  return () => void realtime.disconnect();
}
