/**
 * Takes events from the bus to the sockets. Each waits for a turn of the event loop of its own, so that a write is
 * answered before its thousand listeners are served; order is kept.
 */
import type { BackendEvent } from '../events.ts';
import type { Connection } from './connection.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The part of an event's frame that is the same for everybody. */
function frameHead({ events, channels, timestamp, payload }: BackendEvent): Buffer {
  const data = JSON.stringify({ events, channels, timestamp, payload });
  return Buffer.from(`{"type":"event","data":${data.slice(0, -1)},"subscriptions":`);
}

/** Serves one event: serialised once, and once more for each distinct set of subscriptions that it matched. */
function deliver(event: BackendEvent, subscriptions: Subscriptions): void {
  const reached = subscriptions.reachedBy(event);
  if (reached.size === 0) return;
  const head = frameHead(event);
  const frames = new Map<string, Buffer>();
  for (const [listener, ids] of reached) {
    const list = JSON.stringify([...ids]);
    let frame = frames.get(list);
    if (!frame) {
      frame = Buffer.concat([head, Buffer.from(`${list}}}`)]);
      frames.set(list, frame);
    }
    (listener as Connection).send(frame);
  }
}

/** Gives the listener for the bus. */
export function createDelivery(subscriptions: Subscriptions, onError: (error: unknown) => void) {
  const queue: BackendEvent[] = [];
  const next = (): void => {
    const event = queue.shift();
    if (!event) return;
    if (queue.length > 0) setImmediate(next);
    try {
      deliver(event, subscriptions);
    } catch (error) {
      onError(error);
    }
  };
  return (event: BackendEvent): void => {
    if (event.channels.length === 0 || event.roles.length === 0 || subscriptions.empty) return;
    queue.push(event);
    if (queue.length === 1) setImmediate(next);
  };
}
