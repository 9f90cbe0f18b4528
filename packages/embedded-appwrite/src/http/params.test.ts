import { describe, expect, test } from 'vitest';
import { RESOURCE_ACTIONS } from '../permissions.ts';
import { GUEST } from './access/authenticate.ts';
import * as params from './params.ts';

function read<T>(validator: params.Validator<T>, raw: unknown): T | string {
  try {
    return validator.read(raw, GUEST);
  } catch (error) {
    if (error instanceof params.ParamFault) return `refused: ${error.message}`;
    throw error;
  }
}
const refused = (validator: params.Validator<unknown>, raw: unknown) =>
  String(read(validator, raw)).startsWith('refused');

describe('text', () => {
  test('counts characters, not UTF-16 units, on both sides of the limit', () => {
    expect(read(params.text(3), '😀😀😀')).toBe('😀😀😀');
    expect(read(params.text(3), '😀😀😀😀')).toBe(
      'refused: Value must be a valid string and at least 1 chars and no longer than 3 chars',
    );
  });

  test('may be empty only where said', () => {
    expect(refused(params.text(3), '')).toBe(true);
    expect(read(params.text(3, { min: 0 }), '')).toBe('');
  });

  test.each([5, true, ['a'], {}])('is not %j', (raw) => {
    expect(refused(params.text(9), raw)).toBe(true);
  });
});

describe('ids', () => {
  test.each(['a', 'A1_.-', 'x'.repeat(36)])('%s may name a resource', (raw) => {
    expect(read(params.customId(), raw)).toBe(raw);
    expect(read(params.uid(), raw)).toBe(raw);
  });

  test.each(['', '_a', '.a', '-a', 'a b', 'ä', 'x'.repeat(37), 5])('%j may not', (raw) => {
    expect(refused(params.customId(), raw)).toBe(true);
    expect(refused(params.uid(), raw)).toBe(true);
  });

  test('unique() makes one of 20 hex digits, another each time', () => {
    const [one, other] = [read(params.customId(), 'unique()'), read(params.customId(), 'unique()')];
    expect(one).toMatch(/^[0-9a-f]{20}$/);
    expect(one).not.toBe(other);
  });
});

describe('e-mail', () => {
  test('is given in lower case', () => {
    expect(read(params.email(), 'Ann+Tag@Example.COM')).toBe('ann+tag@example.com');
  });

  test.each(['', 'ann', 'ann@', '@example.com', 'ann@example', 'a b@example.com', 'a@@example.com', 'a.@example.com'])(
    '%j is none',
    (raw) => {
      expect(refused(params.email(), raw)).toBe(true);
    },
  );

  test('may be as long as the standard allows', () => {
    expect(refused(params.email(), `${'a'.repeat(64)}@example.com`)).toBe(false);
    expect(refused(params.email(), `${'a'.repeat(65)}@example.com`)).toBe(true);
  });
});

describe('numbers and booleans', () => {
  test('come as themselves or as text', () => {
    expect(read(params.range(1, 10), 10)).toBe(10);
    expect(read(params.range(1, 10), '10')).toBe(10);
    expect(read(params.boolean(), 'false')).toBe(false);
    expect(read(params.boolean(), '1')).toBe(true);
  });

  test.each([0, 11, 1.5, '1.5', '', 'x', null, true])('%j is not from 1 to 10', (raw) => {
    expect(read(params.range(1, 10), raw)).toBe('refused: Value must be a valid range between 1 and 10');
  });

  test('bounds are shown with thousands separators', () => {
    expect(params.range(1, 30_000_000).description).toBe('Value must be a valid range between 1 and 30,000,000');
  });

  test('with float, parts of a whole pass', () => {
    expect(read(params.range(0, 1, { float: true }), '0.25')).toBe(0.25);
  });

  test('empty text is no boolean', () => {
    expect(refused(params.boolean(), '')).toBe(true);
  });
});

describe('lists', () => {
  const list = params.list(params.text(3), 2);
  test('on both sides of their length', () => {
    expect(read(list, ['a', 'b'])).toEqual(['a', 'b']);
    expect(read(list, ['a', 'b', 'c'])).toBe(
      'refused: Value must a valid array no longer than 2 items and Value must be a valid string and at least 1 chars and no longer than 3 chars',
    );
  });

  test('with a wrong item, or not a list', () => {
    expect(refused(list, ['long'])).toBe(true);
    expect(refused(list, 'a')).toBe(true);
  });
});

describe('permissions', () => {
  const permissions = params.permissionList({ actions: RESOURCE_ACTIONS });

  test('write becomes update and delete, repetitions fall away', () => {
    expect(read(permissions, ['write("user:a")', 'update("user:a")', 'read("any")'])).toEqual([
      'update("user:a")',
      'delete("user:a")',
      'read("any")',
    ]);
  });

  test('an unknown action is named with the known ones', () => {
    expect(read(permissions, ['create("any")'])).toBe(
      'refused: Permission "create" is not allowed. Must be one of: read, update, delete, write.',
    );
  });

  test.each([
    'read(any)',
    'read',
    'read("nobody")',
    'read("user")',
    'read("any:x")',
    'read("users/odd")',
    'read("label:a-b")',
  ])('%s is refused', (raw) => {
    expect(refused(permissions, [raw])).toBe(true);
  });

  test.each([
    'read("users/verified")',
    'read("user:a/unverified")',
    'read("team:t/owner")',
    'read("member:m")',
    'read("label:vip")',
  ])('%s passes', (raw) => {
    expect(read(permissions, [raw])).toEqual([raw]);
  });

  test('100 pass, 101 do not', () => {
    const many = (length: number) => Array.from({ length }, (_, index) => `read("user:u${index}")`);
    expect(read(permissions, many(100))).toHaveLength(100);
    expect(refused(permissions, many(101))).toBe(true);
  });
});
