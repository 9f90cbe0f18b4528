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
  /** True for the token while it is valid. */
  readonly isRight: (token: string) => boolean;
  /** Makes every token invalid. Called after use. */
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
  /** Explains why a page is as it is. Undefined when it is not stored. */
  readonly explain: (path: string) => PageReport | undefined;
  /** Asks the backend for the user whose session the headers carry. Rejects when it does not answer. */
  readonly verifySession: (headers: Headers) => Promise<{ readonly id: string } | undefined>;
  /**
   * Removes the versions and pictures of a deleted post, and hides the pictures of an unpublished one. Never rejects.
   */
  readonly tidyAfter?: ((slug: string) => Promise<void>) | undefined;
  /** Undefined where there is no server key. */
  readonly people?: People | undefined;
  /** Undefined where the import command is missing. */
  readonly imports?: Imports | undefined;
  /** Undefined where there is no server key. */
  readonly draftLinks?: DraftLinks | undefined;
  /** The one-time token that makes its holder the owner of a site without one. */
  readonly ownerToken?: OwnerToken | undefined;
  /** The operator's token. Without one, the operator's routes answer 403. */
  readonly rebuildToken?: string | undefined;
  /** The key of Appwrite's webhook signatures. Without one, webhooks are answered 403. */
  readonly webhookSecret?: string | undefined;
  /** The key of other instances' signatures. Without one, they are answered 403. */
  readonly peerSecret?: string | undefined;
  /** Hosts and networks beside the public internet from which pictures may be copied. Undefined: copying is off. */
  readonly remotePictures?: Allowed | undefined;
  /** The IndexNow key, which the site shows to search engines. */
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
