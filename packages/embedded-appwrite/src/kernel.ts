/** What every service of the backend is given: the database, the event bus, the options. */

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

/** The operator's settings. The backend never reads the environment itself. */
export interface EmbeddedOptions {
  /** Folder of the database, uploads and preview cache. Made when missing. */
  readonly directory: string;
  readonly projectId: string;
  /** The sender's name in mails. Default: the project's id. */
  readonly projectName?: string;
  /** The SMTP server. Without one, requests that need a mail are refused: 503 `general_smtp_disabled`. */
  readonly mail?: MailOptions | undefined;
  /**
   * Server keys. The first one also seals waiting mails, their codes and second factors, and signs JWTs: under
   * another one they are lost.
   */
  readonly keys: readonly ServerKey[];
  /**
   * Whole origins (`https://blog.example.com`) of the site in front of this backend, whose pages may call. Without
   * other web clients, session cookies are the site's alone: no Domain, SameSite=Lax.
   */
  readonly ownOrigins?: readonly string[];
  /**
   * Further web clients (contract 1.4): host names of any scheme and port, `*`, `*.example.com`, or whole origins.
   * With any, other sites send session cookies too, as the contract has it.
   */
  readonly webOrigins: readonly string[];
  /** Whether the contract's rate limits are enforced (default true). */
  readonly rateLimits?: boolean;
  /** Whether guests may make accounts without e-mail and password (default false). */
  readonly anonymous?: boolean;
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses, networks such as `10.0.0.0/8`,
   * `loopback`, `private`. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** Bytes. Default 6, as the product's sign-up form accepts; the contract's is 8. */
  readonly passwordMinimum?: number;
  /** Default: the contract's. */
  readonly passwordCost?: PasswordCost;
  /** Most sessions of a user; 0 (the default): 500. The oldest go first. */
  readonly maxSessions?: number;
  /** Session length in seconds, default one year. */
  readonly sessionDuration?: number;
  /**
   * Tells which previews the site's own pages ask for; fewer others are made at once, and they are kept apart.
   * Default: all.
   */
  readonly isOwnPreview?: (preview: PreviewPlan) => boolean;
  /**
   * Tells which previews may be larger than their picture; others keep its size. Default: all, as the contract has
   * it.
   */
  readonly mayEnlarge?: (preview: PreviewPlan) => boolean;
  /** Largest file in bytes a bucket may allow, default 30,000,000. */
  readonly storageLimit?: number;
  /** Bytes per user in files, unfinished uploads and documents together. Default 0: no bound. */
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
  /** The web pages that may call, and that a mail may link to. */
  readonly origins: Origins;
  /** Absent without an SMTP server. */
  readonly mail: Mailer | undefined;
}
