/** A webhook: where to, on which events, and how it has gone so far. */
import type { Row } from '../databases/query/list.ts';

export interface WebhookRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** Certificates are checked. */
  readonly tls: boolean;
  readonly authUsername: string;
  readonly authPassword: string;
  /** Signs every delivery. */
  readonly secret: string;
  /** What the last failure said. */
  readonly logs: string;
  /** Failures in a row. */
  readonly attempts: number;
}

export function webhookFromRow(row: Row): WebhookRecord {
  const text = (column: string): string => String(row[column]);
  return {
    id: text('id'),
    createdAt: text('created_at'),
    updatedAt: text('updated_at'),
    name: text('name'),
    url: text('url'),
    events: JSON.parse(text('events')),
    enabled: row.enabled === 1,
    tls: row.tls === 1,
    authUsername: text('auth_username'),
    authPassword: text('auth_password'),
    secret: text('secret'),
    logs: text('logs'),
    attempts: Number(row.attempts),
  };
}

/** The answer for a webhook. Its secret is told when it is made or changed, and never again. */
export function webhookJson(webhook: WebhookRecord, { withSecret = false } = {}): Record<string, unknown> {
  const { id, createdAt, updatedAt, secret, ...rest } = webhook;
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, ...rest, secret: withSecret ? secret : '' };
}
