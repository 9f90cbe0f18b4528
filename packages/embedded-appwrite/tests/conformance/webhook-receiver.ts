import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type TestContext } from 'vitest';
import { later, pause } from './cleanup.ts';
import { fresh } from './names.ts';
import { keyOf, server } from './people.ts';
import { readSettings } from './settings.ts';

export const SECRET = 'a secret of the webhook';

/** Returns a delivery with its event names and its user, which is empty for a key. */
const deliveryOf = ({ headers }: IncomingMessage, body: Buffer) => ({
  ...{ headers, body, payload: JSON.parse(body.toString()) as Record<string, unknown> },
  names: String(headers['x-appwrite-webhook-events']).split(','),
  user: String(headers['x-appwrite-webhook-user-id'] ?? ''),
});

/**
 * Registers a webhook for `events` and listens until the file's tests end, on loopback or, with `--webhook-host`, on
 * all addresses (contract 2.8); skips the test if the server refuses targets on this machine.
 */
export async function hook(skip: TestContext['skip'], events: string[], { enabled = true, on = server() } = {}) {
  const { webhookHost } = readSettings();
  const deliveries: ReturnType<typeof deliveryOf>[] = [];
  let read = 0;
  const listening = createServer(async (request, response) => {
    deliveries.push(deliveryOf(request, Buffer.concat(await request.toArray())));
    made.answer(response);
  });
  await new Promise<void>((resolve) => listening.listen(0, webhookHost ? undefined : '127.0.0.1', resolve));
  later(async () => {
    listening.close();
    listening.closeAllConnections();
  });
  const made = {
    webhookId: fresh('hook'),
    url: `http://${webhookHost ?? '127.0.0.1'}:${(listening.address() as AddressInfo).port}/hook?from=test`,
    answer: (response: ServerResponse): void => void response.end('thanks'),
    async next() {
      for (let waited = 0; deliveries.length <= read; waited += 10) {
        if (waited > 20_000) throw new Error('Nothing was delivered in 20 seconds.');
        await pause(10);
      }
      read += 1;
      return deliveries[read - 1] as (typeof deliveries)[0];
    },
    async quiet() {
      await pause(400);
      expect(deliveries.length).toBe(read);
    },
  };
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
