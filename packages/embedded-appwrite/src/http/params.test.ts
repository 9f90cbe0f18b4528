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

  test.each([5, true, ['a'], {}])('is not %j', (raw) => {
    expect(refused(params.text(9), raw)).toBe(true);
  });
});

describe('e-mail', () => {
  test.each([
    ...['', 'ann', 'ann@', '@example.com', 'ann@example', 'a b@example.com', 'a@@example.com', 'a.@example.com'],
    // Each of these would address the mail to another person.
    ...['ann@example.com\r\nBcc: eve@example.com', 'ann@example.com, eve@example.com', 'Ann <eve@example.com>'],
  ])('%j is none', (raw) => expect(refused(params.email(), raw)).toBe(true));

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

describe('permissions', () => {
  const permissions = params.permissionList({ actions: RESOURCE_ACTIONS });

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

  test('100 pass, 101 do not', () => {
    const many = (length: number) => Array.from({ length }, (_, index) => `read("user:u${index}")`);
    expect(read(permissions, many(100))).toHaveLength(100);
    expect(refused(permissions, many(101))).toBe(true);
  });
});
