import { expect, it } from 'vitest';
import { sendingRate } from './sending-rate.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let time = 0;
const now = () => time;

/** Sends `count` emails, each as soon as the rate allows. Returns their sending times in ms from the start. */
function send(count: number, bounds: Parameters<ReturnType<typeof sendingRate>['wait']>[0], sent: number[] = []) {
  time = 100 * HOUR;
  const rate = sendingRate(now, sent);
  return Array.from({ length: count }, () => {
    time += rate.wait(bounds);
    rate.note();
    return time - 100 * HOUR;
  });
}

it('spaces mails evenly', () => {
  expect(send(4, { perMinute: 10 })).toEqual([0, 6000, 12_000, 18_000]);
});

it('starts slowly where the owner allows many', () => {
  const times = send(200, { perMinute: 6000 });
  expect(times.slice(0, 3)).toEqual([0, 500, 1000]);
  expect((times[199] ?? 0) - (times[198] ?? 0)).toBe(10);
});

it.each(Object.entries({ perHour: HOUR, perDay: 24 * HOUR }))('keeps within the bound %s', (bound, ms) => {
  const times = send(6, { perMinute: 10, [bound]: 5 });
  expect(times[4]).toBeLessThan(MINUTE);
  expect(times[5]).toBe(ms);
});

it('counts mails that were sent before a restart', () => {
  const [first] = send(1, { perMinute: 10, perHour: 2 }, [100 * HOUR - 50 * MINUTE, 100 * HOUR - MINUTE]);
  expect(first).toBe(10 * MINUTE);
});
