import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../tests/support/webhook-receiver.ts';
import { send } from './send.ts';
import type { WebhookRecord } from './webhook.ts';

const FAILED = /^URL: http.*\nMethod: POST\nStatus code: 400/;
const LIMIT = 5 * 1024 * 1024;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function deliver(changes: Partial<WebhookRecord> = {}, timeout?: number) {
  const texts = { id: 'hook', createdAt: '', updatedAt: '', name: 'Blog', authUsername: '', authPassword: '' };
  const settings = { events: [], enabled: true, tls: true, secret: 'secret key', logs: '', attempts: 0 };
  const delivery = { events: ['users.a.create', 'users.*'], body: '{}', userId: 'ann' };
  const record = { ...texts, ...settings, url: receiver.url, ...changes };
  return send(record, 'p1', delivery, new AbortController().signal, timeout);
}

test.each<[string, RequestListener]>([
  ['status 200', (_, response) => response.writeHead(200).end()],
  ['status 399', (_, response) => response.writeHead(399).end()],
  ['a redirect', (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
  ['5 MiB', (_, response) => response.end(Buffer.alloc(LIMIT))],
])('an answer of %s is a success and is not followed', async (_, answer) => {
  receiver.answer = answer;
  expect(await deliver()).toEqual({ ok: true });
  expect(receiver.received).toHaveLength(1);
});

test.each<[string, string | RegExp, RequestListener, number | undefined]>([
  ['fails with 400', FAILED, (_, response) => response.writeHead(400).end(`no ${'x'.repeat(20_000)}`), undefined],
  ['sends more than 5 MiB', /longer than/, (_, response) => response.end(Buffer.alloc(LIMIT + 1)), undefined],
  ['does not answer in time', /No answer within 0\.1 s\./, () => {}, 100],
  ['does not finish in time', /No answer within/, (_, response) => response.writeHead(200).write('begun'), 100],
])('a receiver that %s has failed', async (_, log, answer, timeout) => {
  receiver.answer = answer;
  const outcome = await deliver({}, timeout);
  expect(outcome).toMatchObject({ ok: false, log: expect.stringMatching(log) });
  expect(outcome.ok === false && outcome.log.length).toBeLessThan(11_000);
});

test('a receiver that is away has failed', async () => {
  await receiver.close();
  expect(await deliver()).toMatchObject({ ok: false, log: expect.stringContaining('ECONNREFUSED') });
});

test('user and password are sent when both are set', async () => {
  await deliver({ authUsername: 'ann', authPassword: 'pässword' });
  await deliver({ authUsername: 'ann' });
  const expected = `Basic ${Buffer.from('ann:pässword').toString('base64')}`;
  expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([expected, undefined]);
});

test('a name in any script arrives as UTF-8 and cannot add a header', async () => {
  await deliver({ name: 'Färberei\r\nX-Evil: 1' });
  const { 'x-appwrite-webhook-name': name, 'x-evil': evil } = receiver.received[0]?.headers ?? {};
  expect(Buffer.from(String(name), 'latin1').toString()).toBe('Färberei  X-Evil: 1');
  expect(evil).toBeUndefined();
});
