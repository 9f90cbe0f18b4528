/** The journal's lines about pages: what is written of an entry, and the entry that is read from a line. */
import type { ColdPage } from './cold-pages.ts';
import { Entry, freshUntil, type HeaderSet } from './entry.ts';
import type { JournalLine, PageLine } from './journal.ts';
import { AT_START, FORM } from './replay.ts';
import type { Tag } from './tag.ts';

/** `next` announces a page before its files are touched, `page` says that they lie there. */
export function pageLine(t: PageLine['t'], entry: Entry): PageLine {
  return {
    t,
    p: entry.path,
    g: entry.tagNames,
    h: entry.headers.id,
    s: entry.sums,
    n: entry.lengths,
    at: entry.storedAt,
    m: entry.maxAge,
    r: entry.reason,
    ...(entry.outdatedBy > 0 && { x: 1 as const }),
    ...(entry.asOf === 0 && { u: 1 as const }),
  };
}

export function headersLine(set: HeaderSet): JournalLine {
  return { t: 'headers', id: set.id, pairs: set.pairs };
}

export function siteLine(build: string, isSure = false): JournalLine {
  return { t: 'site', form: FORM, build, ...(isSure && { sure: 1 }) };
}

/** `now` in seconds since 1970, `maximumAge` in seconds; `tag` gives a tag by its name. */
export function entryOf(
  { line, checkedAt, outdatedBy, awaited, isSure }: ColdPage,
  headers: HeaderSet,
  tag: (name: string) => Tag,
  now: number,
  maximumAge: number,
): Entry {
  const { p: path, s: sums, n: lengths, at: storedAt, m: maxAge, r: reason } = line;
  const entry = new Entry({ path, tags: line.g.map(tag), headers, sums, lengths, storedAt, maxAge, reason }, now);
  entry.checkedAt = checkedAt;
  entry.outdatedBy = outdatedBy;
  entry.awaited = awaited;
  if (isSure) {
    entry.asOf = AT_START;
    if (outdatedBy === 0) entry.freshUntil = freshUntil(entry, maximumAge);
  }
  return entry;
}
