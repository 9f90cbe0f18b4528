import { expect, test } from 'vitest';
import { GUEST } from '../../http/access/authenticate.ts';
import { type Flow, flowOf, PasswordQueue } from './password-queue.ts';

const stranger = (id: string): Flow => ({ id, credit: 0 });
const request = { socket: { destroyed: false } } as Parameters<typeof flowOf>[0]['request'];
const guest = (address: string) => ({ caller: GUEST, client: { address, secure: false }, request });
const keys = flowOf({ ...guest(''), caller: { ...GUEST, privileged: true } });
const known = (name: string) => flowOf(guest('203.0.113.1'), name);

/** Returns a queue whose computations end on demand, and the names of those started, in order. */
function steppedQueue(clock?: () => number, atATime = 2) {
  const queue = new PasswordQueue(clock, atATime);
  const begun: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  return {
    queue,
    begun,
    refused,
    ask(flow: Flow, name = flow.id): void {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => running.push(resolve));
      };
      queue.run(flow, work).catch(() => refused.push(name));
    },
    /** Ends the oldest computations, each of which starts the next one. */
    async end(count = 1): Promise<void> {
      for (let index = 0; index < count; index++) {
        running.shift()?.();
        await settled();
      }
      await settled();
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one is computed at a time where readers have no other core to themselves', async () => {
  const { ask, begun, end } = steppedQueue(undefined, 1);
  for (const name of ['a', 'b']) ask(stranger(name));
  await settled();
  expect(begun).toEqual(['a']);
  await end();
  expect(begun).toEqual(['a', 'b']);
});

test('two are computed at a time', async () => {
  const { ask, begun, end } = steppedQueue();
  for (const name of ['a', 'b', 'c']) ask(stranger(name));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  await end();
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('a network that asks once goes before one that floods', async () => {
  const { ask, begun, end } = steppedQueue();
  for (let index = 0; index < 30; index++) ask(stranger('flood'));
  ask(stranger('home'));
  await end();
  expect(begun).toEqual(['flood', 'flood', 'home']);
});

test('whoever comes next goes before hundreds of networks that have just begun a flood', async () => {
  const { ask, begun, refused, end } = steppedQueue();
  for (let index = 0; index < 300; index++) ask(stranger(`flood ${index}`));
  ask(stranger('home'));
  await end();
  expect(begun[2]).toBe('home');
  expect(refused).toHaveLength(199);
});

test('networks that go on asking stay behind, also those that were turned away', async () => {
  const { ask, begun, end } = steppedQueue();
  for (let round = 0; round < 3; round++) for (let index = 0; index < 140; index++) ask(stranger(`flood ${index}`));
  ask(stranger('home'));
  for (let index = 0; index < 140; index++) ask(stranger(`flood ${index}`));
  await end();
  expect(begun[2]).toBe('home');
});

test('somebody known goes before strangers who ask as little, until he asks ten times more', async () => {
  const { ask, begun, end } = steppedQueue();
  for (const name of ['a', 'b']) ask(stranger(name));
  for (let index = 0; index < 12; index++) ask(known('ann'), `ann ${index}`);
  ask(stranger('c'));
  await end();
  expect(begun[2]).toBe('c');
  const other = steppedQueue();
  for (const name of ['a', 'b']) other.ask(stranger(name));
  for (let index = 0; index < 10; index++) other.ask(known('ann'), 'ann');
  other.ask(stranger('c'));
  await other.end(11);
  expect(other.begun.slice(2)).toEqual([...Array(10).fill('ann'), 'c']);
});

test('server keys wait for nobody', async () => {
  const { ask, begun, refused, end } = steppedQueue();
  for (let index = 0; index < 102; index++) ask(known(`somebody ${index}`));
  for (let index = 0; index < 50; index++) ask(keys, 'key');
  await end(50);
  expect(begun.slice(2)).toEqual(Array(50).fill('key'));
  expect(refused).toHaveLength(50);
});

test('server keys are served in the order in which they came', async () => {
  const { ask, begun, end } = steppedQueue();
  for (let index = 0; index < 10; index++) ask(keys, `key ${index}`);
  await end(5);
  for (let index = 10; index < 20; index++) ask(keys, `key ${index}`);
  await end(15);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => `key ${index}`));
  const full = steppedQueue();
  for (let index = 0; index < 2 + 101; index++) full.ask(keys, `key ${index}`);
  await full.end();
  expect(full.refused).toEqual(['key 102']);
});

