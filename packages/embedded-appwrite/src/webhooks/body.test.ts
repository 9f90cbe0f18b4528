import { expect, test } from 'vitest';
import { deliveryBody } from './body.ts';

test('a body is ASCII, with slashes escaped and whole numbers exact', () => {
  expect(deliveryBody({ a: 'é/x', b: '😀\u007f"' })).toBe('{"a":"\\u00e9\\/x","b":"\\ud83d\\ude00\u007f\\""}');
  expect(deliveryBody({ n: 12345678901234567890n })).toBe('{"n":12345678901234567890}');
});
