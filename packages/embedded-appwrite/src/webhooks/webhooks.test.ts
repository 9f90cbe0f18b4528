import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { type Receiver, startReceiver } from '../../tests/support/webhook-receiver.ts';

const ON_USERS = ['users.*.create', 'users.*.update.name'];
let server: TestBackend;
let receiver: Receiver;
let log: string[];

beforeEach(async () => {
  log = [];
  server = await startTestBackend({ log: (_level, message) => log.push(message) });
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await server.stop();
});

const asKey = (method: string, path: string, body?: unknown) => server.request(method, path, { asKey: true, body });

const settings = (changes: Record<string, unknown> = {}) => ({
  webhookId: 'hook',
  name: 'Hook',
  url: receiver.url,
  events: ON_USERS,
  ...changes,
});

const addUser = async (id: string) => expect((await asKey('POST', '/users', { userId: id })).status).toBe(201);

const received = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('management', () => {
  test('a webhook is made, read, changed and removed; its secret is told when it is set', async () => {
    const made = await asKey('POST', '/webhooks', settings({ secret: 'eight ch' }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      $id: 'hook',
      secret: 'eight ch',
      enabled: true,
      tls: false,
      attempts: 0,
      logs: '',
    });
    expect((await asKey('GET', '/webhooks/hook')).body).toEqual({ ...made.body, secret: '' });

    const rotated = await asKey('PATCH', '/webhooks/hook/secret', {});
    expect(rotated.body.secret).toMatch(/^[0-9a-f]{128}$/);
    const changed = await asKey('PUT', '/webhooks/hook', settings({ name: 'New', enabled: false }));
    expect(changed.body).toMatchObject({ name: 'New', enabled: false, secret: '' });

    expect((await asKey('GET', '/webhooks')).body).toMatchObject({
      total: 1,
      webhooks: [{ $id: 'hook', name: 'New' }],
    });
    expect((await asKey('DELETE', '/webhooks/hook')).status).toBe(204);
    expect((await asKey('GET', '/webhooks/hook')).body.type).toBe('webhook_not_found');
  });

  test('ids are unique', async () => {
    await asKey('POST', '/webhooks', settings());
    expect((await asKey('POST', '/webhooks', settings())).body).toMatchObject({
      code: 409,
      type: 'webhook_already_exists',
    });
  });

  test.each([
    ['url', 'ftp://example.com'],
    ['url', 'example.com'],
    ['events', ['nothing.*.create']],
    ['events', 'users.*'],
    ['secret', 'seven c'],
    ['name', ''],
  ])('%s cannot be %j', async (name, value) => {
    const { body } = await asKey('POST', '/webhooks', settings({ [name]: value }));
    expect(body).toMatchObject({ code: 400, message: expect.stringContaining(`Invalid \`${name}\` param`) });
  });
});

describe('delivery', () => {
  test('a receiver gets changes in their order', async () => {
    await asKey('POST', '/webhooks', settings());
    const ids = Array.from({ length: 20 }, (_, i) => `user-${i}`);
    for (const id of ids) await addUser(id);
    await vi.waitFor(() => expect(received().map(({ $id }) => $id)).toEqual(ids), { timeout: 10_000 });
  });

  test('a receiver that hangs is given up when the server ends, and holds up nothing before', async () => {
    receiver.answer = () => {};
    await asKey('POST', '/webhooks', settings());
    await addUser('ann');
    await addUser('ben');
    await vi.waitFor(() => expect(received()).toHaveLength(1), { timeout: 10_000 });
    await server.backend.close();
    expect(received()).toHaveLength(1);
  });

  test('what waits is delivered before the server ends', async () => {
    receiver.answer = (_request, response) => setTimeout(() => response.end(), 50);
    await asKey('POST', '/webhooks', settings());
    for (const id of ['ann', 'ben', 'cid']) await addUser(id);
    await server.backend.close();
    expect(received()).toHaveLength(3);
  });

  test('more than a receiver can take is dropped with one word in the log', async () => {
    receiver.answer = () => {};
    await asKey('POST', '/webhooks', settings());
    await addUser('first');
    const change = {
      events: ON_USERS,
      channels: [],
      roles: [],
      payload: { text: 'x'.repeat(1024 * 1024) },
      timestamp: '',
    };
    for (let i = 0; i < 50; i++) server.backend.events.emit(change);
    expect(log.filter((message) => message.includes('too slow'))).toHaveLength(1);
  });
});
