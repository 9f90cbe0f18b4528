/** Webhooks, for server keys, on the paths of `node-appwrite`'s Webhooks (contract 2.8). */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller.ts';
import { listRows } from '../databases/query/list.ts';
import { parseQueries } from '../databases/query/parse.ts';
import { internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { boolean, customId, list, optional, queries, required, text, uid } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { eventName, targetUrl } from './params.ts';
import type { WebhookRecords } from './records.ts';
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

const newSecret = (): string => randomBytes(64).toString('hex');

export function webhookRoutes({ store, events }: Kernel, records: WebhookRecords): Route[] {
  const webhookId = required(uid());

  function emit(caller: Caller, webhook: WebhookRecord, action: string): void {
    const names = [`webhooks.${webhook.id}`, 'webhooks.*'];
    events.emit({
      events: [...names.map((name) => `${name}.${action}`), ...names],
      channels: [],
      roles: [],
      payload: webhookJson(webhook),
      timestamp: now(),
      ...(caller.user && { userId: caller.user.id }),
    });
  }

  return [
    route({
      method: 'GET',
      path: '/webhooks',
      scope: 'webhooks.read',
      params: { queries: optional(queries(), []), total: optional(boolean(), true) },
      handle({ params }) {
        const query = parseQueries(params.queries, SCHEMA, { errorType: 'general_argument_invalid' });
        const source = { from: 'webhooks', columns: '*', schema: SCHEMA, noun: 'Webhook' };
        const { rows, total } = listRows(store, source, query, params.total);
        return { status: 200, body: { total, webhooks: rows.map((row) => webhookJson(WEBHOOKS.fromRow(row))) } };
      },
    }),
    route({
      method: 'POST',
      path: '/webhooks',
      scope: 'webhooks.write',
      params: { webhookId: required(customId()), ...SETTINGS, secret: SECRET },
      async handle({ params: { webhookId: id, secret, ...settings }, caller }) {
        const webhook = await records.commit(() => records.insert({ ...settings, id, secret: secret ?? newSecret() }));
        emit(caller, webhook, 'create');
        return { status: 201, body: webhookJson(webhook, { withSecret: true }) };
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks/:webhookId',
      scope: 'webhooks.read',
      params: { webhookId },
      handle: ({ params }) => ({ status: 200, body: webhookJson(records.find(params.webhookId)) }),
    }),
    route({
      method: 'PUT',
      path: '/webhooks/:webhookId',
      scope: 'webhooks.write',
      params: { webhookId, ...SETTINGS },
      async handle({ params: { webhookId: id, ...settings }, caller }) {
        const webhook = await records.commit(() => records.change(id, settings));
        emit(caller, webhook, 'update');
        return { status: 200, body: webhookJson(webhook) };
      },
    }),
    route({
      method: 'PATCH',
      path: '/webhooks/:webhookId/secret',
      scope: 'webhooks.write',
      params: { webhookId, secret: SECRET },
      async handle({ params: { webhookId: id, secret }, caller }) {
        const webhook = await records.commit(() => records.changeSecret(id, secret ?? newSecret()));
        emit(caller, webhook, 'update');
        return { status: 200, body: webhookJson(webhook, { withSecret: true }) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/webhooks/:webhookId',
      scope: 'webhooks.write',
      params: { webhookId },
      async handle({ params, caller }) {
        const webhook = await records.commitRemoval(() => records.remove(params.webhookId));
        emit(caller, webhook, 'delete');
        return { status: 204 };
      },
    }),
  ];
}
