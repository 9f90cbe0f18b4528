import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../tests/support/webhook-receiver.ts';
import { send } from './send.ts';
import type { WebhookRecord } from './webhook.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const goOn = new AbortController().signal;

function deliver(changes: Partial<WebhookRecord> = {}, timeout?: number) {
  const webhook: WebhookRecord = {
    id: 'hook',
    createdAt: '',
    updatedAt: '',
    name: 'Blog',
    url: receiver.url,
    events: [],
    enabled: true,
    tls: true,
    authUsername: '',
    authPassword: '',
    secret: 'secret key',
    logs: '',
    attempts: 0,
    ...changes,
  };
  return send(webhook, 'p1', { events: ['users.a.create', 'users.*'], body: '{}', userId: 'ann' }, goOn, timeout);
}

test('a status below 400 is a success', async () => {
  for (const status of [200, 204, 304, 399]) {
    receiver.answer = (_request, response) => response.writeHead(status).end();
    expect(await deliver()).toEqual({ ok: true });
  }
});

test('a redirect is not followed', async () => {
  receiver.answer = (_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  expect(await deliver()).toEqual({ ok: true });
  expect(receiver.received).toHaveLength(1);
});

test('a status from 400 is a failure, told with the beginning of the answer', async () => {
  receiver.answer = (_request, response) => response.writeHead(400).end(`no ${'x'.repeat(20_000)}`);
  const outcome = await deliver();
  expect(outcome).toMatchObject({
    ok: false,
    log: expect.stringMatching(/^URL: http.*\nMethod: POST\nStatus code: 400/),
  });
  expect(outcome.ok === false && outcome.log.length).toBeLessThan(11_000);
});

test('a receiver that does not answer in time has failed', async () => {
  receiver.answer = () => {};
  expect(await deliver({}, 100)).toMatchObject({ ok: false, log: expect.stringContaining('No answer within 0.1 s.') });
  receiver.answer = (_request, response) => response.writeHead(200).write('begun');
  expect(await deliver({}, 100)).toMatchObject({ ok: false, log: expect.stringContaining('No answer within') });
});

test('a receiver that is not there has failed', async () => {
  const { url } = receiver;
  await receiver.close();
  expect(await deliver({ url })).toMatchObject({ ok: false, log: expect.stringContaining('ECONNREFUSED') });
});

test('an answer of up to 5 MiB is read, a longer one is a failure', async () => {
  const limit = 5 * 1024 * 1024;
  receiver.answer = (_request, response) => response.end(Buffer.alloc(limit));
  expect(await deliver()).toEqual({ ok: true });
  receiver.answer = (_request, response) => response.end(Buffer.alloc(limit + 1));
  expect(await deliver()).toMatchObject({ ok: false, log: expect.stringContaining('longer than') });
});

test('user and password are sent when both are set', async () => {
  await deliver({ authUsername: 'ann', authPassword: 'pässword' });
  await deliver({ authUsername: 'ann' });
  const expected = `Basic ${Buffer.from('ann:pässword').toString('base64')}`;
  expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([expected, undefined]);
});

test('a name in any script arrives as UTF-8, and cannot add a header', async () => {
  await deliver({ name: 'Färberei\r\nX-Evil: 1' });
  const { headers } = receiver.received[0] as Receiver['received'][number];
  expect(Buffer.from(String(headers['x-appwrite-webhook-name']), 'latin1').toString()).toBe('Färberei  X-Evil: 1');
  expect(headers['x-evil']).toBeUndefined();
});
