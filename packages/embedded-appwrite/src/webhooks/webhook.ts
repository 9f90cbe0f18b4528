/** A webhook as stored, and the JSON it is answered with (contract 2.8). */
import { flag, integer, json, type RecordOf, table, text } from '../sqlite/table.ts';

const COLUMNS = {
  id: text,
  createdAt: text,
  updatedAt: text,
  name: text,
  url: text,
  events: json<readonly string[]>(),
  enabled: flag,
  /** Whether certificates are checked. */
  tls: flag,
  authUsername: text,
  authPassword: text,
  /** Signs every delivery. */
  secret: text,
  /** The text of the last failure. */
  logs: text,
  /** Failures in a row. */
  attempts: integer,
};

export const WEBHOOKS = table('webhooks', COLUMNS);
export type WebhookRecord = RecordOf<typeof COLUMNS>;

/** Returns the answer for a webhook. Its secret is shown only when it is made or changed. */
export function webhookJson(webhook: WebhookRecord, { withSecret = false } = {}): Record<string, unknown> {
  const { id, createdAt, updatedAt, secret, ...rest } = webhook;
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, ...rest, secret: withSecret ? secret : '' };
}
