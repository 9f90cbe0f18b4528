import { expect, test } from 'vitest';
import type { RateLimit } from '../route.ts';
import { createRateLimiter } from './rate-limits.ts';

const HOUR = 3_600_000;
const input = (ip: string, email = '', userId = '') => ({
  ip,
  method: 'POST',
  userId,
  param: () => email,
  header: () => '',
});
const limits: RateLimit[] = [{ limit: 2 }];

test('as many requests as the limit pass, the next is one too many, until the window ends', () => {
  let time = 10 * HOUR + 5000;
  const limiter = createRateLimiter({ enabled: true, clock: () => time });
  const take = () => limiter.take('r', limits, input('a'), true).state;
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
  expect(limiter.take('r', limits, input('b'), true).state?.exceeded).toBe(false);
  expect(limiter.take('other', limits, input('a'), true).state?.exceeded).toBe(false);
});

test('routes that name the same counter share it, and one success forgives both', () => {
  const shared: RateLimit[] = [{ limit: 2, counter: 'both', resetOnSuccess: true }];
  const limiter = createRateLimiter({ enabled: true });
  limiter.take('one', shared, input('a'), true);
  const other = limiter.take('other', [{ limit: 9 }, ...shared], input('a'), true);
  expect(other.state).toMatchObject({ remaining: 0 });
  expect(limiter.take('one', shared, input('a'), true).state?.exceeded).toBe(true);
  other.settle('made');
  expect(limiter.take('one', shared, input('a'), true).state?.exceeded).toBe(false);
});

test('keys, and a server with limits off, count nothing but tell the limit', () => {
  for (const [enabled, enforced] of [
    [true, false],
    [false, true],
  ] as const) {
    const limiter = createRateLimiter({ enabled });
    for (let index = 0; index < 3; index++) {
      expect(limiter.take('r', limits, input('a'), enforced).state).toMatchObject({
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
  expect(limiter.take('r', both, input('a', 'x@y'), true).state?.limit).toBe(2);
});

test('a success forgives the failures', () => {
  const forgiving: RateLimit[] = [{ limit: 2, resetOnSuccess: true }];
  const limiter = createRateLimiter({ enabled: true });
  const take = () => limiter.take('r', forgiving, input('a'), true);
  take();
  take().settle('made');
  expect(take().state).toMatchObject({ remaining: 1, exceeded: false });
});

test('a request that costs more uses more of its limit, and is refused when it does not fit', () => {
  const costly: RateLimit[] = [{ limit: 10, cost: ({ header }) => Number(header('cost')) }];
  const limiter = createRateLimiter({ enabled: true });
  const take = (cost: string) => limiter.take('r', costly, { ...input('a'), header: () => cost }, true).state;
  expect(take('4')).toMatchObject({ limit: 10, remaining: 6, exceeded: false });
  expect(take('6')).toMatchObject({ remaining: 0, exceeded: false });
  expect(take('1')).toMatchObject({ remaining: 0, exceeded: true });
});

test('a limit of failures counts those alone, and is shown once it is exceeded', () => {
  const both: RateLimit[] = [{ limit: 10 }, { limit: 2, counts: 'failures' }];
  const limiter = createRateLimiter({ enabled: true });
  const take = () => limiter.take('r', both, input('a'), true);
  take().settle('failed');
  const right = take();
  expect(right.state).toMatchObject({ limit: 10, remaining: 8, exceeded: false });
  right.settle('other');
  const wrong = take();
  expect(wrong.state).toMatchObject({ limit: 10, remaining: 7, exceeded: false });
  wrong.settle('failed');
  expect(take().state).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
  expect(limiter.take('r', both, input('b'), true).state).toMatchObject({ limit: 10, exceeded: false });
});

test('of guesses that come at once no more are let through than may fail', () => {
  const failures: RateLimit[] = [{ limit: 3, counts: 'failures' }];
  const limiter = createRateLimiter({ enabled: true });
  const at = Array.from({ length: 400 }, () => limiter.take('r', failures, input('a'), true));
  expect(at.filter(({ state }) => !state?.exceeded)).toHaveLength(3);
  for (const taken of at) taken.settle('other');
  expect(limiter.take('r', failures, input('a'), true).state).toBeUndefined();
});

test('a failure of the window before is not taken back from this one', () => {
  let time = 10 * HOUR;
  const failures: RateLimit[] = [{ limit: 1, counts: 'failures' }];
  const limiter = createRateLimiter({ enabled: true, clock: () => time });
  const slow = limiter.take('r', failures, input('a'), true);
  time = 11 * HOUR;
  limiter.take('r', failures, input('a'), true).settle('failed');
  slow.settle('other');
  expect(limiter.take('r', failures, input('a'), true).state?.exceeded).toBe(true);
});

test('what one limit refuses uses up none of the others', () => {
  const both: RateLimit[] = [{ limit: 1 }, { limit: 5, bodyKey: ({ param }) => param('email') }];
  const limiter = createRateLimiter({ enabled: true });
  for (let i = 0; i < 20; i++) limiter.take('r', both, input('a', 'x@y'), true);
  expect(limiter.take('r', both, input('b', 'x@y'), true).state).toMatchObject({ exceeded: false });
  expect(limiter.isExceeded('r', both, input('b', 'other'))).toBe(true);
  expect(limiter.isExceeded('r', both, input('c', 'x@y'))).toBe(false);
});

test('a flood of invented names makes no limit start anew', () => {
  const limiter = createRateLimiter({ enabled: true });
  const ofName: RateLimit[] = [{ limit: 1, bodyKey: ({ param }) => param('email') }];
  for (let i = 0; i < 2; i++) limiter.take('r', limits, input('a'), true);
  for (let i = 0; i < 105_000; i++) limiter.take('r', ofName, input('b', `invented ${i}`), true);
  expect(limiter.take('r', limits, input('a'), true).state?.exceeded).toBe(true);
});

test('the IPv6 networks of one site have ten times the limit of one together', () => {
  const limiter = createRateLimiter({ enabled: true });
  const from = (network: string) => limiter.take('r', limits, input(network), true).state?.exceeded;
  const answers = Array.from({ length: 30 }, (_, i) => from(`2001:db8:1:${i.toString(16)}::/64`));
  expect(answers.filter((exceeded) => !exceeded)).toHaveLength(20);
  expect(from('2001:db8:2:0::/64')).toBe(false);
  expect(from('192.0.2.1')).toBe(false);
});

test('networks do not add up where a limit has to do with users alone', () => {
  const limiter = createRateLimiter({ enabled: true });
  const ofUser: RateLimit[] = [{ limit: 2, key: ({ userId }) => userId }];
  const from = (i: number) => limiter.take('r', ofUser, input(`2001:db8:1:${i}::/64`, '', 'ann'), true).state;
  expect([0, 1, 2].map((i) => from(i)?.exceeded)).toEqual([false, false, true]);
});

test('a request without a key is not limited', () => {
  const limiter = createRateLimiter({ enabled: true });
  const none: RateLimit[] = [{ limit: 1, counts: 'failures', bodyKey: () => undefined }];
  for (let i = 0; i < 2; i++) limiter.take('r', none, input('a'), true).settle('failed');
  expect(limiter.take('r', none, input('a'), true).state).toBeUndefined();
});
