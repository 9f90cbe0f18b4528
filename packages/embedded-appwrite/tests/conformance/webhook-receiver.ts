import type { ServerResponse } from 'node:http';
import { expect, type TestContext } from 'vitest';
import { type Received, startReceiver } from '../support/webhook-receiver.ts';
import { later, pause } from './cleanup.ts';
import { fresh } from './names.ts';
import { keyOf, server } from './people.ts';
import { readSettings } from './settings.ts';

export const SECRET = 'a secret of the webhook';

/** Parses a delivery's payload, event names and user. The user is empty if a key made the change. */
const deliveryOf = ({ headers, body }: Received) => ({
  ...{ headers, body, payload: JSON.parse(body) as Record<string, unknown> },
  names: String(headers['x-appwrite-webhook-events']).split(','),
  user: String(headers['x-appwrite-webhook-user-id'] ?? ''),
});

/**
 * Registers a webhook for `events` and listens until the file's tests end, on loopback or, with `--webhook-host`, on
 * all addresses (contract 2.8). Skips the test if the server refuses targets on this machine.
 */
export async function hook(skip: TestContext['skip'], events: string[], { enabled = true, on = server() } = {}) {
  const { webhookHost } = readSettings();
  const receiver = await startReceiver(webhookHost !== undefined);
  const { received } = receiver;
  later(receiver.close);
  let read = 0;
  const made = {
    webhookId: fresh('hook'),
    url: `http://${webhookHost ?? '127.0.0.1'}:${new URL(receiver.url).port}/hook?from=test`,
    answer: (response: ServerResponse): void => void response.end('thanks'),
    async next() {
      for (let waited = 0; received.length <= read; waited += 10) {
        if (waited > 120_000) throw new Error('Nothing was delivered in two minutes.');
        await pause(10);
      }
      read += 1;
      return deliveryOf(received[read - 1] as Received);
    },
    async quiet() {
      await pause(400);
      expect(received.length).toBe(read);
    },
  };
  receiver.answer = (_, response) => made.answer(response);
  const { webhooks } = keyOf(on).node;
  const { webhookId, url } = made;
  await webhooks
    .create({ webhookId, url, name: 'Conformance', events, enabled, secret: SECRET })
    .catch((error: { code?: number; message: string }) => {
      if (!on.embedded && error.code === 400) return skip(`the server refuses the target: ${error.message}`);
      throw error;
    });
  later(() => webhooks.delete({ webhookId }));
  return made;
}
