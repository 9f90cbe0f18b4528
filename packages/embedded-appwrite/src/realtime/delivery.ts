/** Delivers each event in its own turn of the event loop, after the response to the write that caused it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackendEvent } from '../events.ts';
import type { Connection } from './connection.ts';
import type { Outbox, SharedPart } from './outbox.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Milliseconds after which a long delivery lets other requests run before it continues. */
const SLICE = 5;

function beginOf({ events, channels, timestamp, payload }: BackendEvent): string {
  const data = JSON.stringify({ events, channels, timestamp, payload });
  return `{"type":"event","data":${data.slice(0, -1)},"subscriptions":`;
}

async function deliver(event: BackendEvent, subscriptions: Subscriptions, outbox: Outbox): Promise<void> {
  const verdicts = new Map<string, boolean>();
  let begin: SharedPart | undefined;
  let until = performance.now() + SLICE;
  for (const [listener, bindings] of subscriptions.listeningOn(event.channels)) {
    const ids = subscriptions.matching(listener, bindings, event, verdicts);
    if (ids.length > 0) {
      begin ??= outbox.share(beginOf(event));
      (listener as Connection).sendShared(begin, `${JSON.stringify(ids)}}}`);
    }
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE;
  }
}

export function createDelivery(subscriptions: Subscriptions, outbox: Outbox, onError: (error: unknown) => void) {
  const queue: BackendEvent[] = [];
  const next = async (): Promise<void> => {
    for (let event = queue[0]; event; event = queue[0]) {
      await nextTurn();
      await deliver(event, subscriptions, outbox).catch(onError);
      queue.shift();
    }
  };
  return (event: BackendEvent): void => {
    if (event.channels.length === 0 || event.roles.length === 0 || subscriptions.empty) return;
    queue.push(event);
    if (queue.length === 1) void next();
  };
}
