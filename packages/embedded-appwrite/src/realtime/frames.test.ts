import { describe, expect, it } from 'vitest';
import { readFrame } from './frames.ts';

const read = (frame: unknown) => readFrame(JSON.stringify(frame));

it('reads what a client may send', () => {
  expect(read({ type: 'ping' })).toEqual({ type: 'ping' });
  expect(read({ type: 'authentication', data: { session: 's' } })).toEqual({ type: 'authentication', session: 's' });
  expect(read({ type: 'unsubscribe', data: [{ subscriptionId: 'a' }] })).toEqual({
    type: 'unsubscribe',
    subscriptionIds: ['a'],
  });
  expect(
    read({ type: 'subscribe', data: [{ subscriptionId: 'a', channels: ['x'], queries: ['q'] }, { channels: ['y'] }] }),
  ).toEqual({
    type: 'subscribe',
    items: [
      { subscriptionId: 'a', channels: ['x'], queries: ['q'] },
      { channels: ['y'], queries: [] },
    ],
  });
});

it('reads what is nested 512 levels', () => {
  expect(readFrame(`{"type":"ping","data":${'['.repeat(511)}${']'.repeat(511)}}`)).toEqual({ type: 'ping' });
});

it('takes an empty list, and an empty object for one', () => {
  expect(read({ type: 'subscribe', data: [] })).toEqual({ type: 'subscribe', items: [] });
  expect(read({ type: 'subscribe', data: {} })).toEqual({ type: 'subscribe', items: [] });
});

describe('refuses with code 1003', () => {
  const channels = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
  const subscribe = (item: object) => JSON.stringify({ type: 'subscribe', data: [item] });

  it.each([
    ['', 'Message format is not valid.'],
    ['null', 'Message format is not valid.'],
    ['[]', 'Message format is not valid.'],
    ['{"foo":1}', 'Message format is not valid.'],
    ['{"type":5}', 'Message format is not valid.'],
    [`{"type":"ping","data":${'['.repeat(512)}${']'.repeat(512)}}`, 'Message format is not valid.'],
    ['{"type":"dance"}', 'Message type is not valid.'],
    ['{"type":"authentication"}', 'Payload is not valid. Session is required'],
    ['{"type":"authentication","data":{"session":""}}', 'Payload is not valid. Session is required'],
    ['{"type":"subscribe"}', 'Payload is not valid.'],
    ['{"type":"subscribe","data":["x"]}', 'Payload is not valid.'],
    [subscribe({}), 'items: channels is not present in payload.'],
    [subscribe({ channels: [] }), 'items: channels is not present in payload.'],
    [subscribe({ channels: [5] }), 'items: channels must be a list'],
    [subscribe({ channels: ['c'.repeat(257)] }), 'items: channels must be a list'],
    [subscribe({ channels: channels(101) }), 'items: channels must be a list'],
    [subscribe({ channels: ['x'], queries: 'q' }), 'items: queries must be a list'],
    [subscribe({ channels: ['x'], queries: ['q'.repeat(4097)] }), 'items: queries must be a list'],
    [subscribe({ channels: ['x'], subscriptionId: 'a'.repeat(37) }), 'items: subscriptionId must be'],
    [subscribe({ channels: ['x'], subscriptionId: 5 }), 'items: subscriptionId must be'],
    ['{"type":"unsubscribe","data":[{}]}', 'items: subscriptionId is not present in payload.'],
    [JSON.stringify({ type: 'subscribe', data: Array(101).fill({ channels: ['x'] }) }), 'At most 100 subscriptions'],
  ])('%.60s', (text, message) => {
    expect(() => readFrame(text)).toThrow(expect.objectContaining({ code: 1003 }));
    expect(() => readFrame(text)).toThrow(message);
  });

  it('but takes what is just within the limits', () => {
    expect(() => readFrame(subscribe({ channels: channels(100) }))).not.toThrow();
    expect(() => readFrame(subscribe({ channels: ['c'.repeat(256)], subscriptionId: 'a'.repeat(36) }))).not.toThrow();
  });
});
