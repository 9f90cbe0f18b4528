/** The webhooks table. Functions that write must run inside `store.write`. */
import { AppwriteError } from '../http/errors.ts';
import { now } from '../identifiers.ts';
import { refuseTaken } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { WEBHOOKS, type WebhookRecord } from './webhook.ts';

/** Consecutive failures that disable a webhook (contract 2.8). */
const FAILURES_TOLERATED = 10;

type WebhookSettings = Pick<
  WebhookRecord,
  'name' | 'url' | 'events' | 'enabled' | 'tls' | 'authUsername' | 'authPassword'
>;

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;

export function createWebhookRecords(store: Store) {
  function find(id: string): WebhookRecord {
    const webhook = WEBHOOKS.get(store, { id });
    if (!webhook) throw new AppwriteError('webhook_not_found');
    return webhook;
  }

  return {
    find,
    enabled: (where: { readonly id?: string } = {}): WebhookRecord[] =>
      WEBHOOKS.list(store, { enabled: true, ...where }),
    /** Throws 409 `webhook_already_exists` if the id is taken. */
    insert(webhook: WebhookSettings & { id: string; secret: string }): WebhookRecord {
      const moment = now();
      refuseTaken(
        () => WEBHOOKS.insert(store, { ...webhook, createdAt: moment, updatedAt: moment }),
        () => new AppwriteError('webhook_already_exists'),
      );
      return find(webhook.id);
    },
    /** Changes a webhook. Enabling it resets its count of failures. */
    change(id: string, changes: WebhookSettings | { secret: string }): WebhookRecord {
      const reset = 'enabled' in changes && changes.enabled && { attempts: 0 };
      WEBHOOKS.update(store, { id }, { updatedAt: now(), ...changes, ...reset });
      return find(id);
    },
    remove(id: string): WebhookRecord {
      const webhook = find(id);
      WEBHOOKS.delete(store, { id });
      return webhook;
    },
    succeeded: (id: string): void => void WEBHOOKS.update(store, { id }, { attempts: 0 }),
    /** Counts a failure. Returns true if it was the tenth in a row, which disables the webhook. */
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
