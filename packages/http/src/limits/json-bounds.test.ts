import { expect, test } from 'vitest';
import { JsonBounds } from './json-bounds.ts';

function faultOf(text: string, chunk = text.length): string | undefined {
  const bounds = new JsonBounds({ depth: 512, values: 100_000 });
  const bytes = Buffer.from(text);
  let fault: string | undefined;
  for (let from = 0; from < bytes.length; from += chunk) fault ??= bounds.fault(bytes.subarray(from, from + chunk));
  return fault;
}

test('does not add up levels side by side', () => expect(faultOf(`[${'[[1]],'.repeat(10_000)}1]`)).toBeUndefined());

test('accepts 100,000 values, not one more', () => {
  expect(faultOf(`[${'1,'.repeat(99_999)}1]`)).toBeUndefined();
  expect(faultOf(`[${'1,'.repeat(100_000)}1]`)).toBe('holds more than 100000 values');
  expect(faultOf(`[${'[],'.repeat(50_000)}1]`)).toMatch('values');
});

test.each([1, 2, 7])('ignores the content of strings, in chunks of %i bytes or whole', (chunk) => {
  const text = JSON.stringify({ html: '[{"\\,'.repeat(2000), 'a"b\\': '😀,\\' });
  expect(faultOf(text.repeat(60), chunk)).toBeUndefined();
  expect(faultOf(text + '['.repeat(513), chunk)).toMatch('deeper');
});

test('refuses deep nesting in invalid JSON', () => expect(faultOf('['.repeat(12 * 1024 * 1024))).toMatch('deeper'));
