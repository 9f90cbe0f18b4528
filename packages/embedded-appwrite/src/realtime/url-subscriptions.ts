/**
 * Parses subscriptions in the URL, as sent by older clients that do not use the `subscribe` frame (contract 2.6).
 * `channels[]=a` names a channel; `<channel with . as _>[slot][i]=<query>` adds a query to it. Each slot becomes one
 * subscription.
 */
import type { SubscribeItem } from './frames.ts';

const CHANNELS = /^channels\[\d*\]$/;
const SLOT = /^(.+)\[(\d{1,3})\]\[\d*\]$/;
/** Maximum URL parameters to read; the rest are ignored. */
const MOST = 100;

/** Returns the subscriptions in slot order. `text` is the part after the `?`. */
export function urlSubscriptions(text: string): SubscribeItem[] {
  const channels = new Set<string>();
  const queriesOf = new Map<string, Map<number, string[]>>();
  for (const [name, value] of [...new URLSearchParams(text)].slice(0, MOST)) {
    const [, prefix, slot] = SLOT.exec(name) ?? [];
    if (CHANNELS.test(name)) channels.add(value);
    if (prefix === undefined) continue;
    const slots = queriesOf.get(prefix) ?? new Map<number, string[]>();
    queriesOf.set(prefix, slots);
    slots.set(Number(slot), [...(slots.get(Number(slot)) ?? []), value]);
  }
  const items = new Map<number, { channels: string[]; queries: Set<string> }>();
  for (const channel of channels) {
    for (const [slot, queries] of queriesOf.get(channel.replaceAll('.', '_')) ?? [[0, []] as const]) {
      const item = items.get(slot) ?? { channels: [], queries: new Set() };
      items.set(slot, item);
      item.channels.push(channel);
      for (const query of queries) item.queries.add(query);
    }
  }
  return [...items].sort(([a], [b]) => a - b).map(([, { channels, queries }]) => ({ channels, queries: [...queries] }));
}
