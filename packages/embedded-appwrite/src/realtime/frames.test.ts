import { expect, it } from 'vitest';
import { readFrame } from './frames.ts';

const read = (type: string, data?: unknown) => readFrame(JSON.stringify({ type, data }));
const nested = (depth: number) => `{"type":"ping","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
const subscribe = (item: object) => JSON.stringify({ type: 'subscribe', data: [item] });

it('reads what a client may send', () => {
  expect(readFrame(nested(511))).toEqual({ type: 'ping' });
  expect(read('authentication', { session: 's' })).toEqual({ type: 'authentication', session: 's' });
  expect(read('unsubscribe', [{ subscriptionId: 'a' }])).toEqual({ type: 'unsubscribe', subscriptionIds: ['a'] });
  const items = [{ subscriptionId: 'a', channels: ['x'], queries: ['q'] }, { channels: ['y'] }];
  expect(read('subscribe', items)).toEqual({ type: 'subscribe', items: [items[0], { ...items[1], queries: [] }] });
  for (const none of [[], {}]) expect(read('subscribe', none)).toEqual({ type: 'subscribe', items: [] });
  readFrame(subscribe({ channels: names(100) }));
  readFrame(subscribe({ channels: ['c'.repeat(256)], queries: ['q'.repeat(4096)], subscriptionId: 'a'.repeat(36) }));
});

it.each([
  ['', 'Message format is not valid.'],
  ['null', 'Message format is not valid.'],
  ['[]', 'Message format is not valid.'],
  ['{"type":5}', 'Message format is not valid.'],
  [nested(512), 'Message format is not valid.'],
  ['{"type":"authentication","data":{"session":""}}', 'Payload is not valid. Session is required'],
  ['{"type":"subscribe"}', 'Payload is not valid.'],
  ['{"type":"subscribe","data":["x"]}', 'Payload is not valid.'],
  [subscribe({}), 'items: channels is not present in payload.'],
  [subscribe({ channels: [] }), 'items: channels is not present in payload.'],
  [subscribe({ channels: [5] }), 'items: channels must be a list'],
  [subscribe({ channels: ['c'.repeat(257)] }), 'items: channels must be a list'],
  [subscribe({ channels: names(101) }), 'items: channels must be a list'],
  [subscribe({ channels: ['x'], queries: 'q' }), 'items: queries must be a list'],
  [subscribe({ channels: ['x'], queries: ['q'.repeat(4097)] }), 'items: queries must be a list'],
  [subscribe({ channels: ['x'], subscriptionId: 'a'.repeat(37) }), 'items: subscriptionId must be'],
  [subscribe({ channels: ['x'], subscriptionId: 5 }), 'items: subscriptionId must be'],
  ['{"type":"unsubscribe","data":[{}]}', 'items: subscriptionId is not present in payload.'],
  [JSON.stringify({ type: 'subscribe', data: Array(101).fill({ channels: ['x'] }) }), 'At most 100 subscriptions'],
])('refuses %.60s with code 1003', (text, message) => {
  expect(() => readFrame(text)).toThrow(expect.objectContaining({ code: 1003 }));
  expect(() => readFrame(text)).toThrow(message);
});
