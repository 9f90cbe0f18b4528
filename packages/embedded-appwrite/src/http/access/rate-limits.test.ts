import { expect, test } from 'vitest';
import type { RateLimit } from '../route.ts';
import { createRateLimiter } from './rate-limits.ts';

const HOUR = 3_600_000;
const POST = { method: 'POST', header: () => '' };
const input = (ip: string, email = '', userId = '') => ({ ...POST, ip, userId, param: () => email });
const limits: RateLimit[] = [{ limit: 2 }];
const byEmail: Pick<RateLimit, 'bodyKey'> = { bodyKey: ({ param }) => param('email') };

/** Returns a function that counts a request with limits enforced, by default against `limits` and from address `a`. */
function taker(options: Partial<Parameters<typeof createRateLimiter>[0]> = {}) {
  const limiter = createRateLimiter({ enabled: true, ...options });
  return (counted = limits, from = input('a'), route = 'r') => limiter.take(route, counted, from, true);
}

test('lets as many requests pass as the limit, until the window ends', () => {
  let time = 10 * HOUR + 5000;
  const take = taker({ clock: () => time });
  expect(take().state).toEqual({ limit: 2, remaining: 1, reset: 11 * 3600, exceeded: false });
  expect(take().state).toMatchObject({ remaining: 0, exceeded: false });
  expect(take().state).toMatchObject({ remaining: 0, exceeded: true });
  time = 11 * HOUR - 1;
  expect(take().state?.exceeded).toBe(true);
  time = 11 * HOUR;
  expect(take().state).toMatchObject({ remaining: 1, exceeded: false });
});

test('counts routes with the same counter together, and one success resets it', () => {
  const shared: RateLimit[] = [{ limit: 2, counter: 'both', resetOnSuccess: true }];
  const take = taker();
  take(shared, input('a'), 'one');
  const other = take([{ limit: 9 }, ...shared], input('a'), 'other');
  expect(other.state).toMatchObject({ remaining: 0 });
  expect(take(shared, input('a'), 'one').state?.exceeded).toBe(true);
  other.settle('made');
  expect(take(shared, input('a'), 'one').state?.exceeded).toBe(false);
});

test.each([
  ['a key', true, false],
  ['limits that are off', false, true],
])('counts nothing for %s but shows the limit', (_who, enabled, enforced) => {
  const limiter = createRateLimiter({ enabled });
  const states = [1, 2, 3].map(() => limiter.take('r', limits, input('a'), enforced).state);
  expect(states).toMatchObject(Array(3).fill({ limit: 2, remaining: 1, exceeded: false }));
});

test('refuses a request whose cost does not fit', () => {
  const costly: RateLimit[] = [{ limit: 10, cost: ({ header }) => Number(header('cost')) }];
  const take = taker();
  const cost = (value: string) => take(costly, { ...input('a'), header: () => value }).state;
  expect(cost('4')).toMatchObject({ limit: 10, remaining: 6, exceeded: false });
  expect(cost('6')).toMatchObject({ remaining: 0, exceeded: false });
  expect(cost('1')).toMatchObject({ remaining: 0, exceeded: true });
});

test('counts only failures where a limit says so, and shows it once exceeded', () => {
  const both: RateLimit[] = [{ limit: 10 }, { limit: 2, counts: 'failures' }];
  const take = taker();
  take(both).settle('failed');
  const right = take(both);
  expect(right.state).toMatchObject({ limit: 10, remaining: 8, exceeded: false });
  right.settle('other');
  take(both).settle('failed');
  expect(take(both).state).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
  expect(take(both, input('b')).state).toMatchObject({ limit: 10, exceeded: false });
});

test('takes no failure of an earlier window back from this one', () => {
  let time = 10 * HOUR;
  const failures: RateLimit[] = [{ limit: 1, counts: 'failures' }];
  const take = taker({ clock: () => time });
  const slow = take(failures);
  time = 11 * HOUR;
  take(failures).settle('failed');
  slow.settle('other');
  expect(take(failures).state?.exceeded).toBe(true);
});

test('uses up no other limit with a request that one limit refuses', () => {
  const both: RateLimit[] = [{ limit: 1 }, { limit: 5, ...byEmail }];
  const limiter = createRateLimiter({ enabled: true });
  for (let i = 0; i < 20; i++) limiter.take('r', both, input('a', 'x@y'), true);
  expect(limiter.take('r', both, input('b', 'x@y'), true).state).toMatchObject({ exceeded: false });
  expect(limiter.isExceeded('r', both, input('b', 'other'))).toBe(true);
  expect(limiter.isExceeded('r', both, input('c', 'x@y'))).toBe(false);
});

test('gives the IPv6 networks of one site ten times the limit of one together', () => {
  const take = taker();
  const from = (network: string) => take(limits, input(network)).state?.exceeded;
  const answers = Array.from({ length: 30 }, (_, i) => from(`2001:db8:1:${i.toString(16)}::/64`));
  expect(answers.filter((exceeded) => !exceeded)).toHaveLength(20);
  expect(from('2001:db8:2:0::/64')).toBe(false);
  expect(from('192.0.2.1')).toBe(false);
});

test('counts a limit of users once for all networks', () => {
  const take = taker();
  const ofUser: RateLimit[] = [{ limit: 2, key: ({ userId }) => userId }];
  const from = (i: number) => take(ofUser, input(`2001:db8:1:${i}::/64`, '', 'ann')).state?.exceeded;
  expect([0, 1, 2].map(from)).toEqual([false, false, true]);
});

test('does not limit a request without a key', () => {
  const take = taker();
  const none: RateLimit[] = [{ limit: 1, counts: 'failures', bodyKey: () => undefined }];
  for (let i = 0; i < 2; i++) take(none).settle('failed');
  expect(take(none).state).toBeUndefined();
});
