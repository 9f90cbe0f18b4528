/**
 * Channels in the address, as clients before the `subscribe` frame send them: `channels[]=a`, and for each channel its
 * queries by slot, `<channel with . as _>[slot][i]=<query>` (contract 2.6). A slot is a subscription.
 */
import type { Query, QueryValue } from '../http/query-string.ts';
import type { SubscribeItem } from './frames.ts';

function strings(value: QueryValue | undefined): string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter((item) => typeof item === 'string');
}

/** What `connected` answers, in the order of the slots. Empty without channels in the address. */
export function urlSubscriptions(query: Query): SubscribeItem[] {
  const slots = new Map<string, { channels: string[]; queries: string[] }>();
  const add = (slot: string, channel: string, queries: readonly string[]): void => {
    const known = slots.get(slot) ?? { channels: [], queries: [] };
    known.channels.push(channel);
    for (const text of queries) if (!known.queries.includes(text)) known.queries.push(text);
    slots.set(slot, known);
  };
  for (const channel of strings(query.channels)) {
    const bySlot = query[channel.replaceAll('.', '_')];
    if (typeof bySlot !== 'object') add('0', channel, []);
    else for (const [slot, queries] of Object.entries(bySlot)) add(slot, channel, strings(queries));
  }
  return [...slots].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
}
