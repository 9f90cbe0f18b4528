import { expect, it } from 'vitest';
import { nextDigest } from './digest-time.ts';

it.each([
  ['daily', '2026-11-28T07:59:59Z', 'UTC', '2026-11-28T08:00:00.000Z'],
  ['daily', '2026-11-28T08:00:00Z', 'UTC', '2026-11-29T08:00:00.000Z'],
  // A Monday.
  ['weekly', '2026-11-30T07:00:00Z', 'UTC', '2026-11-30T08:00:00.000Z'],
  ['weekly', '2026-11-30T08:00:00Z', 'UTC', '2026-12-07T08:00:00.000Z'],
  ['monthly', '2026-11-28T08:00:00Z', 'UTC', '2026-12-01T08:00:00.000Z'],
  ['monthly', '2026-12-01T07:30:00Z', 'Europe/Berlin', '2027-01-01T07:00:00.000Z'],
  // The clocks go forward in Berlin on this day.
  ['daily', '2026-03-28T20:00:00Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
  ['daily', '2026-11-28T00:00:00Z', 'Asia/Kathmandu', '2026-11-28T02:15:00.000Z'],
  ['weekly', '2026-11-29T20:00:00Z', 'Pacific/Auckland', '2026-12-06T19:00:00.000Z'],
] as const)('sends a %s digest after %s in %s at %s', (rhythm, now, zone, at) => {
  expect(new Date(nextDigest(rhythm, Date.parse(now), zone)).toISOString()).toBe(at);
});
