import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GRACE_PERIOD, MINIMUM_RATE, startSlowBodyTimeout, timelyChunks } from './slow-body-timeout.ts';

const tooSlow = () => new Error('too slow');

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const request = () => new IncomingMessage(new Socket());

test.each([
  ['that sends nothing', 0, 0],
  ['later for received bytes', 10 * MINIMUM_RATE, 10_000],
])('ends a body %s', (_, bytes, more) => {
  const onSlow = vi.fn();
  startSlowBodyTimeout(onSlow).add(bytes);
  vi.advanceTimersByTime(GRACE_PERIOD + more - 1);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSlow).toHaveBeenCalledOnce();
});

test('ignores a body that has ended', () => {
  const onSlow = vi.fn();
  startSlowBodyTimeout(onSlow).end();
  vi.advanceTimersByTime(GRACE_PERIOD * 10);
  expect(onSlow).not.toHaveBeenCalled();
});

test('yields chunks, then throws when they stop', async () => {
  const slow = request();
  const chunks = timelyChunks(slow, tooSlow);
  slow.push('one');
  expect(String((await chunks.next()).value)).toBe('one');
  const next = expect(chunks.next()).rejects.toThrow('too slow');
  await vi.advanceTimersByTimeAsync(GRACE_PERIOD + 1000);
  await next;
});

test('yields the chunks of a complete body', async () => {
  const quick = request();
  quick.push('one');
  quick.push(null);
  expect((await Array.fromAsync(timelyChunks(quick, tooSlow))).join('')).toBe('one');
});
