/** Webhook routes, which require a server key, with the paths that `node-appwrite` uses (contract 2.8). */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller.ts';
import { listAnswer, QUERY_PARAMS } from '../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { eventNames } from '../event-names.ts';
import { boolean, customId, list, optional, required, text, uid } from '../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { createDeliveries, type Deliveries } from './delivery.ts';
import { eventName, targetUrl } from './params.ts';
import { createWebhookRecords, type WebhookRecords } from './records.ts';
import { WEBHOOKS, type WebhookRecord, webhookJson } from './webhook.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created_at', updatedAt: 'updated_at' }),
    ['name', { type: 'string', column: 'name' }],
    ['url', { type: 'string', column: 'url' }],
    ['authUsername', { type: 'string', column: 'auth_username' }],
    ['tls', { type: 'boolean', column: 'tls' }],
    ['events', { type: 'string', column: 'events', array: true }],
    ['enabled', { type: 'boolean', column: 'enabled' }],
    ['logs', { type: 'string', column: 'logs' }],
    ['attempts', { type: 'integer', column: 'attempts' }],
  ]),
};

const SETTINGS = {
  name: required(text(128)),
  url: required(targetUrl()),
  events: required(list(eventName())),
  enabled: optional(boolean(), true),
  tls: optional(boolean(), false),
  authUsername: optional(text(256, { min: 0 }), ''),
  authPassword: optional(text(256, { min: 0 }), ''),
};
const SECRET = optional(text(256, { min: 8 }), undefined);

const PATH = { webhookId: required(uid()) };

const newSecret = (): string => randomBytes(64).toString('hex');

function webhookRoutes({ store, events }: Kernel, records: WebhookRecords): Route[] {
  function emit(caller: Caller, webhook: WebhookRecord, action: string): void {
    events.emit({
      events: eventNames([['webhooks', webhook.id]], action),
      channels: [],
      roles: [],
      payload: webhookJson(webhook),
      timestamp: now(),
      ...(caller.user && { userId: caller.user.id }),
    });
  }

  return [
    endpoint('GET /webhooks', 'webhooks.read', QUERY_PARAMS, ({ params }) => {
      const source = { from: 'webhooks', columns: '*', schema: SCHEMA, noun: 'Webhook' };
      return listAnswer(store, source, params, 'webhooks', (row) => webhookJson(WEBHOOKS.fromRow(row)));
    }),
    endpoint(
      'POST /webhooks',
      'webhooks.write',
      { webhookId: required(customId()), ...SETTINGS, secret: SECRET },
      async ({ params: { webhookId: id, secret = newSecret(), ...settings }, caller }) => {
        const webhook = await store.write(() => records.insert({ ...settings, id, secret }));
        emit(caller, webhook, 'create');
        return created(webhookJson(webhook, { withSecret: true }));
      },
    ),
    endpoint('GET /webhooks/:webhookId', 'webhooks.read', PATH, ({ params }) =>
      ok(webhookJson(records.find(params.webhookId))),
    ),
    endpoint(
      'PUT /webhooks/:webhookId',
      'webhooks.write',
      { ...PATH, ...SETTINGS },
      async ({ params: { webhookId, ...settings }, caller }) => {
        const webhook = await store.write(() => records.change(webhookId, settings));
        emit(caller, webhook, 'update');
        return ok(webhookJson(webhook));
      },
    ),
    endpoint(
      'PATCH /webhooks/:webhookId/secret',
      'webhooks.write',
      { ...PATH, secret: SECRET },
      async ({ params: { webhookId, secret = newSecret() }, caller }) => {
        const webhook = await store.write(() => records.change(webhookId, { secret }));
        emit(caller, webhook, 'update');
        return ok(webhookJson(webhook, { withSecret: true }));
      },
    ),
    endpoint('DELETE /webhooks/:webhookId', 'webhooks.write', PATH, async ({ params, caller }) => {
      const webhook = await store.writeThoughFull(() => records.remove(params.webhookId));
      emit(caller, webhook, 'delete');
      return NO_CONTENT;
    }),
  ];
}

export interface Webhooks extends Deliveries {
  readonly routes: Route[];
}

export function createWebhooks(kernel: Kernel): Webhooks {
  const records = createWebhookRecords(kernel.store);
  return { ...createDeliveries(kernel, records), routes: webhookRoutes(kernel, records) };
}
