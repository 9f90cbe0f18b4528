import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readJson } from './body.ts';
import { PATIENCE, paced, SLOWEST, watchPace } from './pace.ts';

const SLOW = expect.objectContaining({ type: 'general_request_timeout', code: 408 });

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const request = () => new IncomingMessage(new Socket());

test('a body that sends nothing has fallen behind when its time is over', () => {
  const onSlow = vi.fn();
  watchPace(onSlow);
  vi.advanceTimersByTime(PATIENCE - 1);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSlow).toHaveBeenCalledOnce();
});

test('what has come buys time, and no more than it is worth', () => {
  const onSlow = vi.fn();
  const pace = watchPace(onSlow);
  pace.add(10 * SLOWEST);
  vi.advanceTimersByTime(PATIENCE + 9_999);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSlow).toHaveBeenCalledOnce();
});

test('a body that ended is not watched', () => {
  const onSlow = vi.fn();
  watchPace(onSlow).end();
  vi.advanceTimersByTime(PATIENCE * 10);
  expect(onSlow).not.toHaveBeenCalled();
});

test('a JSON body that trickles is a 408', async () => {
  const slow = request();
  const read = expect(readJson(slow)).rejects.toEqual(SLOW);
  slow.push('{');
  await vi.advanceTimersByTimeAsync(PATIENCE + 1000);
  await read;
});

test('the chunks of a body come as they are, then 408 when they stop', async () => {
  const slow = request();
  const chunks = paced(slow);
  slow.push('one');
  expect(String((await chunks.next()).value)).toBe('one');
  const next = expect(chunks.next()).rejects.toEqual(SLOW);
  await vi.advanceTimersByTimeAsync(PATIENCE + 1000);
  await next;
});

test('a body that has ended gives no more', async () => {
  const quick = request();
  quick.push('one');
  quick.push(null);
  expect((await Array.fromAsync(paced(quick))).join('')).toBe('one');
});
