/** The table of webhooks, and in memory those that are enabled: every change of the project asks for them. */
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../databases/query/list.ts';
import { AppwriteError } from '../http/errors.ts';
import { now } from '../identifiers.ts';
import { violatedColumn } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { type WebhookRecord, webhookFromRow } from './webhook.ts';

/** So many failures in a row disable a webhook (contract 2.8). */
const FAILURES_TOLERATED = 10;

export type WebhookSettings = Pick<
  WebhookRecord,
  'name' | 'url' | 'events' | 'enabled' | 'tls' | 'authUsername' | 'authPassword'
>;

export interface WebhookRecords {
  /** Throws 404 `webhook_not_found`. */
  find(id: string): WebhookRecord;
  /** The enabled webhook of this id, as it is now. */
  enabled(id: string): WebhookRecord | undefined;
  /** Enabled webhooks that are subscribed to one of these events. */
  wanting(events: () => readonly string[]): readonly WebhookRecord[];
  /** Runs the changes below in one write, and resolves once they are on disk and count. */
  commit<T>(changes: () => T): Promise<T>;
  /** Like `commit`, and goes on while the disk is full. */
  commitRemoval<T>(changes: () => T): Promise<T>;
  /** Throws 409 `webhook_already_exists`. */
  insert(webhook: WebhookSettings & { id: string; secret: string }): WebhookRecord;
  /** Enabling counts failures anew. */
  change(id: string, settings: WebhookSettings): WebhookRecord;
  changeSecret(id: string, secret: string): WebhookRecord;
  /** Gives what it was. */
  remove(id: string): WebhookRecord;
  /** Counts failures anew. */
  succeeded(id: string): void;
  /** Counts a failure; the tenth in a row disables an enabled webhook and gives true. */
  failed(id: string, log: string): boolean;
}

interface Wanted {
  readonly webhook: WebhookRecord;
  readonly names: ReadonlySet<string>;
}

const NONE: readonly WebhookRecord[] = [];

function columnsOf(settings: WebhookSettings): Record<string, SQLInputValue> {
  return {
    name: settings.name,
    url: settings.url,
    events: JSON.stringify(settings.events),
    enabled: Number(settings.enabled),
    tls: Number(settings.tls),
    auth_username: settings.authUsername,
    auth_password: settings.authPassword,
  };
}

export function createWebhookRecords(store: Store): WebhookRecords {
  let known = new Map<string, Wanted>();

  function reload(): void {
    const rows = store.prepare('SELECT * FROM webhooks WHERE enabled = 1 ORDER BY sequence').all();
    known = new Map(
      rows.map((row) => {
        const webhook = webhookFromRow(row as Row);
        return [webhook.id, { webhook, names: new Set(webhook.events) }];
      }),
    );
  }

  function find(id: string): WebhookRecord {
    const row = store.prepare('SELECT * FROM webhooks WHERE id = ?').get(id);
    if (!row) throw new AppwriteError('webhook_not_found');
    return webhookFromRow(row as Row);
  }

  function update(id: string, columns: Record<string, SQLInputValue>): void {
    const names = Object.keys(columns);
    store
      .prepare(`UPDATE webhooks SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`)
      .run(...Object.values(columns), id);
  }

  reload();
  return {
    find,
    enabled: (id) => known.get(id)?.webhook,
    wanting(events) {
      if (known.size === 0) return NONE;
      const told = events();
      return [...known.values()]
        .filter(({ names }) => told.some((name) => names.has(name)))
        .map(({ webhook }) => webhook);
    },
    commit: (changes) => store.write(changes).finally(reload),
    commitRemoval: (changes) => store.writeThoughFull(changes).finally(reload),
    insert({ id, secret, ...settings }) {
      const moment = now();
      const columns = { id, created_at: moment, updated_at: moment, ...columnsOf(settings), secret };
      const names = Object.keys(columns);
      try {
        store
          .prepare(`INSERT INTO webhooks (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
          .run(...Object.values(columns));
      } catch (error) {
        throw violatedColumn(error) ? new AppwriteError('webhook_already_exists') : error;
      }
      return find(id);
    },
    change(id, settings) {
      find(id);
      update(id, { updated_at: now(), ...columnsOf(settings), ...(settings.enabled ? { attempts: 0 } : {}) });
      return find(id);
    },
    changeSecret(id, secret) {
      find(id);
      update(id, { updated_at: now(), secret });
      return find(id);
    },
    remove(id) {
      const webhook = find(id);
      store.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
      return webhook;
    },
    succeeded(id) {
      update(id, { attempts: 0 });
    },
    failed(id, logs) {
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
