import { expect, it } from 'vitest';
import { WindowCounters } from './window-counters.ts';

it('counts until the window ends, and begins another after it', () => {
  const counters = new WindowCounters(10);
  counters.add('a', 0, 60);
  counters.add('a', 59, 119, 2);
  expect(counters.get('a', 59)).toEqual({ used: 3, until: 60 });
  expect(counters.get('a', 60)).toBeUndefined();
  counters.add('a', 60, 120);
  expect(counters.get('a', 61)).toEqual({ used: 1, until: 120 });
  counters.forget('a');
  expect(counters.get('a', 61)).toBeUndefined();
});

it('forgets the one unused for the longest', () => {
  const counters = new WindowCounters(2);
  counters.add('a', 0, 60);
  counters.add('b', 0, 60);
  counters.get('a', 1);
  counters.add('c', 1, 61);
  expect(['a', 'b', 'c'].map((name) => counters.get(name, 2)?.used)).toEqual([1, undefined, 1]);
});
