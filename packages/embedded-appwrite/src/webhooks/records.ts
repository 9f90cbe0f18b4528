/** The webhooks table. Enabled webhooks are kept in memory, because every change looks for them. */
import { AppwriteError } from '../http/errors.ts';
import { now } from '../identifiers.ts';
import { refuseTaken } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { WEBHOOKS, type WebhookRecord } from './webhook.ts';

/** Consecutive failures that disable a webhook (contract 2.8). */
const FAILURES_TOLERATED = 10;

export type WebhookSettings = Pick<
  WebhookRecord,
  'name' | 'url' | 'events' | 'enabled' | 'tls' | 'authUsername' | 'authPassword'
>;

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;

interface Wanted {
  readonly webhook: WebhookRecord;
  readonly names: ReadonlySet<string>;
}

const NONE: readonly WebhookRecord[] = [];

export function createWebhookRecords(store: Store) {
  let known = new Map<string, Wanted>();

  function reload(): void {
    const enabled = WEBHOOKS.list(store, { enabled: true });
    known = new Map(enabled.map((webhook) => [webhook.id, { webhook, names: new Set(webhook.events) }]));
  }

  function find(id: string): WebhookRecord {
    const webhook = WEBHOOKS.get(store, { id });
    if (!webhook) throw new AppwriteError('webhook_not_found');
    return webhook;
  }

  function change(id: string, changes: Partial<WebhookRecord>): WebhookRecord {
    WEBHOOKS.update(store, { id }, { updatedAt: now(), ...changes });
    return find(id);
  }

  reload();
  return {
    find,
    /** Returns the current webhook, if it is enabled. */
    enabled: (id: string): WebhookRecord | undefined => known.get(id)?.webhook,
    /** Returns the enabled webhooks that subscribe to one of these events. */
    wanting(events: () => readonly string[]): readonly WebhookRecord[] {
      if (known.size === 0) return NONE;
      const told = events();
      return [...known.values()]
        .filter(({ names }) => told.some((name) => names.has(name)))
        .map(({ webhook }) => webhook);
    },
    /** Runs the changes below in one write; resolves once they are on disk and in memory. */
    commit: <T>(changes: () => T): Promise<T> => store.write(changes).finally(reload),
    /** Like `commit`, but works on a full disk. */
    commitRemoval: <T>(changes: () => T): Promise<T> => store.writeThoughFull(changes).finally(reload),
    /** Throws 409 `webhook_already_exists`. */
    insert(webhook: WebhookSettings & { id: string; secret: string }): WebhookRecord {
      const moment = now();
      refuseTaken(
        () => WEBHOOKS.insert(store, { ...webhook, createdAt: moment, updatedAt: moment }),
        () => new AppwriteError('webhook_already_exists'),
      );
      return find(webhook.id);
    },
    /** Enabling resets the failures. */
    change: (id: string, settings: WebhookSettings): WebhookRecord =>
      change(id, { ...settings, ...(settings.enabled && { attempts: 0 }) }),
    changeSecret: (id: string, secret: string): WebhookRecord => change(id, { secret }),
    remove(id: string): WebhookRecord {
      const webhook = find(id);
      WEBHOOKS.delete(store, { id });
      return webhook;
    },
    succeeded: (id: string): void => void WEBHOOKS.update(store, { id }, { attempts: 0 }),
    /** Counts a failure. The tenth in a row disables an enabled webhook and returns true. */
    failed(id: string, logs: string): boolean {
      const row = store
        .prepare(
          `UPDATE webhooks SET attempts = attempts + 1, logs = ?, enabled = attempts + 1 < ${FAILURES_TOLERATED}
           WHERE id = ? AND enabled = 1 RETURNING enabled`,
        )
        .get(logs, id);
      return row?.enabled === 0;
    },
  };
}
