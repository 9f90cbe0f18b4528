/** A day, as readers write it. In UTC, so that a stored page says the same wherever it was made. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function PublishedDate({ iso }: { iso: string }) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  return <time dateTime={date.toISOString().slice(0, 10)}>{day.format(date)}</time>;
}
