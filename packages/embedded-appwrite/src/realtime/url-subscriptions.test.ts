import { expect, it } from 'vitest';
import { urlSubscriptions } from './url-subscriptions.ts';

const read = urlSubscriptions;

it('is nothing without channels', () => {
  expect(read('project=p1')).toEqual([]);
});

it('makes one subscription of channels without queries', () => {
  expect(read('channels[]=documents&channels[]=a.b')).toEqual([{ channels: ['documents', 'a.b'], queries: [] }]);
  expect(read('channels[0]=documents')).toEqual([{ channels: ['documents'], queries: [] }]);
});

it('makes one subscription of each slot', () => {
  expect(read('channels[]=a.b&channels[]=c&a_b[0][0]=q1&a_b[1][0]=q2&a_b[1][1]=q3&c[1][0]=q2')).toEqual([
    { channels: ['a.b'], queries: ['q1'] },
    { channels: ['a.b', 'c'], queries: ['q2', 'q3'] },
  ]);
});
