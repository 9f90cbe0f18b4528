import { expect, test } from 'vitest';
import { GUEST } from '../../http/access/authenticate.ts';
import { type Flow, flowOf, PasswordQueue } from './password-queue.ts';

const stranger = (id: string): Flow => ({ id, credit: 0 });
const request = { socket: { destroyed: false } } as Parameters<typeof flowOf>[0]['request'];
const guest = (address: string) => ({ caller: GUEST, client: { address, secure: false }, request });
const keys = flowOf({ ...guest(''), caller: { ...GUEST, privileged: true } });
const known = (name: string) => flowOf(guest('203.0.113.1'), name);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a queue whose computations run until `end` is called; `begun` and `refused` list their names in order. */
function steppedQueue(clock?: { now(): number }, atATime = 2) {
  const queue = new PasswordQueue(clock, atATime);
  const begun: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  type At<T> = (index: number) => T;
  /** Queues `count` computations. `flowAt` is (or returns) their flow, or the id of a flow that has no credit. */
  function ask(flowAt: Flow | string | At<Flow | string>, count = 1, nameAt?: At<string>) {
    for (let index = 0; index < count; index++) {
      const given = typeof flowAt === 'function' ? flowAt(index) : flowAt;
      const flow = typeof given === 'string' ? stranger(given) : given;
      const name = nameAt?.(index) ?? flow.id;
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => running.push(resolve));
      };
      queue.run(flow, work).catch(() => refused.push(name));
    }
  }
  /** Ends the `count` oldest running computations in turn. Whenever one ends, the queue starts the next. */
  async function end(count = 1): Promise<void> {
    for (let index = 0; index < count; index++) {
      running.shift()?.();
      await settled();
    }
    await settled();
  }
  return { queue, begun, refused, ask, end };
}

test.each([1, 2])('computes %i at a time', async (atATime) => {
  const { ask, begun, end } = steppedQueue(undefined, atATime);
  ask(String, atATime + 1);
  await settled();
  expect(begun).toHaveLength(atATime);
  await end();
  expect(begun).toHaveLength(atATime + 1);
});

test.each<[string, (ask: ReturnType<typeof steppedQueue>['ask']) => void]>([
  ['one flooding network', (ask) => ask('flood', 30)],
  ['hundreds of networks that have just begun a flood', (ask) => ask((i) => `flood ${i}`, 300)],
  ['networks that go on asking though refused', (ask) => ask((i) => `flood ${i % 140}`, 420)],
])('serves a network that asks once before %s', async (_what, flood) => {
  const { ask, begun, end } = steppedQueue();
  flood(ask);
  ask('home');
  await end();
  expect(begun[2]).toBe('home');
});

test('serves a known user before strangers, until they ask ten times more', async () => {
  const orders: Record<number, string[]> = { 12: ['c'], 10: [...Array(10).fill('ann'), 'c'] };
  for (const [asked, served] of Object.entries(orders)) {
    const { ask, begun, end } = steppedQueue();
    ask(String, 2);
    ask(known('ann'), Number(asked), () => 'ann');
    ask('c');
    await end(served.length);
    expect(begun.slice(2)).toEqual(served);
  }
});

test('serves server keys before all users, in the order of arrival', async () => {
  const { ask, begun, refused, end } = steppedQueue();
  ask((i) => known(`user ${i}`), 102);
  ask(keys, 50, (i) => `key ${i}`);
  await end(50);
  expect(begun.slice(2)).toEqual(Array.from({ length: 50 }, (_, i) => `key ${i}`));
  expect(refused).toHaveLength(50);
  const full = steppedQueue();
  full.ask(keys, 2 + 101, (i) => `key ${i}`);
  await full.end();
  expect(full.refused).toEqual(['key 102']);
});

test('lets 32 of one network wait, not 33', async () => {
  const { ask, refused } = steppedQueue();
  ask('school', 2 + 32);
  await settled();
  expect(refused).toEqual([]);
  ask('school', 1, () => 'one more');
  await settled();
  expect(refused).toEqual(['one more']);
});

test('lets 100 wait in all, and refuses the network that asked most for one that asked less', async () => {
  const { ask, refused } = steppedQueue();
  ask('busy', 4);
  ask((i) => `net ${i}`, 98);
  await settled();
  expect(refused).toEqual([]);
  ask('home');
  await settled();
  expect(refused).toEqual(['busy']);
});

test('forgets attempts after ten minutes', async () => {
  let time = 1;
  const { ask, begun, end } = steppedQueue({ now: () => time });
  ask('then', 20);
  await end(20);
  time += 600_001;
  for (const name of ['a', 'b', 'now', 'then']) ask(name);
  await end();
  expect(begun.at(-1)).toBe('then');
});

test('goes on after a failure', async () => {
  const queue = new PasswordQueue();
  const broken = () => Promise.reject(new Error('broken'));
  const all = [1, 2, 3, 4].map(() => queue.run(stranger('a'), broken));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(await queue.run(stranger('a'), async () => 'done')).toBe('done');
});

test('does not count what was right, so that an address of many people stays in front', async () => {
  const { ask, begun, end, queue } = steppedQueue();
  for (let index = 0; index < 20; index++) {
    ask('office');
    await settled();
    await end();
    queue.succeeded(stranger('office'));
  }
  ask((i) => `flood ${i}`, 50);
  ask('office', 1, () => 'next');
  await end();
  expect(begun.at(-1)).toBe('next');
});

test('counts what a known user asks even when it is right', async () => {
  const { ask, begun, end, queue } = steppedQueue();
  for (let index = 0; index < 11; index++) {
    ask(known('ann'));
    await settled();
    await end();
    queue.succeeded(known('ann'));
  }
  for (const name of ['a', 'b', 'c']) ask(name);
  ask(known('ann'));
  await end();
  expect(begun.at(-1)).toBe('c');
});

test('computes nothing for a client that has gone', async () => {
  const { ask, begun, refused, end } = steppedQueue();
  for (const name of ['a', 'b', 'c']) ask(name);
  let isGone = false;
  ask({ ...stranger('gone'), isGone: () => isGone });
  isGone = true;
  await end();
  expect(begun.at(-1)).toBe('c');
  expect(refused).toEqual(['gone']);
});

test('takes the IPv6 networks of one site for one flow, neighbours on IPv4 for two', () => {
  const of = (address: string) => flowOf(guest(address)).id;
  expect(of('2001:db8:1:1::1')).toBe(of('2001:db8:1:ffff::2'));
  expect(of('2001:db8:1:1::1')).not.toBe(of('2001:db8:2:1::1'));
  expect(of('203.0.113.1')).not.toBe(of('203.0.113.2'));
});
