/** What the endpoints under `/api` find in `Astro.locals.publishing`. */

import type { DraftLinks } from '#backend/draft-links/draft-links.ts';
import type { People } from '#backend/people/people.ts';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { EndpointLimits } from './endpoints/guards/limits.ts';
import type { Imports } from './endpoints/import.ts';
import type { Revalidate } from './revalidate.ts';

/** See `server/owner-token.ts`. */
export interface OwnerToken {
  /** Whether it is the token, and still holds. */
  readonly isRight: (token: string) => boolean;
  /** Called when it was used: from now on no token is right. */
  readonly spend: () => void;
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
  /** Undefined where the command that imports is not there. */
  readonly imports?: Imports | undefined;
  /** Undefined where there is no server key. */
  readonly draftLinks?: DraftLinks | undefined;
  /** The one-time token that makes whoever has it the owner of a site without one. */
  readonly ownerToken?: OwnerToken | undefined;
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
