import { expect, test } from 'vitest';
import { GUEST } from './access/authenticate.ts';
import * as params from './params.ts';

const LONG = `${'a'.repeat(64)}@b.test`;
const read = <T>(validator: params.Validator<T>, raw: unknown) => validator.read(raw, GUEST);
const digits = params.range(1, 10);

test.each<[string, params.Validator<unknown>, unknown, unknown]>([
  ['text of three characters, not UTF-16 units', params.text(3), '😀😀😀', '😀😀😀'],
  ['an address with a local part of 64 characters', params.email(), LONG, LONG],
  ['a number', digits, 10, 10],
  ['a number as text', digits, '10', 10],
  ['a fraction where the range has them', params.range(0, 1, { float: true }), '0.25', 0.25],
  ['false as text', params.boolean(), 'false', false],
  ['true as a digit', params.boolean(), '1', true],
])('accepts %s', (_what, validator, raw, value) => expect(read(validator, raw)).toBe(value));

const REFUSED: [params.Validator<unknown>, string, unknown[]][] = [
  [params.text(3), 'at least 1 chars and no longer than 3 chars', ['😀😀😀😀', 5, true, ['a'], {}]],
  [
    params.email(),
    'Value must be a valid email address',
    [
      ...['', 'ann', 'ann@', '@example.com', 'ann@example', 'a b@example.com', 'a@@example.com', 'a.@example.com'],
      `a${LONG}`,
      // Each of these would send the email to another person as well or instead.
      ...['ann@example.com\r\nBcc: eve@example.com', 'ann@example.com, eve@example.com', 'Ann <eve@example.com>'],
    ],
  ],
  [digits, 'Value must be a valid range between 1 and 10', [0, 11, 1.5, '1.5', '', 'x', null, true]],
  [params.range(1, 30_000_000), 'Value must be a valid range between 1 and 30,000,000', [0]],
  [params.boolean(), 'Value must be a valid boolean', ['']],
];
for (const [validator, text, values] of REFUSED)
  test.each(values)(`refuses %j: ${text}`, (raw) => expect(() => read(validator, raw)).toThrow(text));
