import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dateTimeText, timeText } from './format-time.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 4, 3, 20), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const spoken = (...languages: string[]) => vi.stubGlobal('navigator', { languages });
const [today, yesterday] = [3, 2].map((day) => new Date(2026, 4, day, 14, 3, 7)) as [Date, Date];
/** Languages differ in the kind of space before "PM". */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

describe('every time in the form is told as the writer’s writerLocale tells it', () => {
  test.each([
    [['en-GB'], '14:03', '14:03:07', '2 May 2026 at 14:03'],
    [['en-US', 'de'], '02:03 PM', '02:03:07 PM', 'May 2, 2026 at 02:03 PM'],
    [['de-AT', 'en-GB'], '14:03', '14:03:07', '2 May 2026 at 14:03'],
    [['ja-JP'], '02:03 PM', '02:03:07 PM', 'May 2, 2026 at 02:03 PM'],
  ])('%j', (languages, minute, second, day) => {
    spoken(...languages);
    expect(plain(timeText(today.getTime()))).toBe(minute);
    expect(plain(dateTimeText(today.toISOString()))).toBe(second);
    expect(plain(dateTimeText(yesterday.toISOString()))).toBe(day);
  });
});
