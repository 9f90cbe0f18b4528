/** An Appwrite-compatible server for one project, storing data in SQLite and a folder. Knows nothing about the blog. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createClientOf } from '@common-ink/http/client-address.ts';
import { createAccounts } from './account/accounts.ts';
import { accountRoutes } from './account/routes.ts';
import { databasesRoutes } from './databases/routes.ts';
import { EventBus } from './events.ts';
import { createAuthenticate } from './http/access/authenticate.ts';
import { createOrigins } from './http/access/origin.ts';
import { createRateLimiter } from './http/access/rate-limits.ts';
import { healthRoutes } from './http/health.ts';
import type { Route } from './http/route.ts';
import { createRouter, limitsOf } from './http/router.ts';
import { createRequestHandler } from './http/server.ts';
import type { EmbeddedOptions, Kernel } from './kernel.ts';
import { createMailer, type MailCounts } from './mail/mailer.ts';
import { challengeRoutes } from './mfa/challenge-routes.ts';
import { factorRoutes } from './mfa/factor-routes.ts';
import { FreeSpace } from './quota/free-space.ts';
import { StorageUsage } from './quota/usage.ts';
import { createRealtime } from './realtime/realtime.ts';
import { derivedKey } from './seal.ts';
import { MIGRATIONS } from './sqlite/migrations.ts';
import { ownDirectory } from './sqlite/owner.ts';
import { openStore } from './sqlite/store.ts';
import { countStored, type StoredCounts } from './statistics.ts';
import { storageRoutes } from './storage/routes.ts';
import { teamsRoutes } from './teams/routes.ts';
import { usersRoutes } from './users/routes.ts';
import { createWebhooks } from './webhooks/routes.ts';

export { type BackendEvent, EventBus, type EventListener } from './events.ts';
export type { EmbeddedOptions } from './kernel.ts';
export { createTransport, type Delivery, type MailOptions, mailFault, type Outcome } from './mail/transport.ts';
export { countLostFactors } from './mfa/sealed-column.ts';
export { closedState } from './sqlite/file-state.ts';
export { lossOf, requireDatabase } from './sqlite/lost-database.ts';
export { MIGRATIONS } from './sqlite/migrations.ts';
export { currentHolder, ownDirectory } from './sqlite/owner.ts';
export { isDiskFull, StoreError } from './sqlite/store-error.ts';
export type { PreviewPlan } from './storage/preview/parameters.ts';

export interface BackendStatistics {
  readonly stored: StoredCounts;
  readonly mails: MailCounts | undefined;
}

export interface EmbeddedBackend {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** All routes below `/v1`; `:name` in a path is a parameter. */
  readonly routes: readonly (Pick<Route, 'method' | 'path' | 'params' | 'scope'> & Required<Pick<Route, 'limits'>>)[];
  readonly events: EventBus;
  statistics(): BackendStatistics;
  /** Returns false while the disk is full. Work that can wait should then be postponed, to save the remaining space. */
  hasRoom(): boolean;
  /**
   * Returns a message that tells the operator how the database is damaged and what to do; `undefined` while no damage
   * is known. Damage stops all writes.
   */
  damage(): string | undefined;
  /** Resolves once the structure of an existing database has been checked. */
  readonly checked: Promise<void>;
  /** Closes all WebSockets and refuses new ones. Call it before closing the HTTP server, which waits for them. */
  disconnect(): void;
  /** Commits pending writes and closes the database. Stop the HTTP server first. */
  close(): Promise<void>;
}

/** Opens a backend that owns its folder. Throws StoreError if another process owns it or a newer release wrote it. */
export function createEmbeddedBackend(options: EmbeddedOptions): EmbeddedBackend {
  const clientOf = createClientOf(options.trustedProxies ?? [], options.clientAddressHeader);
  const owner = ownDirectory(options.directory);
  const store = owner.open(() => openStore(options.directory, MIGRATIONS, { log: options.log }));
  const events = new EventBus((error) => options.log?.('error', 'A listener of the backend failed.', error));
  const freeSpace = new FreeSpace({ directory: options.directory, reserve: options.diskReserve });
  const usage = new StorageUsage(store, options.storageQuota ?? 0);
  const origins = createOrigins([...(options.ownOrigins ?? []), ...options.webOrigins]);
  const { projectName = options.projectId } = options;
  const mail =
    options.mail &&
    createMailer({
      store,
      options: options.mail,
      project: () => (typeof projectName === 'function' ? projectName() : projectName),
      key: derivedKey(options, 'mails that wait'),
      log: options.log,
    });
  const kernel: Kernel = { options, store, events, usage, freeSpace, origins, mail };
  const accounts = createAccounts(kernel);
  const webhooks = createWebhooks(kernel);
  const routes = [
    ...healthRoutes(options.projectId),
    ...accountRoutes(kernel, accounts),
    ...usersRoutes(kernel, accounts),
    ...teamsRoutes(kernel, accounts),
    ...factorRoutes(kernel, accounts),
    ...challengeRoutes(kernel, accounts),
    ...databasesRoutes(kernel),
    ...storageRoutes(kernel),
    ...webhooks.routes,
  ];
  const scopes = new Set(routes.map(({ scope }) => scope));
  const limiter = createRateLimiter({ enabled: options.rateLimits ?? true });
  const handle = createRequestHandler({
    projectId: options.projectId,
    log: options.log,
    freeSpace,
    noteError: store.noteError,
    router: createRouter(routes),
    origins,
    authenticate: createAuthenticate(options, accounts.signIns, scopes),
    limiter,
    clientOf,
  });
  const realtime = createRealtime({ kernel, accounts, limiter, clientOf });
  return {
    handle,
    upgrade: realtime.upgrade,
    routes: routes.map((each) => ({ ...each, limits: limitsOf(each) })),
    events,
    statistics: () => ({ stored: countStored(store), mails: mail?.counts() }),
    hasRoom: () => store.hasRoom,
    damage: () => store.damage,
    checked: store.checked,
    disconnect: realtime.close,
    async close() {
      realtime.close();
      await Promise.all([webhooks.close(), mail?.close()]);
      await store.close();
      owner.release();
    },
  };
}
