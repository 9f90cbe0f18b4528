import { beforeEach, expect, it } from 'vitest';
import { PostCounter } from './post-counter.ts';

let [time, posts, asked] = [0, 0, 0];
let counter: PostCounter;
beforeEach(() => {
  [time, posts, asked] = [1_000_000, 6000, 0];
  const ask = async () => {
    asked++;
    return posts;
  };
  counter = new PostCounter(ask, () => time);
});
const write = (count: number) => {
  posts = count;
  counter.doubt();
};

it('counts once for pages that are rendered in a row', async () => {
  const both = await Promise.all([counter.count(), counter.count()]);
  expect([...both, await counter.count()]).toEqual(Array(3).fill({ total: 6000, exact: true }));
  expect(asked).toBe(1);
});

it('a write waits for no count, and writes in a row are counted together, some seconds after the first', async () => {
  await counter.count();
  write(6001);
  expect(await counter.count()).toEqual({ total: 6000, exact: false });
  time += 4000;
  write(6002);
  time += 4000;
  expect((await counter.count()).exact).toBe(false);
  expect(await counter.count()).toEqual({ total: 6002, exact: true });
  expect(asked).toBe(2);
});

it('a change while it counts leaves the count uncertain', async () => {
  const first = counter.count();
  write(6001);
  await first;
  expect((await counter.count()).exact).toBe(false);
});

it('finds out in time what nobody tells', async () => {
  await counter.count();
  time += 11_000;
  expect((await counter.count()).exact).toBe(false);
  expect((await counter.count()).exact).toBe(true);
  expect(asked).toBe(2);
});
