import type { DraftLinks } from '#backend/draft-links/draft-links.ts';
import type { People } from '#backend/people/people.ts';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import type { ImportAction, ImportState } from '#blog/import.ts';
import type { ListedSubscriber } from '#blog/newsletter/csv.ts';
import type { ComposedMail, NewsletterState } from '#blog/newsletter/newsletter.ts';
import type { ImportedSubscribers, SubscriberPage } from '#blog/newsletter/subscriber-forms.ts';
import type { SaveSettings, Settings, SettingsState } from '#blog/site-settings/settings.ts';
import type { PageReport } from '#page-store/page-store.ts';
import type { Revalidate } from '#publishing/revalidate.ts';
import type { ApiLimits } from './limits.ts';

export interface OwnerToken {
  readonly isRight: (token: string) => boolean;
  /** Invalidates all ownership tokens. Called after one has been used. */
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
  /** Stops after the current post, and deletes the file unless an import was running. */
  cancel(id: string): Promise<void>;
}

export interface OwnerSettings {
  readonly state: () => Promise<SettingsState>;
  /** Saves the settings with the caller's own rights. Returns false if the current version is not `base`. */
  save(headers: Headers, userId: string, asked: SaveSettings): Promise<boolean>;
  /** Renders a public page with these settings, as a guest would see it. */
  preview(path: string, settings: Settings): Promise<Response>;
}

/** The purpose of a mail's link, and the address that the mail was sent to. */
export interface OpenedSubscription {
  readonly purpose: 'confirm' | 'manage';
  readonly address: string;
}

/** The newsletter as the API sees it. Methods that return a promise reject if the backend does not answer. */
export interface NewsletterService {
  /** Returns true if the owner has turned the newsletter on and mail can be sent. */
  isOn(): boolean;
  /** Returns a sealed proof for `request`, with the address and the time. Sends and stores nothing. */
  prove(address: string): string;
  /**
   * Sends a confirmation unless the address has had too many. The result is the same in each case.
   * `early`: the proof is less than two seconds old. `expired`: it is too old, or forged.
   */
  request(proof: string): Promise<'sent' | 'early' | 'expired'>;
  /** Returns a token's purpose and address; undefined if it is forged. */
  open(token: string): Promise<OpenedSubscription | 'expired' | undefined>;
  /** Confirms a subscription. Returns false for an expired or forged token, or if the person has left since. */
  confirm(token: string): Promise<boolean>;
  /** Ends a subscription for good, including on a one-click request (RFC 8058). Returns false for a forged token. */
  leave(token: string): Promise<boolean>;
  /** Sends a confirmation to the new address; the old one stays subscribed until it is confirmed. */
  change(token: string, address: string): Promise<boolean>;
  state(): Promise<NewsletterState>;
  /** Returns a page of subscribers whose address contains `search`. `after` is the previous page's `next`, or empty. */
  list(query: { readonly search: string; readonly after: string }): Promise<SubscriberPage>;
  /** Sends a confirmation. Returns false if the address is known or has left before. */
  add(address: string): Promise<boolean>;
  /** Deletes everything about a subscriber. */
  remove(id: string): Promise<void>;
  /** Subscribes addresses that consented elsewhere. Sends nothing. */
  importAll(rows: readonly ListedSubscriber[]): Promise<Omit<ImportedSubscribers, 'invalid'>>;
  /** Returns all subscribers as CSV text, written by `subscribersCsv`. */
  exportAll(): Promise<string>;
  pause(id: string, isPaused: boolean): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Composes a post's mail, even if it is a draft. Returns undefined if the post does not exist. */
  preview(slug: string): Promise<ComposedMail | undefined>;
  /** Sends a post's mail to the user's own address. Returns false if the post does not exist. */
  test(slug: string, userId: string): Promise<boolean>;
}

export interface PublishingLocals {
  readonly limits: ApiLimits;
  readonly revalidate: Revalidate;
  /** Returns the state of a stored page; undefined if the page is not stored. */
  readonly explain: (path: string) => PageReport | undefined;
  /** Returns the user whose session the headers carry, if any. Rejects if the backend does not answer. */
  readonly verifySession: (headers: Headers) => Promise<{ readonly id: string } | undefined>;
  /** Removes a deleted post's versions and link, and hides the pictures of an unpublished one. Never rejects. */
  readonly tidyAfter?: ((slug: string) => Promise<void>) | undefined;
  readonly people?: People | undefined;
  readonly imports?: Imports | undefined;
  readonly settings?: OwnerSettings | undefined;
  readonly draftLinks?: DraftLinks | undefined;
  readonly newsletter?: NewsletterService | undefined;
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