test('of one network 32 wait, the next is turned away with 429', async () => {
  const { ask, refused } = steppedQueue();
  for (let index = 0; index < 2 + 32; index++) ask(stranger('school'));
  await settled();
  expect(refused).toEqual([]);
  ask(stranger('school'), 'one more');
  await settled();
  expect(refused).toEqual(['one more']);
});

test('in all 100 wait, and who asked most makes room for one who asked less', async () => {
  const { ask, refused } = steppedQueue();
  for (let index = 0; index < 2; index++) ask(stranger('busy'));
  for (let index = 0; index < 100; index++) ask(stranger(index < 2 ? 'busy' : `net ${index}`));
  await settled();
  expect(refused).toEqual([]);
  ask(stranger('home'));
  await settled();
  expect(refused).toEqual(['busy']);
});

test('what was asked is forgotten after ten minutes', async () => {
  let time = 0;
  const { ask, begun, end } = steppedQueue(() => time);
  for (let index = 0; index < 20; index++) ask(stranger('then'));
  await end(20);
  time = 600_000;
  for (const name of ['a', 'b', 'now', 'then']) ask(stranger(name));
  await end();
  expect(begun.slice(-1)).toEqual(['then']);
});

test('a failure makes way for the next one', async () => {
  const queue = new PasswordQueue();
  const broken = () => Promise.reject(new Error('broken'));
  const all = [1, 2, 3, 4].map(() => queue.run(stranger('a'), broken));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(await queue.run(stranger('a'), async () => 'done')).toBe('done');
});

test('what was right does not count, so that one address of many people stays in front', async () => {
  const { ask, begun, end, queue } = steppedQueue();
  for (let index = 0; index < 20; index++) {
    ask(stranger('office'));
    await settled();
    await end();
    queue.succeeded(stranger('office'));
  }
  for (let index = 0; index < 50; index++) ask(stranger(`flood ${index}`));
  ask(stranger('office'), 'next');
  await end();
  expect(begun.at(-1)).toBe('next');
});

test('what somebody known asks counts even when it is right: nobody signs in forever before others', async () => {
  const { ask, begun, end, queue } = steppedQueue();
  for (let index = 0; index < 11; index++) {
    ask(known('ann'));
    await settled();
    await end();
    queue.succeeded(known('ann'));
  }
  for (const name of ['a', 'b', 'c']) ask(stranger(name));
  ask(known('ann'));
  await end();
  expect(begun.at(-1)).toBe('c');
});

test('nothing is computed for whoever does not wait any more', async () => {
  const { ask, begun, refused, end } = steppedQueue();
  for (const name of ['a', 'b', 'c']) ask(stranger(name));
  let isGone = false;
  ask({ ...stranger('gone'), isGone: () => isGone });
  isGone = true;
  await end();
  expect(begun.at(-1)).toBe('c');
  expect(refused).toEqual(['gone']);
});

test('the IPv6 networks of one site are one flow, neighbours on IPv4 are not', () => {
  const of = (address: string) => flowOf(guest(address)).id;
  expect(of('2001:db8:1:1::1')).toBe(of('2001:db8:1:ffff::2'));
  expect(of('2001:db8:1:1::1')).not.toBe(of('2001:db8:2:1::1'));
  expect(of('203.0.113.1')).not.toBe(of('203.0.113.2'));
});
