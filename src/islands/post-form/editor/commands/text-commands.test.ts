import { expect, test } from 'vitest';
import { linkAddress } from './text-commands.ts';

test.each([
  ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
  [' example.com/a ', 'https://example.com/a'],
  ['example.com:8080/a', 'https://example.com:8080/a'],
  ['ann@example.com', 'mailto:ann@example.com'],
  ['mailto:ann@example.com', 'mailto:ann@example.com'],
  ['tel:+49123', 'tel:+49123'],
  ['sms:+49123', 'sms:+49123'],
  ['/post/other', '/post/other'],
  ['#part', '#part'],
  ['//example.com', 'https://example.com'],
  ['bücher.example', 'https://bücher.example'],
])('%s means %s', (typed, meant) => expect(linkAddress(typed)).toBe(meant));

test.each(['', 'two words', 'javascript:alert(1)', 'data:text/html,x', 'JAVASCRIPT:alert(1)', 'word', 'https://'])(
  '%j means no address',
  (typed) => expect(linkAddress(typed)).toBeUndefined(),
);
