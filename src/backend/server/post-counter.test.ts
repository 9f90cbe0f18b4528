import { expect, it } from 'vitest';
import { PostCounter } from './post-counter.ts';

function counter() {
  let [time, posts, asked] = [1_000_000, 6000, 0];
  const ask = async () => {
    asked++;
    return posts;
  };
  const counted = new PostCounter(ask, () => time);
  return {
    counted,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    write: (count: number) => {
      posts = count;
      counted.doubt();
    },
    get asked() {
      return asked;
    },
  };
}

it('counts once for pages that are rendered in a row', async () => {
  const c = counter();
  const both = await Promise.all([c.counted.count(), c.counted.count()]);
  expect([...both, await c.counted.count()]).toEqual(Array(3).fill({ total: 6000, exact: true }));
  expect(c.asked).toBe(1);
});

it('a write waits for no count, and says that the last one is not exact', async () => {
  const c = counter();
  await c.counted.count();
  c.write(6001);
  expect(await c.counted.count()).toEqual({ total: 6000, exact: false });
  expect(c.asked).toBe(1);
});

it('writes in a row are counted together, some seconds after the first', async () => {
  const c = counter();
  await c.counted.count();
  c.write(6001);
  c.pass(4000);
  c.write(6002);
  c.pass(4000);
  expect((await c.counted.count()).exact).toBe(false);
  expect(await c.counted.count()).toEqual({ total: 6002, exact: true });
  expect(c.asked).toBe(2);
});

it('a change while it counts leaves the count uncertain', async () => {
  const c = counter();
  const first = c.counted.count();
  c.write(6001);
  await first;
  expect((await c.counted.count()).exact).toBe(false);
});

it('finds out in time what nobody tells', async () => {
  const c = counter();
  await c.counted.count();
  c.pass(11_000);
  expect((await c.counted.count()).exact).toBe(false);
  expect((await c.counted.count()).exact).toBe(true);
  expect(c.asked).toBe(2);
});
