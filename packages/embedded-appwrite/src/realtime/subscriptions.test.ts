import { expect, it } from 'vitest';
import { type Listener, Subscriptions } from './subscriptions.ts';

const listener = (): Listener => ({ userId: undefined, subscriptions: new Map(), mayReceive: () => true });
const item = (subscriptionId: string) => ({ subscriptionId, channels: ['documents'], queries: [] });
const event = { events: [], channels: ['documents'], roles: ['any'], payload: {}, timestamp: '' };

it('takes so much for all listeners together, and more when one is gone', () => {
  const subscriptions = new Subscriptions(1200);
  const [first, second, third] = [listener(), listener(), listener()];
  subscriptions.subscribe(first, [item('a')]);
  subscriptions.subscribe(second, [item('a')]);
  expect(() => subscriptions.subscribe(third, [item('a')])).toThrow(expect.objectContaining({ code: 1013 }));
  subscriptions.remove(first);
  // Repeating a subscription takes no additional memory.
  subscriptions.subscribe(second, [item('a')]);
  expect(subscriptions.subscribe(third, [item('a')])).toHaveLength(1);
});

it('does not reach a subscription that was given up while the event was on its way', () => {
  const subscriptions = new Subscriptions();
  const one = listener();
  subscriptions.subscribe(one, [item('a'), item('b')]);
  const [[, bindings] = [one, []]] = subscriptions.listeningOn(event.channels);
  expect(subscriptions.matching(one, bindings, event, new Map())).toEqual(['a', 'b']);
  subscriptions.unsubscribe(one, 'a');
  expect(subscriptions.matching(one, bindings, event, new Map())).toEqual(['b']);
});
