import { expect, it } from 'vitest';
import { WindowCounters } from './window-counters.ts';

it('counts within a window and starts again in the next', () => {
  const counters = new WindowCounters(10, 60);
  counters.add('a', 0);
  counters.add('a', 59, 2);
  expect(counters.get('a', 59)).toEqual({ used: 3, until: 60 });
  expect(counters.get('a', 60)).toEqual({ used: 0, until: 120 });
  counters.add('a', 60);
  expect(counters.get('a', 61)).toEqual({ used: 1, until: 120 });
  counters.forget('a');
  expect(counters.get('a', 61).used).toBe(0);
});

it('keeps each count in a flood of other names', () => {
  const counters = new WindowCounters(100, 60);
  for (let i = 0; i < 9; i++) counters.add('early', 1);
  for (let i = 0; i < 20_000; i++) counters.add(`invented ${i}`, 2);
  for (let i = 0; i < 9; i++) counters.add('late', 3);
  for (let i = 0; i < 20_000; i++) counters.add(`more ${i}`, 4);
  expect(counters.get('early', 5).used).toBe(9);
  expect(counters.get('late', 5).used).toBeGreaterThanOrEqual(9);
});

it('counts further names together, and undoes counts', () => {
  const counters = new WindowCounters(1, 60);
  for (const name of ['a', 'b', 'b']) counters.add(name, 1);
  expect(counters.get('b', 1).used).toBe(2);
  counters.forget('b');
  expect(counters.get('b', 1).used).toBe(2);
  counters.takeBack('b', 60);
  counters.takeBack('b', 120);
  expect(counters.get('b', 1).used).toBe(1);
  counters.takeBack('a', 60);
  counters.add('c', 1);
  expect(['a', 'c'].map((name) => counters.get(name, 1).used)).toEqual([0, 1]);
});

it('continues a shared count in the name’s own counter', () => {
  const counters = new WindowCounters(1, 60);
  for (const name of ['a', 'b', 'b', 'b']) counters.add(name, 1);
  counters.forget('a');
  counters.add('b', 2);
  expect(counters.get('b', 3).used).toBe(4);
});
