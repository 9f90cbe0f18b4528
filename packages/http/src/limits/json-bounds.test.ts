import { expect, test } from 'vitest';
import { JsonBounds } from './json-bounds.ts';

/** The first fault of a text that comes in pieces. */
function faultOf(text: string, chunk = text.length): string | undefined {
  const bounds = new JsonBounds({ depth: 512, values: 100_000 });
  const bytes = Buffer.from(text);
  let fault: string | undefined;
  for (let from = 0; from < bytes.length; from += chunk) fault ??= bounds.fault(bytes.subarray(from, from + chunk));
  return fault;
}
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

test('512 levels of lists and objects pass, one more is refused', () => {
  expect(faultOf(nested(512))).toBeUndefined();
  expect(faultOf(`[${nested(512)}]`)).toBe('is nested deeper than 512 levels');
});

test('levels side by side are not added up', () => {
  expect(faultOf(`[${'[[1]],'.repeat(10_000)}1]`)).toBeUndefined();
});

test('100,000 values pass, one more is refused', () => {
  expect(faultOf(`[${'1,'.repeat(99_999)}1]`)).toBeUndefined();
  expect(faultOf(`[${'1,'.repeat(100_000)}1]`)).toBe('holds more than 100000 values');
  expect(faultOf(`[${'[],'.repeat(50_000)}1]`)).toMatch('values');
});

test.each([1, 2, 7])('what stands in texts counts for nothing, cut into pieces of %i bytes or not', (chunk) => {
  const text = JSON.stringify({ html: '[{"\\,'.repeat(2000), 'a"b\\': '😀,\\' });
  expect(faultOf(text.repeat(60), chunk)).toBeUndefined();
  expect(faultOf(text + '['.repeat(513), chunk)).toMatch('deeper');
});

test('what never was JSON is refused all the same', () => {
  expect(faultOf('['.repeat(12 * 1024 * 1024))).toMatch('deeper');
});
