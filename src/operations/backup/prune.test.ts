import { expect, test } from 'vitest';
import { backupName, madeAt, parseKeep, toPrune } from './prune.ts';

const daily = (days: number) =>
  Array.from({ length: days }, (_, i) => backupName(new Date(Date.UTC(2026, 0, 1 + i, 3))));

test('a name tells when its backup was made', () => {
  const made = new Date('2026-11-24T03:00:05.000Z');
  expect(madeAt(backupName(made))).toEqual(made);
  expect(madeAt('holiday.zip')).toBeUndefined();
});

test('the newest of each day, week and month is kept, as many as are asked for', () => {
  const names = daily(120);
  const pruned = new Set(toPrune(names, parseKeep('7d,4w,12m')));
  const kept = names.filter((name) => !pruned.has(name));
  // Keeps seven days, three older Sundays, and the last days of three older months.
  const days = '01-31 02-28 03-31 04-12 04-19 04-24 04-25 04-26 04-27 04-28 04-29 04-30';
  expect(kept.map((name) => name.slice(16, 21)).join(' ')).toBe(days);
});

test('the newest backup and files of other names never go', () => {
  const [only] = daily(1) as [string];
  expect(toPrune([only, 'notes.txt', 'common-ink.zip'], parseKeep('0d'))).toEqual([]);
});

test.each(['', '7', '7x', 'd', '7d,,4w', '-1d', '99999d'])('--keep %j is refused', (text) =>
  expect(() => parseKeep(text)).toThrow('7d,4w,12m'),
);
