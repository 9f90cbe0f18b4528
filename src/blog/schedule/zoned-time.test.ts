import { expect, it } from 'vitest';
import { ZONES } from '../../../tests/support/zones.ts';
import { momentsOf, wallTimeAt, zoneNameAt } from './zoned-time.ts';

it.each(ZONES)('every half hour of a year in %s is the moments at which its clock shows it', (zone) => {
  const shown = new Map<string, number[]>();
  const [from, to] = [Date.UTC(2026, 11, 31), Date.UTC(2028, 0, 2)];
  for (let moment = from; moment < to; moment += 15 * 60_000) {
    const wall = wallTimeAt(moment, zone);
    shown.set(wall, [...(shown.get(wall) ?? []), moment]);
  }
  let skipped = 0;
  const wrong: string[] = [];
  for (let wall = Date.UTC(2027, 0, 1); wall < Date.UTC(2028, 0, 1); wall += 30 * 60_000) {
    const text = new Date(wall).toISOString().slice(0, 16);
    const { moments = [], isSkipped = false } = momentsOf(text, zone) ?? {};
    if (isSkipped) skipped += 1;
    const expected = isSkipped ? undefined : moments.join();
    if (shown.get(text)?.join() !== expected) wrong.push(text);
  }
  expect(wrong).toEqual([]);
  const twice = [...shown.values()].filter(({ length }) => length === 2).length;
  // `twice` counts in steps of a quarter of an hour, `skipped` in steps of half an hour.
  expect(skipped).toBe(twice / 2);
});

it('an hour that clocks are put over is later by as much', () => {
  const { moments, isSkipped } = momentsOf('2027-03-28T02:30', 'Europe/Berlin') ?? { moments: [] };
  expect(isSkipped).toBe(true);
  expect(wallTimeAt(moments[0] ?? 0, 'Europe/Berlin')).toBe('2027-03-28T03:30');
});

it('an hour that comes twice has both moments, each with its zone', () => {
  const { moments = [], isSkipped } = momentsOf('2027-10-31T02:30', 'Europe/Berlin') ?? {};
  expect(isSkipped).toBe(false);
  expect(moments.map((moment) => zoneNameAt(moment, 'Europe/Berlin', 'en'))).toEqual([
    'Central European Summer Time (UTC+02:00)',
    'Central European Standard Time (UTC+01:00)',
  ]);
});

it('a year that is being typed is shown as it was typed', () => {
  for (const wall of ['0002-06-15T10:30', '0020-06-15T10:30', '0202-06-15T10:30']) {
    for (const zone of ['UTC', 'America/New_York'])
      expect(wallTimeAt(momentsOf(wall, zone)?.moments[0] ?? 0, zone)).toBe(wall);
  }
});

it('what is no time has no moments', () => {
  for (const text of ['', '2027-02-30', '2027-13-01T10:00', 'tomorrow']) expect(momentsOf(text, 'UTC')).toBeUndefined();
});
