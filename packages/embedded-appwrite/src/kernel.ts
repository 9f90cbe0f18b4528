import type { PasswordCost } from './account/passwords/password.ts';
import type { EventBus } from './events.ts';
import type { ServerKey } from './http/access/authenticate.ts';
import type { Origins } from './http/access/origin.ts';
import type { Mailer } from './mail/mailer.ts';
import type { MailOptions } from './mail/transport.ts';
import type { FreeSpace } from './quota/free-space.ts';
import type { StorageUsage } from './quota/usage.ts';
import type { Store } from './sqlite/store.ts';
import type { PreviewPlan } from './storage/preview/parameters.ts';

/** The operator's settings. The backend does not read the environment itself. */
export interface EmbeddedOptions {
  /** Folder for the database, uploads and preview cache; created if missing. */
  readonly directory: string;
  readonly projectId: string;
  /** The project's name in emails, or a function called for each email. Default: the project's id. */
  readonly projectName?: string | (() => string);
  /** Language for emails whose request has no `X-Appwrite-Locale`. Default: English. */
  readonly mailLocale?: () => string;
  /** The SMTP server. Without one, requests that need an email are refused: 503 `general_smtp_disabled`. */
  readonly mail?: MailOptions | undefined;
  /** The first key also protects JWTs, emailed codes, queued emails and second factors. Replacing it voids them. */
  readonly keys: readonly ServerKey[];
  /**
   * Origins (`https://blog.example.com`) of the site in front of this backend; its pages may call the API. If there are
   * no other web clients, session cookies are limited to the site: no Domain, SameSite=Lax.
   */
  readonly ownOrigins?: readonly string[];
  /**
   * Other web clients (contract 1.4): origins, or host names and wildcards that match any scheme and port.
   * If there are any, session cookies are also sent cross-site, as the contract specifies.
   */
  readonly webOrigins: readonly string[];
  /** Enforces the contract's rate limits (default true). */
  readonly rateLimits?: boolean;
  /** Lets guests create accounts without email and password (default false). */
  readonly anonymous?: boolean;
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses, networks such as `10.0.0.0/8`,
   * `loopback`, `private`. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** The header in which these proxies pass on the client's address. Default: `X-Forwarded-For`. */
  readonly clientAddressHeader?: string;
  /** Minimum length of a password in bytes. Default: 6, as in the site's sign-up form; the contract requires 8. */
  readonly passwordMinimum?: number;
  readonly passwordCost?: PasswordCost;
  /** Maximum sessions per user, oldest dropped first; 0 (the default) means 500. */
  readonly maxSessions?: number;
  /** Session length in seconds, default one year. */
  readonly sessionDuration?: number;
  /** Returns true for previews that the site uses. Others get a smaller cache and less parallelism. Default: true. */
  readonly isOwnPreview?: (preview: PreviewPlan) => boolean;
  /** Returns true for previews that may be larger than the original. Default: true, as in the contract. */
  readonly mayEnlarge?: (preview: PreviewPlan) => boolean;
  /** Storage quota per user in bytes: files, unfinished uploads and documents together. Default 0: unlimited. */
  readonly storageQuota?: number;
  /**
   * Minimum free disk space in bytes; below it, only callers with a server key may write. 0 turns the check off.
   * Default: 256 MiB, but at most 5% of the disk.
   */
  readonly diskReserve?: number;
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;
}

export interface Kernel {
  readonly options: EmbeddedOptions;
  readonly store: Store;
  readonly events: EventBus;
  readonly usage: StorageUsage;
  readonly freeSpace: FreeSpace;
  readonly origins: Origins;
  readonly mail: Mailer | undefined;
}
