/** What handlers below `/api` find in `Astro.locals.publishing`. */
import type { DraftLinks } from '#backend/draft-links/draft-links.ts';
import type { People } from '#backend/people/people.ts';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { ImportAction, ImportState } from '#blog/import.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { Revalidate } from '#publishing/revalidate.ts';
import type { ApiLimits } from './limits.ts';

/** See `server/owner-token.ts`. */
export interface OwnerToken {
  /** Whether it is the token, and still holds. */
  readonly isRight: (token: string) => boolean;
  /** Called when it was used: from now on no token is right. */
  readonly spend: () => void;
}

/** The one import of this server. Every method throws `DomainError`. */
export interface Imports {
  readonly state: () => ImportState;
  /** Returns what became of each entry, as the command prints it. */
  readonly report: (id: string) => Promise<string>;
  begin(asked: Extract<ImportAction, { action: 'begin' }>, userId: string): Promise<void>;
  append(id: string, offset: number, bytes: Buffer): Promise<void>;
  start(asked: Extract<ImportAction, { action: 'start' }>, userId: string): void;
  /** Ends it after the post that is being written, and deletes the file unless posts were written. */
  cancel(id: string): Promise<void>;
}

export interface PublishingLocals {
  readonly limits: ApiLimits;
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
