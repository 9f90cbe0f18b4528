/**
 * Who listens on what. Bindings are found by the channel's name, so that an event costs what it reaches, not what is
 * connected.
 */
import type { BackendEvent } from '../events.ts';
import { uniqueId } from '../identifiers.ts';
import { resolveChannel } from './channels.ts';
import { CODES, FrameError } from './frame-error.ts';
import type { SubscribeItem } from './frames.ts';
import { type PayloadFilter, payloadFilter } from './payload-filter.ts';

/** Channels of one connection. A page needs a handful. */
const MOST_CHANNELS = 1000;
/** Bytes that a subscribed channel costs besides its texts, about. */
const CHANNEL = 512;
/** Bytes of what all connections listen on: some hundred thousand subscriptions of pages. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The part of a connection that the registry uses. */
export interface Listener {
  readonly userId: string | undefined;
  /** By subscription id. */
  readonly subscriptions: Map<string, Subscription>;
  /** Returns true if events for these roles may reach it now. */
  mayReceive(roles: readonly string[]): boolean;
}

export interface Binding {
  readonly listener: Listener;
  readonly subscriptionId: string;
  readonly filter: PayloadFilter;
}

interface BoundChannel {
  /** The resolved name; `undefined` for another user's account. */
  readonly channel: string | undefined;
  readonly binding: Binding;
  /** Bytes of memory, about. */
  readonly size: number;
}

export interface Subscription {
  /** By the channel's name as the client gave it. */
  readonly channels: Map<string, BoundChannel>;
}

export interface Subscribed {
  readonly subscriptionId: string;
  readonly channels: readonly string[];
  readonly queries: readonly string[];
}

/** Texts count twice, as what was asked and as what was understood. */
function sizeOf(channel: string, { key }: PayloadFilter): number {
  return CHANNEL + 2 * (channel.length + key.length);
}

export class Subscriptions {
  readonly #bindings = new Map<string, Set<Binding>>();
  readonly #limit: number;
  #size = 0;

  /** @param limit most bytes that all subscriptions may take */
  constructor(limit = MOST_BYTES) {
    this.#limit = limit;
  }

  get empty(): boolean {
    return this.#bindings.size === 0;
  }

  /** Adds to the listener's subscriptions, all items or, when one is faulty, none. Throws `FrameError`. */
  subscribe(listener: Listener, items: readonly SubscribeItem[]): Subscribed[] {
    const prepared = items.map((item) => ({ item, filter: payloadFilter(item.queries) }));
    const wanted = items.reduce((sum, { channels }) => sum + channels.length, 0);
    let held = 0;
    for (const { channels } of listener.subscriptions.values()) held += channels.size;
    if (held + wanted > MOST_CHANNELS) {
      throw new FrameError(`One connection may listen on at most ${MOST_CHANNELS} channels.`);
    }
    const sizes = prepared.flatMap(({ item, filter }) => item.channels.map((channel) => sizeOf(channel, filter)));
    if (this.#size + sizes.reduce((sum, size) => sum + size, 0) > this.#limit) {
      throw new FrameError('The server is busy with other subscriptions. Please try again later.', CODES.busy);
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

  /** Gives up a subscription; false when there was none. */
  unsubscribe(listener: Listener, id: string): boolean {
    const subscription = listener.subscriptions.get(id);
    if (!subscription) return false;
    for (const place of subscription.channels.values()) this.#unbind(place);
    return listener.subscriptions.delete(id);
  }

  /** Resolves the channels again, for a listener that has signed in. */
  rebind(listener: Listener): void {
    for (const subscription of listener.subscriptions.values()) {
      for (const [requested, { binding }] of subscription.channels) this.#bind(subscription, requested, binding);
    }
  }

  remove(listener: Listener): void {
    for (const id of [...listener.subscriptions.keys()]) this.unsubscribe(listener, id);
  }

  /** The listeners of any of the channels, each with its bindings there; whether an event may reach one is not checked. */
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

  /**
   * The ids of the listener's subscriptions that an event reaches now; of those given up meanwhile, none.
   * @param verdicts of filters on this event, by their key: filled here, for the next listener
   */
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

  /** Puts `binding` on a channel, in the place of what the subscription had there. Gives the channel's final name. */
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
