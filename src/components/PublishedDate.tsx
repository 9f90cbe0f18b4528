/** The day a post was published. */
import { dayText } from '#blog/dates.ts';

export function PublishedDate({ iso }: { iso: string }) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  return <time dateTime={date.toISOString().slice(0, 10)}>{dayText(date)}</time>;
}
