import { expect, test } from 'vitest';
import type { RateLimit } from '../route.ts';
import { createRateLimiter } from './rate-limits.ts';

const HOUR = 3_600_000;
const input = (ip: string, email = '') => ({
  ip,
  method: 'POST',
  userId: '',
  param: () => email,
  header: () => '',
});
const limits: RateLimit[] = [{ limit: 2 }];

test('as many requests as the limit pass, the next is one too many, until the window ends', () => {
  let time = 10 * HOUR + 5000;
  const limiter = createRateLimiter({ enabled: true, clock: () => time });
  const take = () => limiter.take('r', limits, input('a'), true);
  expect(take()).toEqual({ limit: 2, remaining: 1, reset: 11 * 3600, exceeded: false });
  expect(take()).toMatchObject({ remaining: 0, exceeded: false });
  expect(take()).toMatchObject({ remaining: 0, exceeded: true });
  time = 11 * HOUR - 1;
  expect(take()?.exceeded).toBe(true);
  time = 11 * HOUR;
  expect(take()).toMatchObject({ remaining: 1, exceeded: false });
});

test('addresses and routes are counted apart', () => {
  const limiter = createRateLimiter({ enabled: true });
  for (let index = 0; index < 3; index++) limiter.take('r', limits, input('a'), true);
  expect(limiter.take('r', limits, input('b'), true)?.exceeded).toBe(false);
  expect(limiter.take('other', limits, input('a'), true)?.exceeded).toBe(false);
});

test('routes that name the same counter share it, and one success forgives both', () => {
  const shared: RateLimit[] = [{ limit: 2, counter: 'both', resetOnSuccess: true }];
  const limiter = createRateLimiter({ enabled: true });
  limiter.take('one', shared, input('a'), true);
  expect(limiter.take('other', [{ limit: 9 }, ...shared], input('a'), true)).toMatchObject({ remaining: 0 });
  expect(limiter.take('one', shared, input('a'), true)?.exceeded).toBe(true);
  limiter.succeeded('other', shared, input('a'));
  expect(limiter.take('one', shared, input('a'), true)?.exceeded).toBe(false);
});

test('keys, and a server with limits off, count nothing but tell the limit', () => {
  for (const [enabled, enforced] of [
    [true, false],
    [false, true],
  ] as const) {
    const limiter = createRateLimiter({ enabled });
    for (let index = 0; index < 3; index++) {
      expect(limiter.take('r', limits, input('a'), enforced)).toMatchObject({
        limit: 2,
        remaining: 1,
        exceeded: false,
      });
    }
  }
});

test('of several limits the tightest is told', () => {
  const both: RateLimit[] = [{ limit: 5, bodyKey: ({ param }) => param('email') }, { limit: 2 }];
  const limiter = createRateLimiter({ enabled: true });
  expect(limiter.take('r', both, input('a', 'x@y'), true)?.limit).toBe(2);
});

test('a success forgives the failures', () => {
  const forgiving: RateLimit[] = [{ limit: 2, resetOnSuccess: true }];
  const limiter = createRateLimiter({ enabled: true });
  const take = () => limiter.take('r', forgiving, input('a'), true);
  take();
  take();
  limiter.succeeded('r', forgiving, input('a'));
  expect(take()).toMatchObject({ remaining: 1, exceeded: false });
});

test('a request that costs more uses more of its limit, and is refused when it does not fit', () => {
  const costly: RateLimit[] = [{ limit: 10, cost: ({ header }) => Number(header('cost')) }];
  const limiter = createRateLimiter({ enabled: true });
  const take = (cost: string) => limiter.take('r', costly, { ...input('a'), header: () => cost }, true);
  expect(take('4')).toMatchObject({ limit: 10, remaining: 6, exceeded: false });
  expect(take('6')).toMatchObject({ remaining: 0, exceeded: false });
  expect(take('1')).toMatchObject({ remaining: 0, exceeded: true });
});

test('a limit of failures counts those alone, and is shown once it is exceeded', () => {
  const both: RateLimit[] = [{ limit: 10 }, { limit: 2, counts: 'failures' }];
  const limiter = createRateLimiter({ enabled: true });
  const take = () => limiter.take('r', both, input('a'), true);
  limiter.failed('r', both, input('a'));
  expect(take()).toMatchObject({ limit: 10, remaining: 9, exceeded: false });
  expect(take()).toMatchObject({ limit: 10, remaining: 8, exceeded: false });
  limiter.failed('r', both, input('a'));
  expect(take()).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
  expect(limiter.take('r', both, input('b'), true)).toMatchObject({ limit: 10, exceeded: false });
});

test('a request without a key is not limited', () => {
  const limiter = createRateLimiter({ enabled: true });
  const none: RateLimit[] = [{ limit: 1, counts: 'failures', bodyKey: () => undefined }];
  limiter.failed('r', none, input('a'));
  limiter.failed('r', none, input('a'));
  expect(limiter.take('r', none, input('a'), true)).toBeUndefined();
});
