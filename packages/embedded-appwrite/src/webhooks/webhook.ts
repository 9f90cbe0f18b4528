import { flag, integer, json, type RecordOf, table, text } from '../sqlite/table.ts';

const COLUMNS = {
  id: text,
  createdAt: text,
  updatedAt: text,
  name: text,
  url: text,
  events: json<readonly string[]>(),
  enabled: flag,
  /** True if the receiver's TLS certificate must be valid. */
  tls: flag,
  authUsername: text,
  authPassword: text,
  secret: text,
  logs: text,
  attempts: integer,
};

export const WEBHOOKS = table('webhooks', COLUMNS);
export type WebhookRecord = RecordOf<typeof COLUMNS>;

export function webhookJson(webhook: WebhookRecord, { withSecret = false } = {}): Record<string, unknown> {
  const { id, createdAt, updatedAt, secret, ...rest } = webhook;
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, ...rest, secret: withSecret ? secret : '' };
}
