import type { DraftLinks } from '#backend/draft-links/draft-links.ts';
import type { Passkeys } from '#backend/passkeys/passkeys.ts';
import type { People } from '#backend/people/people.ts';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { ImportAction, ImportState } from '#blog/import.ts';
import type { ListedSubscriber } from '#blog/newsletter/csv.ts';
import type { ComposedMail, NewsletterState } from '#blog/newsletter/newsletter.ts';
import type { ImportedSubscribers, SubscriberPage } from '#blog/newsletter/subscriber-forms.ts';
import type { Post } from '#blog/post.ts';
import type { SaveSettings, Settings, SettingsState } from '#blog/site-settings/settings.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { Revalidate } from '#publishing/revalidate.ts';
import type { ApiLimits } from './limits.ts';

export interface OwnerToken {
  readonly isRight: (token: string) => boolean;
  /** Invalidates the token. Called after it has been used. */
  readonly spend: () => void;
}

/**
 * Runs imports on the server. Every method throws a `DomainError` for a request that it refuses. An import belongs to the
 * owner `userId` who began it; for other owners, its id is unknown.
 */
export interface Imports {
  readonly state: (userId: string) => ImportState;
  /** Returns the results as text in the format of the import command's output. */
  readonly report: (id: string, userId: string) => Promise<string>;
  begin(asked: Extract<ImportAction, { action: 'begin' }>, userId: string): Promise<void>;
  append(id: string, offset: number, bytes: Buffer, userId: string): Promise<void>;
  start(asked: Extract<ImportAction, { action: 'start' }>, userId: string): void;
  /** Stops after the current post. Keeps the uploaded file only if a real import, not a dry run, was running. */
  cancel(id: string, userId: string): Promise<void>;
}

export interface OwnerSettings {
  readonly state: () => Promise<SettingsState>;
  /** Saves the settings with the caller's own rights. Returns false if the current version is not `asked.base`. */
  save(headers: Headers, userId: string, asked: SaveSettings): Promise<boolean>;
  /** Renders a public page with these settings, as a guest would see it. */
  preview(path: string, settings: Settings): Promise<Response>;
}

export interface OpenedSubscription {
  readonly purpose: 'confirm' | 'manage';
  readonly address: string;
}

/** The newsletter's interface for the API. Methods that return a promise reject if the backend does not respond. */
export interface NewsletterService {
  /** Returns true if the owner has turned the newsletter on and email can be sent. */
  isOn(): boolean;
  /** Returns a proof to pass to `request`: the address and the current time, encrypted. Sends and stores nothing. */
  prove(address: string): string;
  /**
   * Emails a confirmation unless too many were sent, and returns `sent` in both cases. `early`: the proof is less than
   * two seconds old. `expired`: the proof is too old or forged.
   */
  request(proof: string): Promise<'sent' | 'early' | 'expired'>;
  /** Returns a token's purpose and address; `expired` if it no longer works; undefined if the token is unknown. */
  open(token: string): Promise<OpenedSubscription | 'expired' | undefined>;
  /**
   * Confirms a subscription. Returns false if the token is forged or expired, or if the address has been unsubscribed
   * since the token was issued.
   */
  confirm(token: string): Promise<boolean>;
  /** Ends a subscription. Returns false if the token is forged or its subscriber was deleted. */
  leave(token: string): Promise<boolean>;
  /** Emails a confirmation to the new address. Returns false unless the token's subscriber is active. */
  change(token: string, address: string): Promise<boolean>;
  state(): Promise<NewsletterState>;
  /** Returns a page of subscribers whose address contains `search`. `after` is the previous page's `next`, or empty. */
  list(query: { readonly search: string; readonly after: string }): Promise<SubscriberPage>;
  /** Emails a confirmation. Returns false if the address has or had a subscription, or if too many emails were sent. */
  add(address: string): Promise<boolean>;
  /** Deletes all data of a subscriber. */
  remove(id: string): Promise<void>;
  /** Subscribes addresses whose owners consented elsewhere. Sends nothing. */
  importAll(rows: readonly ListedSubscriber[]): Promise<Omit<ImportedSubscribers, 'invalid'>>;
  /** Returns all subscribers as CSV text, written by `subscribersCsv`. */
  exportAll(): Promise<string>;
  pause(id: string, isPaused: boolean): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Composes a post's email, even for a draft. */
  preview(post: Post): Promise<ComposedMail>;
  /** Emails a post to the user's own address. Returns true if the mail server accepted it. */
  test(post: Post, userId: string): Promise<boolean>;
}

/** The output of a run of `npm run sync`. `isEqual` is false after a conflict or a failure. */
export interface SyncRun {
  readonly isEqual: boolean;
  readonly output: string;
}

export interface PublishingLocals {
  readonly limits: ApiLimits;
  readonly revalidate: Revalidate;
  /** Returns the state of a stored page; undefined if the page is not stored. */
  readonly explain: (path: string) => PageReport | undefined;
  /** Returns the user whose session is in the headers, if any. Rejects if the backend does not respond. */
  readonly verifySession: (headers: Headers) => Promise<{ readonly id: string } | undefined>;
  /** Removes a deleted post's versions and draft link, and hides an unpublished post's pictures. Never rejects. */
  readonly tidyAfter?: ((slug: string) => Promise<void>) | undefined;
  readonly people?: People | undefined;
  readonly passkeys?: Passkeys | undefined;
  readonly imports?: Imports | undefined;
  readonly settings?: OwnerSettings | undefined;
  readonly draftLinks?: DraftLinks | undefined;
  readonly newsletter?: NewsletterService | undefined;
  readonly ownerToken?: OwnerToken | undefined;
  /** The operator's token. Without it, the operator's routes respond with 403. */
  readonly rebuildToken?: string | undefined;
  /** Syncs the operator's folder with the blog. Without it, `/api/sync` responds with 403. */
  readonly sync?: (() => Promise<SyncRun>) | undefined;
  /** The key that verifies the signatures of Appwrite's webhooks. Without it, webhooks get a 403. */
  readonly webhookSecret?: string | undefined;
  /** The key that verifies the signatures of other instances. Without it, their messages get a 403. */
  readonly peerSecret?: string | undefined;
  /** Hosts and networks from which pictures may be copied, besides the public internet. Undefined disables copying. */
  readonly remotePictures?: Allowed | undefined;
  readonly indexNowKey?: string | undefined;
  readonly securityContact?: string | undefined;
  readonly webSubHub?: string | undefined;
  readonly siteUrl: string;
  readonly databaseId: string;
  readonly collectionId: string;
}
