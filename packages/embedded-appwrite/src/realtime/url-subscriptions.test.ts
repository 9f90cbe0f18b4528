import { expect, it } from 'vitest';
import { urlSubscriptions } from './url-subscriptions.ts';

const SLOTS = 'channels[]=a.b&channels[]=c&a_b[0][0]=q1&a_b[1][0]=q2&a_b[1][1]=q3&c[1][0]=q2';
const ONE = { channels: ['a.b'], queries: ['q1'] };

it.each([
  ['project=p1', []],
  ['channels[]=documents&channels[]=a.b', [{ channels: ['documents', 'a.b'], queries: [] }]],
  ['channels[0]=documents', [{ channels: ['documents'], queries: [] }]],
  [SLOTS, [ONE, { channels: ['a.b', 'c'], queries: ['q2', 'q3'] }]],
])('reads one subscription per slot from %s', (text, items) => expect(urlSubscriptions(text)).toEqual(items));
