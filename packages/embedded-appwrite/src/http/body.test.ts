import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { GRACE_PERIOD } from '@common-ink/http/limits/slow-body-timeout.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { BODY_LIMIT, readJson, SMALL_BODY } from './body.ts';

const SLOW = expect.objectContaining({ type: 'general_request_timeout', code: 408 });
const BUSY = expect.objectContaining({ type: 'general_server_busy', code: 503 });

afterEach(() => vi.useRealTimers());

const request = () => new IncomingMessage(new Socket());

test('ends a slow body with 408', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const slow = request();
  const read = expect(readJson(slow, SMALL_BODY)).rejects.toEqual(SLOW);
  slow.push('{');
  await vi.advanceTimersByTimeAsync(GRACE_PERIOD + 1000);
  await read;
});

test('refuses the first of large bodies beyond 64 MiB in all, never a small one', async () => {
  const small = request();
  const smallRead = readJson(small, SMALL_BODY);
  small.push('{');
  const bodies = Array.from({ length: 6 }, () => {
    const body = request();
    const read = readJson(body, BODY_LIMIT);
    read.catch(() => undefined);
    return { body, read };
  });
  for (const { body } of bodies) {
    body.push(`{"a":"${'a'.repeat(BODY_LIMIT - 8)}`);
    await new Promise(setImmediate);
  }
  for (const { body } of bodies) {
    body.push('"}');
    body.push(null);
  }
  small.push('}');
  small.push(null);
  await expect(bodies[0]?.read).rejects.toEqual(BUSY);
  for (const { read } of bodies.slice(1)) expect(Object.keys(await read)).toEqual(['a']);
  expect(await smallRead).toEqual({});
});
