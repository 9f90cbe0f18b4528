import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Models } from 'node-appwrite';
import { expect, type TestContext } from 'vitest';
import { later } from './cleanup.ts';
import { server } from './line.ts';
import { fresh } from './names.ts';
import { admin } from './people.ts';
import type { Server } from './server.ts';
import { readSettings } from './settings.ts';

export const SECRET = 'a secret of the webhook';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** Answers later deliveries; 200 by default. */
  answer: (response: ServerResponse) => void;
  /** Returns the next delivery; waits up to 5 s. */
  next(): Promise<Delivery>;
  /** Fails if a delivery arrives within 400 ms. */
  quiet(): Promise<void>;
}

/** Listens until the file's tests end, on loopback or, with `--webhook-host`, on all addresses (contract 2.8). */
export async function receiver(): Promise<Receiver> {
  const { webhookHost } = readSettings();
  const deliveries: Delivery[] = [];
  let read = 0;
  const listening = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
      made.answer(response);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, webhookHost ? undefined : '127.0.0.1', resolve));
  later(async () => {
    listening.close();
    listening.closeAllConnections();
  });
  const made: Receiver = {
    url: `http://${webhookHost ?? '127.0.0.1'}:${(listening.address() as AddressInfo).port}/hook?from=test`,
    deliveries,
    answer: (response) => response.end('thanks'),
    async next() {
      for (let waited = 0; deliveries.length <= read; waited += 10) {
        if (waited > 20_000) throw new Error('Nothing was delivered in 20 seconds.');
        await pause(10);
      }
      read += 1;
      return deliveries[read - 1] as Delivery;
    },
    async quiet() {
      await pause(400);
      expect(deliveries.length).toBe(read);
    },
  };
  return made;
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Registers a webhook for `events`; skips the test if the server refuses targets on this machine. */
export async function hook(
  context: TestContext,
  url: string,
  events: string[],
  { enabled = true, on = server() }: { enabled?: boolean; on?: Server } = {},
): Promise<Models.Webhook> {
  const { webhooks } = admin(on).node;
  const webhookId = fresh('hook');
  const made = await webhooks
    .create({ webhookId, url, name: 'Conformance', events, enabled, secret: SECRET })
    .catch((error: { code?: number; message: string }) => {
      if (!server().embedded && error.code === 400)
        return context.skip(`the server refuses the target: ${error.message}`);
      throw error;
    });
  later(() => webhooks.delete({ webhookId }));
  return made;
}
