/** Fills an index from the journal of an earlier process, and writes the journal anew from the index. */
import { Entry, type HeaderSet, type HeaderSets } from './entry.ts';
import type { JournalLine } from './journal.ts';
import type { PageIndex } from './page-index.ts';

const FORM = 1;
/** Change 1 of the clock: everything that an earlier process knew to be outdated. */
const BEFORE_START = 1;

/** How many milliseconds a page may be shown without a thought, from the time it was last found right. */
export function freshUntil(entry: Entry, maximumAge: number): number {
  return entry.checkedAt + Math.min(entry.maxAge, maximumAge) * 1000;
}

/**
 * The function that is told each line of the journal in its order. Pages of another build of the site count as
 * outdated: they are shown while the new ones cannot be rendered, because a page with the old look beats an error.
 */
export function replayInto(
  index: PageIndex,
  sets: HeaderSets,
  build: string,
  now: number,
): (line: JournalLine) => void {
  const headers = new Map<number, HeaderSet>();
  const reasons = new Map<string, string>();
  let otherBuild = true;
  let readable = false;
  return (line) => {
    if (line.t === 'site') {
      readable = line.form === FORM;
      otherBuild = line.build !== build;
      return;
    }
    if (!readable) return;
    switch (line.t) {
      case 'headers':
        headers.set(line.id, sets.of(line.pairs, line.id).set);
        break;
      case 'page': {
        const set = headers.get(line.h);
        if (!set) break;
        if (!reasons.has(line.r)) reasons.set(line.r, line.r);
        const entry = new Entry(
          {
            path: line.p,
            tags: line.g.map((name) => index.tag(name)),
            headers: set,
            sums: line.s,
            lengths: line.n,
            storedAt: line.at,
            maxAge: line.m,
            reason: reasons.get(line.r) ?? line.r,
          },
          now,
        );
        if (line.x || otherBuild) outdate(entry);
        index.put(entry);
        break;
      }
      case 'gone':
        for (const path of line.p) index.delete(path);
        break;
      case 'old':
        for (const entry of index.select({ tags: line.g, paths: line.p })) outdate(entry);
        break;
      case 'same': {
        const entry = index.get(line.p);
        if (!entry) break;
        entry.checkedAt = line.at;
        if (!otherBuild) [entry.outdatedBy, entry.awaited] = [0, false];
        break;
      }
    }
  };
}

function outdate(entry: Entry): void {
  entry.outdatedBy = BEFORE_START;
  entry.awaited = true;
}

export function pageLine(entry: Entry): JournalLine {
  return {
    t: 'page',
    p: entry.path,
    g: entry.tagNames,
    h: entry.headers.id,
    s: entry.sums,
    n: entry.lengths,
    at: entry.storedAt,
    m: entry.maxAge,
    r: entry.reason,
    ...(entry.outdatedBy > 0 && { x: 1 as const }),
  };
}

export function headersLine(set: HeaderSet): JournalLine {
  return { t: 'headers', id: set.id, pairs: set.pairs };
}

export function siteLine(build: string): JournalLine {
  return { t: 'site', form: FORM, build };
}

/** The shortest journal that says what the index holds now. */
export function* linesOf(index: PageIndex, sets: HeaderSets, build: string): Generator<JournalLine> {
  yield siteLine(build);
  for (const set of sets.values()) yield headersLine(set);
  for (const entry of index.values()) if (entry.onDisk) yield pageLine(entry);
}
