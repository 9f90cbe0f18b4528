import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { type Receiver, startReceiver } from '../../tests/support/webhook-receiver.ts';

const ON_USERS = ['users.*.create', 'users.*.update.name'];
let server: TestBackend;
let receiver: Receiver;
let log: string[];

beforeEach(async () => {
  log = [];
  server = await backendOfTest({ log: (_level, message) => log.push(message) });
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const asKey = (method: string, path: string, body?: unknown) => server.request(method, path, { asKey: true, body });
const settings = (changes: Record<string, unknown> = {}) => ({
  ...{ webhookId: 'hook', name: 'Hook', url: receiver.url, events: ON_USERS },
  ...changes,
});
async function addUsers(...ids: string[]): Promise<void> {
  for (const userId of ids) expect((await asKey('POST', '/users', { userId })).status).toBe(201);
}
const received = () => receiver.received.map(({ body }) => JSON.parse(body).$id as string);

test('a webhook is made once, read, changed and removed; its secret is told when it is set', async () => {
  const made = await asKey('POST', '/webhooks', settings({ secret: 'eight ch' }));
  const expected = { $id: 'hook', secret: 'eight ch', enabled: true, tls: false, attempts: 0, logs: '' };
  expect(made).toMatchObject({ status: 201, body: expected });
  const taken = { code: 409, type: 'webhook_already_exists' };
  expect((await asKey('POST', '/webhooks', settings())).body).toMatchObject(taken);
  expect((await asKey('GET', '/webhooks/hook')).body).toEqual({ ...made.body, secret: '' });
  expect((await asKey('PATCH', '/webhooks/hook/secret', {})).body.secret).toMatch(/^[0-9a-f]{128}$/);
  const changed = await asKey('PUT', '/webhooks/hook', settings({ name: 'New', enabled: false }));
  expect(changed.body).toMatchObject({ name: 'New', enabled: false, secret: '' });
  const list = { total: 1, webhooks: [{ $id: 'hook', name: 'New' }] };
  expect((await asKey('GET', '/webhooks')).body).toMatchObject(list);
  expect((await asKey('DELETE', '/webhooks/hook')).status).toBe(204);
  expect((await asKey('GET', '/webhooks/hook')).body.type).toBe('webhook_not_found');
});

test.each([
  ['url', 'ftp://example.com'],
  ['url', 'example.com'],
  ['events', ['nothing.*.create']],
  ['events', 'users.*'],
  ['secret', 'seven c'],
  ['name', ''],
])('a webhook’s %s cannot be %j', async (name, value) => {
  const { body } = await asKey('POST', '/webhooks', settings({ [name]: value }));
  expect(body).toMatchObject({ code: 400, message: expect.stringContaining(`Invalid \`${name}\` param`) });
});

test('a receiver gets changes in their order', async () => {
  await asKey('POST', '/webhooks', settings());
  const ids = Array.from({ length: 20 }, (_, i) => `user-${i}`);
  await addUsers(...ids);
  await vi.waitFor(() => expect(received()).toEqual(ids), { timeout: 120_000 });
});

test('a receiver that hangs holds nothing up and is given up when the server ends', async () => {
  // Disables the delivery timeout, because on a busy machine it could pass and let the second delivery start.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => void vi.restoreAllMocks());
  receiver.answer = () => {};
  await asKey('POST', '/webhooks', settings());
  await addUsers('ann', 'ben');
  await vi.waitFor(() => expect(received()).toEqual(['ann']), { timeout: 120_000 });
  await server.backend.close();
  expect(received()).toEqual(['ann']);
});

test('waiting deliveries are sent before the server ends', async () => {
  // Disables the server's shutdown time limit, which the deliveries could exceed on a busy machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  receiver.answer = (_request, response) => void wait(50).then(() => response.end());
  await asKey('POST', '/webhooks', settings());
  await addUsers('ann', 'ben', 'cid');
  await server.backend.close();
  expect(received()).toEqual(['ann', 'ben', 'cid']);
});

test('events beyond the limits are dropped and logged once', async () => {
  receiver.answer = () => {};
  await asKey('POST', '/webhooks', settings());
  await addUsers('first');
  const payload = { text: 'x'.repeat(1024 * 1024) };
  for (let i = 0; i < 50; i++)
    server.backend.events.emit({ events: ON_USERS, channels: [], roles: [], payload, timestamp: '' });
  expect(log.filter((message) => message.includes('too slow'))).toHaveLength(1);
});
