import type { DraftLinks } from '#backend/draft-links/draft-links.ts';
import type { People } from '#backend/people/people.ts';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { ImportAction, ImportState } from '#blog/import.ts';
import type { SaveSettings, Settings, SettingsState } from '#blog/site-settings/settings.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { Revalidate } from '#publishing/revalidate.ts';
import type { ApiLimits } from './limits.ts';

export interface OwnerToken {
  readonly isRight: (token: string) => boolean;
  /** Invalidates all ownership tokens. Called after one was used. */
  readonly spend: () => void;
}

/** Runs imports on the server. Every method throws a `DomainError` if it refuses. */
export interface Imports {
  readonly state: () => ImportState;
  /** Returns the result of each entry, as the import command prints it. */
  readonly report: (id: string) => Promise<string>;
  begin(asked: Extract<ImportAction, { action: 'begin' }>, userId: string): Promise<void>;
  append(id: string, offset: number, bytes: Buffer): Promise<void>;
  start(asked: Extract<ImportAction, { action: 'start' }>, userId: string): void;
  /** Stops after the current post, and deletes the file unless posts were written. */
  cancel(id: string): Promise<void>;
}

export interface OwnerSettings {
  readonly state: () => Promise<SettingsState>;
  /** Saves with the caller's own rights. Returns false if the current version is not `base`. */
  save(headers: Headers, userId: string, asked: SaveSettings): Promise<boolean>;
  /** Renders a public page with these settings, as a guest would see it. */
  preview(path: string, settings: Settings): Promise<Response>;
}

export interface PublishingLocals {
  readonly limits: ApiLimits;
  readonly revalidate: Revalidate;
  /** Explains a page's state; undefined if it is not stored. */
  readonly explain: (path: string) => PageReport | undefined;
  /** Returns the user of the headers' session. Rejects if the backend does not answer. */
  readonly verifySession: (headers: Headers) => Promise<{ readonly id: string } | undefined>;
  /** Removes a deleted post's versions and pictures, and hides the pictures of an unpublished one. Never rejects. */
  readonly tidyAfter?: ((slug: string) => Promise<void>) | undefined;
  readonly people?: People | undefined;
  readonly imports?: Imports | undefined;
  readonly settings?: OwnerSettings | undefined;
  readonly draftLinks?: DraftLinks | undefined;
  readonly ownerToken?: OwnerToken | undefined;
  /** The operator's token. If unset, the operator's routes answer 403. */
  readonly rebuildToken?: string | undefined;
  /** The key for Appwrite's webhook signatures. If unset, webhooks get 403. */
  readonly webhookSecret?: string | undefined;
  /** The key for other instances' signatures. If unset, their messages get 403. */
  readonly peerSecret?: string | undefined;
  /** Hosts and networks besides the public internet from which pictures may be copied. Undefined disables copying. */
  readonly remotePictures?: Allowed | undefined;
  readonly indexNowKey?: string | undefined;
  readonly securityContact?: string | undefined;
  readonly webSubHub?: string | undefined;
  readonly siteUrl: string;
  readonly databaseId: string;
  readonly collectionId: string;
}
