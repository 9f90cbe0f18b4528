/** Indexes subscriptions by channel, so delivering an event visits only its listeners, not every connection. */
import type { BackendEvent } from '../events.ts';
import { AppwriteError } from '../http/errors.ts';
import { uniqueId } from '../identifiers.ts';
import { resolveChannel } from './channels.ts';
import type { SubscribeItem } from './frames.ts';
import { type PayloadFilter, payloadFilter } from './payload-filter.ts';

/** Maximum channels per connection. A page needs a handful. */
const MOST_CHANNELS = 1000;
/** Approximate memory in bytes of a subscribed channel, in addition to its strings. */
const CHANNEL = 512;
/** Maximum memory in bytes for all subscriptions: enough for about 100,000 subscribed channels. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface Listener {
  readonly userId: string | undefined;
  readonly subscriptions: Map<string, Subscription>;
  /** Returns true if this listener may currently receive events for one of `roles`. */
  mayReceive(roles: readonly string[]): boolean;
}

export interface Binding {
  readonly listener: Listener;
  readonly subscriptionId: string;
  readonly filter: PayloadFilter;
}

interface BoundChannel {
  /** The channel name after `resolveChannel`; `undefined` for another user's account. */
  readonly channel: string | undefined;
  readonly binding: Binding;
  /** Approximate memory in bytes. */
  readonly size: number;
}

export interface Subscription {
  /** Keyed by the channel name that the client sent. */
  readonly channels: Map<string, BoundChannel>;
}

export interface Subscribed {
  readonly subscriptionId: string;
  readonly channels: readonly string[];
  readonly queries: readonly string[];
}

/** Returns the approximate memory in bytes; counts each string twice, because it is stored as sent and as parsed. */
function sizeOf(channel: string, { key }: PayloadFilter): number {
  return CHANNEL + 2 * (channel.length + key.length);
}

export class Subscriptions {
  readonly #bindings = new Map<string, Set<Binding>>();
  readonly #limit: number;
  #size = 0;

  constructor(limit = MOST_BYTES) {
    this.#limit = limit;
  }

  get empty(): boolean {
    return this.#bindings.size === 0;
  }

  /**
   * Adds all items or none. Throws 1003 for an invalid item or too many channels, 1013 if the server's memory for
   * subscriptions is used up.
   */
  subscribe(listener: Listener, items: readonly SubscribeItem[]): Subscribed[] {
    const prepared = items.map((item) => ({ item, filter: payloadFilter(item.queries) }));
    const wanted = items.reduce((sum, { channels }) => sum + channels.length, 0);
    let held = 0;
    for (const { channels } of listener.subscriptions.values()) held += channels.size;
    if (held + wanted > MOST_CHANNELS) {
      const message = `One connection may listen on at most ${MOST_CHANNELS} channels.`;
      throw new AppwriteError('realtime_message_format_invalid', message);
    }
    const sizes = prepared.flatMap(({ item, filter }) => item.channels.map((channel) => sizeOf(channel, filter)));
    if (this.#size + sizes.reduce((sum, size) => sum + size, 0) > this.#limit) {
      const message = 'The server is busy with other subscriptions. Please try again later.';
      throw new AppwriteError('realtime_too_many_messages', message);
    }
    return prepared.map(({ item, filter }) => {
      const id = item.subscriptionId ?? uniqueId();
      const subscription = listener.subscriptions.get(id) ?? { channels: new Map() };
      listener.subscriptions.set(id, subscription);
      const channels = new Set<string>();
      for (const requested of item.channels) {
        const channel = this.#bind(subscription, requested, { listener, subscriptionId: id, filter });
        if (channel !== undefined) channels.add(channel);
      }
      return { subscriptionId: id, channels: [...channels], queries: item.queries };
    });
  }

  /** Returns false if the listener has no such subscription. */
  unsubscribe(listener: Listener, id: string): boolean {
    const subscription = listener.subscriptions.get(id);
    if (!subscription) return false;
    for (const place of subscription.channels.values()) this.#unbind(place);
    return listener.subscriptions.delete(id);
  }

  /** Resolves the channels again after a sign-in, because `account` then stands for the user's channel. */
  rebind(listener: Listener): void {
    for (const subscription of listener.subscriptions.values()) {
      for (const [requested, { binding }] of subscription.channels) this.#bind(subscription, requested, binding);
    }
  }

  remove(listener: Listener): void {
    for (const id of [...listener.subscriptions.keys()]) this.unsubscribe(listener, id);
  }

  /** Returns the listeners on any of the channels, with their bindings. Does not check `mayReceive`. */
  listeningOn(channels: readonly string[]): Map<Listener, Binding[]> {
    const listening = new Map<Listener, Binding[]>();
    for (const channel of channels) {
      for (const binding of this.#bindings.get(channel) ?? []) {
        const asked = listening.get(binding.listener);
        if (asked) asked.push(binding);
        else listening.set(binding.listener, [binding]);
      }
    }
    return listening;
  }

  /** Returns the ids of matching subscriptions. `verdicts` caches filter results, which listeners share. */
  matching(
    listener: Listener,
    bindings: readonly Binding[],
    event: BackendEvent,
    verdicts: Map<string, boolean>,
  ): string[] {
    if (!listener.mayReceive(event.roles)) return [];
    const ids = new Set<string>();
    for (const { subscriptionId, filter } of bindings) {
      let matches = verdicts.get(filter.key);
      if (matches === undefined) {
        matches = filter.all || filter.matches(event.payload);
        verdicts.set(filter.key, matches);
      }
      if (matches && listener.subscriptions.has(subscriptionId)) ids.add(subscriptionId);
    }
    return [...ids];
  }

  /** Binds a subscription to a channel, replacing its earlier binding there. Returns the resolved channel name. */
  #bind(subscription: Subscription, requested: string, binding: Binding): string | undefined {
    const before = subscription.channels.get(requested);
    if (before) this.#unbind(before);
    const channel = resolveChannel(requested, binding.listener.userId);
    const size = sizeOf(requested, binding.filter);
    subscription.channels.set(requested, { channel, binding, size });
    this.#size += size;
    if (channel === undefined) return undefined;
    const bound = this.#bindings.get(channel);
    if (bound) bound.add(binding);
    else this.#bindings.set(channel, new Set([binding]));
    return channel;
  }

  #unbind({ channel, binding, size }: BoundChannel): void {
    this.#size -= size;
    if (channel === undefined) return;
    const bound = this.#bindings.get(channel);
    bound?.delete(binding);
    if (bound?.size === 0) this.#bindings.delete(channel);
  }
}
