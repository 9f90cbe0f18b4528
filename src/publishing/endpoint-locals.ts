/** What the endpoints under `/api` find in `Astro.locals.publishing`. */

import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { EndpointLimits } from './endpoints/limits.ts';
import type { Revalidate } from './revalidate.ts';

/** What is done to people's accounts by the server key. Both reject with the SDK's error. */
export interface People {
  /** Whether `password` is the user's; it counts as an attempt to sign in. */
  readonly isPasswordOf: (userId: string, password: string) => Promise<boolean>;
  /** Deletes the user with all that is theirs; resolves when no public page shows any of it. */
  readonly deleteUser: (userId: string) => Promise<void>;
}

export interface PublishingLocals {
  /** What the endpoints of this site count. */
  readonly limits: EndpointLimits;
  readonly revalidate: Revalidate;
  /** Why a page is as it is; undefined when it is not stored. */
  readonly explain: (path: string) => PageReport | undefined;
  /** The signed-in user that a request's headers prove, asked of the backend. Rejects when it does not answer. */
  readonly verifySession: (headers: Headers) => Promise<{ readonly id: string } | undefined>;
  /**
   * Removes what a deleted post has left behind, and hides the pictures of one that is not published; does nothing for
   * one that is. Never rejects.
   */
  readonly tidyAfter?: ((slug: string) => Promise<void>) | undefined;
  /** Undefined where there is no server key. */
  readonly people?: People | undefined;
  /** The operator's token; without one, the operator's endpoints answer 403. */
  readonly rebuildToken?: string | undefined;
  /** The key of Appwrite's webhook signatures; without one, webhooks answer 403. */
  readonly webhookSecret?: string | undefined;
  /** The key of other instances' signatures; without one, they are answered 403. */
  readonly peerSecret?: string | undefined;
  /** From where pictures of other sites are copied beside the public internet; undefined: from nowhere at all. */
  readonly remotePictures?: Allowed | undefined;
  /** The key that is shown to search engines which are notified of changes. */
  readonly indexNowKey?: string | undefined;
  /** The contact for security reports: a `mailto:` or `https:` address. */
  readonly securityContact?: string | undefined;
  /** The hub that the feeds name. */
  readonly webSubHub?: string | undefined;
  /** The site's address without a slash at the end. */
  readonly siteUrl: string;
  readonly databaseId: string;
  readonly collectionId: string;
}
