/** What every service of the embedded backend is given: the database, the event bus, the options. */

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

/** How an operator configures the embedded backend; it never reads the environment itself. */
export interface EmbeddedOptions {
  /** Folder of the database, uploads and preview cache. Made when missing. */
  readonly directory: string;
  readonly projectId: string;
  /** The name that mails go by. Default: the project's id. */
  readonly projectName?: string;
  /** The SMTP server for mails. Without one whatever needs a mail is refused: 503 `general_smtp_disabled`. */
  readonly mail?: MailOptions | undefined;
  /**
   * Server keys. The secret is compared in constant time; `scopes` undefined means every scope. The first one also seals
   * mails that wait, the codes in them and second factors, and signs JWTs: under another one they are lost.
   */
  readonly keys: readonly ServerKey[];
  /**
   * Whole origins (`https://blog.example.com`) of the site that this backend is behind, whose pages may call. Where it has
   * no other web client, session cookies are its own alone: no Domain, SameSite=Lax.
   */
  readonly ownOrigins?: readonly string[];
  /**
   * Further web clients, whose pages may call from a browser (contract 1.4): host names of any scheme and port, `*`,
   * `*.example.com`, or whole origins. With any, session cookies are sent from other sites, too, as the contract has it.
   */
  readonly webOrigins: readonly string[];
  /** Rate limits as the contract's table (default true). */
  readonly rateLimits?: boolean;
  /** Whether guests may make accounts without e-mail and password (default false). */
  readonly anonymous?: boolean;
  /**
   * Proxies in front whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses, networks such as
   * `10.0.0.0/8`, `loopback`, `private`. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** Shortest password in bytes. Default 6: what the product's sign-up form accepts can sign up. The contract's is 8. */
  readonly passwordMinimum?: number;
  /** What hashing a password takes. Default: the contract's. */
  readonly passwordCost?: PasswordCost;
  /** Most sessions of a user; 0 (the default): 500. The oldest go first. */
  readonly maxSessions?: number;
  /** Session length in seconds, default one year. */
  readonly sessionDuration?: number;
  /** Which previews the site's own pages ask for: others are made, but fewer at once, and are kept apart. Default: all. */
  readonly isOwnPreview?: (preview: PreviewPlan) => boolean;
  /** Which previews may be larger than their picture; others keep their shape at its size. Default: all, as the contract has it. */
  readonly mayEnlarge?: (preview: PreviewPlan) => boolean;
  /** Largest file in bytes a bucket may allow, default 30,000,000. */
  readonly storageLimit?: number;
  /** Most bytes that a user stores in files, unfinished uploads and documents together. Default 0: no bound. */
  readonly storageQuota?: number;
  /** Bytes of free disk below which only server keys write; 0: none. Default: 256 MiB, at most a twentieth of the disk. */
  readonly diskReserve?: number;
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;
}

export interface Kernel {
  readonly options: EmbeddedOptions;
  readonly store: Store;
  readonly events: EventBus;
  readonly usage: StorageUsage;
  readonly freeSpace: FreeSpace;
  /** Whose pages may call, and may be what a mail links to. */
  readonly origins: Origins;
  /** Absent without an SMTP server. */
  readonly mail: Mailer | undefined;
}
