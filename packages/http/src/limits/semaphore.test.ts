import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const LIMITS = { atOnce: 2, ofKey: 1, waitingOfKey: 1, waiting: 2 };
const tooMany = () => new Error('too many');

/** Runs work that lasts until `leave` is called. `state.isIn` is true once the work has begun. */
function visit(semaphore: Semaphore, key?: string) {
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  const state = { isIn: false };
  const done = semaphore.run(() => {
    state.isIn = true;
    return promise;
  }, key);
  return { state, done, leave };
}

it('lets one key wait while another has room, and refuses beyond the limit', async () => {
  const semaphore = new Semaphore(LIMITS, tooMany);
  const [first, second, other] = [visit(semaphore, 'a'), visit(semaphore, 'a'), visit(semaphore, 'b')];
  expect([first, second, other].map(({ state }) => state.isIn)).toEqual([true, false, true]);
  await expect(visit(semaphore, 'a').done).rejects.toThrow('too many');
  const third = visit(semaphore, 'c');
  await expect(visit(semaphore, 'd').done).rejects.toThrow('too many');
  other.leave();
  await other.done;
  expect([second.state.isIn, third.state.isIn]).toEqual([false, true]);
  first.leave();
  await first.done;
  expect(second.state.isIn).toBe(true);
});

it('without keys limits running and waiting work', async () => {
  const semaphore = new Semaphore({ atOnce: 2, waiting: 1 }, tooMany);
  const visits = [visit(semaphore), visit(semaphore), visit(semaphore)];
  await expect(visit(semaphore).done).rejects.toThrow('too many');
  expect(visits.map(({ state }) => state.isIn)).toEqual([true, true, false]);
  for (const { leave } of visits) leave();
  await Promise.all(visits.map(({ done }) => done));
  await expect(semaphore.run(async () => 'free again')).resolves.toBe('free again');
});

it('frees the place of failed work', async () => {
  const semaphore = new Semaphore({ atOnce: 1 }, tooMany);
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('next');
  expect(visit(semaphore).state.isIn).toBe(true);
});
