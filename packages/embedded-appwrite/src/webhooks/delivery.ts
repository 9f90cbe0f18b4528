/** Delivers events one at a time per webhook, to preserve their order. Drops and logs events beyond the limits. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackendEvent } from '../events.ts';
import type { Kernel } from '../kernel.ts';
import { isDiskFull } from '../sqlite/store-error.ts';
import { deliveryBody } from './body.ts';
import type { WebhookRecords } from './records.ts';
import { type Delivery, type Outcome, send } from './send.ts';
import type { WebhookRecord } from './webhook.ts';

const WAITING = 1000;
/** Maximum total length in characters of all waiting bodies. */
const WAITING_SIZE = 32 * 1024 * 1024;
/** Time limit in milliseconds for deliveries at shutdown. */
const GRACE = 3000;

interface Queue {
  readonly waiting: Delivery[];
  /** True once dropped deliveries have been logged. Reset when the queue is empty. */
  overflown: boolean;
}

export interface Deliveries {
  /** Waits up to three seconds for queued deliveries, then drops the rest. Call it before closing the database. */
  close(): Promise<void>;
}

export function createDeliveries({ options, events, store }: Kernel, records: WebhookRecords): Deliveries {
  const queues = new Map<string, Queue>();
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  let waitingSize = 0;

  function drop(queue: Queue): void {
    for (const { body } of queue.waiting.splice(0)) waitingSize -= body.length;
  }

  async function record(webhook: WebhookRecord, outcome: Outcome): Promise<void> {
    // Skips the write in the usual case: a success and no failures to reset.
    if (outcome.ok && webhook.attempts === 0) return;
    const { id } = webhook;
    const disabled = await store
      .write(() => (outcome.ok ? records.succeeded(id) : records.failed(id, outcome.log)))
      .catch((error) => {
        // On a full disk, the outcome is not recorded, and deliveries continue.
        if (!isDiskFull(error)) throw error;
        return false;
      });
    if (disabled && !outcome.ok) {
      options.log?.('warn', `Webhook ${id} failed ten times in a row and was disabled. ${outcome.log.trim()}`);
    }
  }

  async function empty(webhookId: string, queue: Queue): Promise<void> {
    await nextTurn();
    for (;;) {
      const [webhook] = ending.signal.aborted ? [] : records.enabled({ id: webhookId });
      if (!webhook) drop(queue);
      const delivery = queue.waiting.shift();
      if (!delivery || !webhook) break;
      waitingSize -= delivery.body.length;
      const outcome = await send(webhook, options.projectId, delivery, ending.signal);
      if (!ending.signal.aborted) await record(webhook, outcome);
    }
    queues.delete(webhookId);
  }

  function enqueue(webhookId: string, delivery: Delivery): void {
    const known = queues.get(webhookId);
    const queue = known ?? { waiting: [], overflown: false };
    if (known && (queue.waiting.length >= WAITING || waitingSize + delivery.body.length > WAITING_SIZE)) {
      if (!queue.overflown) {
        options.log?.('warn', `Webhook ${webhookId} is too slow for its changes, so some were dropped.`);
      }
      queue.overflown = true;
      return;
    }
    queue.waiting.push(delivery);
    waitingSize += delivery.body.length;
    if (known) return;
    queues.set(webhookId, queue);
    const run = empty(webhookId, queue)
      .catch((error) => {
        drop(queue);
        queues.delete(webhookId);
        options.log?.('error', `Webhook ${webhookId} could not be called.`, error);
      })
      .finally(() => running.delete(run));
    running.add(run);
  }

  function onEvent(event: BackendEvent): void {
    const wanting = records.enabled().filter(({ events }) => events.some((name) => event.events.includes(name)));
    if (wanting.length === 0) return;
    const delivery = {
      events: event.events,
      body: deliveryBody(event.webhookPayload ?? event.payload),
      userId: event.userId,
    };
    for (const { id } of wanting) enqueue(id, delivery);
  }

  const stopListening = events.listen(onEvent);
  return {
    async close() {
      stopListening();
      const impatience = setTimeout(() => ending.abort(), GRACE);
      await Promise.allSettled(running);
      clearTimeout(impatience);
    },
  };
}
