import { afterEach, expect, test, vi } from 'vitest';
import { dateTimeText, timeText } from './format-time.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Replaces every kind of space with a plain one, because the space before "PM" differs between languages. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test.each([
  [['en-GB'], '14:03', '14:03:07', '2 May 2026 at 14:03'],
  [['en-US', 'de'], '02:03 PM', '02:03:07 PM', 'May 2, 2026 at 02:03 PM'],
  [['de-AT', 'en-GB'], '14:03', '14:03:07', '2 May 2026 at 14:03'],
  [['ja-JP'], '02:03 PM', '02:03:07 PM', 'May 2, 2026 at 02:03 PM'],
])('every time in the form is told as a writer of %j tells it', (languages, minute, second, day) => {
  vi.useFakeTimers({ now: new Date(2026, 4, 3, 20), toFake: ['Date'] });
  vi.stubGlobal('navigator', { languages });
  const [today, yesterday] = [new Date(2026, 4, 3, 14, 3, 7), new Date(2026, 4, 2, 14, 3, 7)];
  expect(plain(timeText(today.getTime()))).toBe(minute);
  expect(plain(dateTimeText(today.toISOString()))).toBe(second);
  expect(plain(dateTimeText(yesterday.toISOString()))).toBe(day);
});
