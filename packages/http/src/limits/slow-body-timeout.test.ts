import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GRACE_PERIOD, MINIMUM_RATE, startSlowBodyTimeout, timelyChunks } from './slow-body-timeout.ts';

const tooSlow = () => new Error('too slow');

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const request = () => new IncomingMessage(new Socket());

test('a body that sends nothing has fallen behind when its time is over', () => {
  const onSlow = vi.fn();
  startSlowBodyTimeout(onSlow);
  vi.advanceTimersByTime(GRACE_PERIOD - 1);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSlow).toHaveBeenCalledOnce();
});

test('what has come buys time, and no more than it is worth', () => {
  const onSlow = vi.fn();
  const timeout = startSlowBodyTimeout(onSlow);
  timeout.add(10 * MINIMUM_RATE);
  vi.advanceTimersByTime(GRACE_PERIOD + 9_999);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSlow).toHaveBeenCalledOnce();
});

test('a body that ended is not watched', () => {
  const onSlow = vi.fn();
  startSlowBodyTimeout(onSlow).end();
  vi.advanceTimersByTime(GRACE_PERIOD * 10);
  expect(onSlow).not.toHaveBeenCalled();
});

test('the chunks of a body come as they are, then the error when they stop', async () => {
  const slow = request();
  const chunks = timelyChunks(slow, tooSlow);
  slow.push('one');
  expect(String((await chunks.next()).value)).toBe('one');
  const next = expect(chunks.next()).rejects.toThrow('too slow');
  await vi.advanceTimersByTimeAsync(GRACE_PERIOD + 1000);
  await next;
});

test('a body that has ended gives no more', async () => {
  const quick = request();
  quick.push('one');
  quick.push(null);
  expect((await Array.fromAsync(timelyChunks(quick, tooSlow))).join('')).toBe('one');
});
