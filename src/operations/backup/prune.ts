import { OperatorError } from '#blog/errors.ts';

export interface Keep {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const UNITS = { d: 'days', w: 'weeks', m: 'months' } as const;

/** Parses the days, weeks and months to keep, such as `7d,4w,12m`. @throws OperatorError for any other form */
export function parseKeep(text: string): Keep {
  const keep = { days: 0, weeks: 0, months: 0 };
  for (const part of text.split(',')) {
    const [, count, unit] = /^\s*(\d{1,4})([dwm])\s*$/.exec(part) ?? [];
    if (!count || !unit)
      throw new OperatorError(`--keep takes a list such as 7d,4w,12m, which cannot contain “${part}”.`);
    keep[UNITS[unit as keyof typeof UNITS]] += Number(count);
  }
  return keep;
}

export const backupName = (made: Date): string =>
  `common-ink-${made.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`;

/** Returns the time in a backup's name; undefined for other files, which are never deleted. */
export function madeAt(name: string): Date | undefined {
  const [, day, h, m, s] = /^common-ink-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.zip$/.exec(name) ?? [];
  const made = new Date(`${day}T${h}:${m}:${s}Z`);
  return Number.isNaN(made.getTime()) ? undefined : made;
}

const BAD = '.bad';

export const badOf = (file: string): string => `${file}${BAD}`;

export const isBad = (name: string): boolean => name.endsWith(BAD) && madeAt(name.slice(0, -BAD.length)) !== undefined;

/** Returns the backups to delete. The newest one is never among them. */
export function toPrune(names: readonly string[], { days, weeks, months }: Keep): string[] {
  const backups = names
    .flatMap((name) => {
      const made = madeAt(name);
      return made ? [{ name, made }] : [];
    })
    .toSorted((a, b) => b.made.getTime() - a.made.getTime());
  const kept = new Set(backups.slice(0, 1).map(({ name }) => name));
  const keepNewestOf = (count: number, period: (made: Date) => string) => {
    const seen = new Set<string>();
    for (const { name, made } of backups) {
      if (seen.has(period(made))) continue;
      if (seen.size >= count) return;
      seen.add(period(made));
      kept.add(name);
    }
  };
  keepNewestOf(days, (made) => made.toISOString().slice(0, 10));
  keepNewestOf(weeks, (made) => `${Math.floor((made.getTime() / 86_400_000 + 3) / 7)}`);
  keepNewestOf(months, (made) => made.toISOString().slice(0, 7));
  return backups.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}
