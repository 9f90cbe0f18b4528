import { expect, test } from 'vitest';
import { dateText, isId, now, uniqueId } from './identifiers.ts';

test('ids are 20 hex digits, begin with the second and do not repeat', () => {
  const ids = Array.from({ length: 1000 }, uniqueId);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.every((id) => /^[0-9a-f]{20}$/.test(id) && isId(id))).toBe(true);
  expect(Math.abs(Number.parseInt((ids[0] as string).slice(0, 8), 16) - Date.now() / 1000)).toBeLessThan(5);
});

test('dates have milliseconds and +00:00', () => {
  expect(now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  expect(dateText(0)).toBe('1970-01-01T00:00:00.000+00:00');
});
