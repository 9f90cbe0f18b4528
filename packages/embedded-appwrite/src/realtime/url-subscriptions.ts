/**
 * Channels in the address, as clients before the `subscribe` frame send them: `channels[]=a`, and for each channel its
 * queries by slot, `<channel with . as _>[slot][i]=<query>` (contract 2.6). A slot is a subscription.
 */
import type { SubscribeItem } from './frames.ts';

const CHANNELS = /^channels\[\d*\]$/;
const SLOT = /^(.+)\[(\d{1,3})\]\[\d*\]$/;
/** Channels and queries beyond these are ignored; an address does not hold more. */
const MOST = 100;

/** @param text what follows the `?`. Gives the subscriptions in the order of their slots. */
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
