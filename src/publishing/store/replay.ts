/** Fills an index from the journal of an earlier process, and writes the journal anew from the index. */
import { Entry, type HeaderSet, type HeaderSets } from './entry.ts';
import type { JournalLine, PageLine } from './journal.ts';
import type { PageIndex } from './page-index.ts';

const FORM = 1;
/** The largest time that a small integer holds. */
const FOREVER = 2 ** 31 - 1;
/** Change 1 of the clock: everything that an earlier process knew to be outdated. */
const BEFORE_START = 1;

/** Until when (s since 1970) a page may be shown without a thought, counted from when it was last found right. */
export function freshUntil(entry: Entry, maximumAge: number): number {
  return Math.min(entry.checkedAt + Math.min(entry.maxAge, maximumAge), FOREVER);
}

/**
 * Reads the lines of a journal in their order. Pages of another build of the site count as outdated: they are shown
 * while the new ones cannot be rendered, because a page with the old look beats an error.
 */
export class Replay {
  readonly #index: PageIndex;
  readonly #sets: HeaderSets;
  readonly #build: string;
  readonly #now: number;
  readonly #headers = new Map<number, HeaderSet>();
  readonly #reasons = new Map<string, string>();
  /** Pages whose files were being written. */
  readonly #announced = new Map<string, Entry>();
  #otherBuild = true;
  #readable = false;

  constructor(index: PageIndex, sets: HeaderSets, build: string, now: number) {
    this.#index = index;
    this.#sets = sets;
    this.#build = build;
    this.#now = now;
  }

  /** Pages that a crash caught between the first of their files and their last line: which version lies there? */
  get undecided(): Iterable<Entry> {
    return this.#announced.values();
  }

  read(line: JournalLine): void {
    if (line.t === 'site') {
      this.#readable = line.form === FORM;
      this.#otherBuild = line.build !== this.#build;
    } else if (this.#readable) {
      this.#apply(line);
    }
  }

  #apply(line: Exclude<JournalLine, { t: 'site' }>): void {
    switch (line.t) {
      case 'headers':
        this.#headers.set(line.id, this.#sets.of(line.pairs, line.id).set);
        break;
      case 'next': {
        const entry = this.#entryOf(line);
        if (entry) this.#announced.set(line.p, entry);
        break;
      }
      case 'page': {
        this.#announced.delete(line.p);
        const entry = this.#entryOf(line);
        if (entry) this.#index.put(entry);
        break;
      }
      case 'gone':
        for (const path of line.p) {
          this.#announced.delete(path);
          this.#index.delete(path);
        }
        break;
      case 'old':
        for (const entry of this.#index.select({ tags: line.g, paths: line.p })) outdate(entry);
        for (const entry of this.#announced.values()) outdate(entry);
        break;
      case 'same': {
        const entry = this.#index.get(line.p);
        if (!entry) break;
        entry.checkedAt = line.at;
        if (!this.#otherBuild) [entry.outdatedBy, entry.awaited] = [0, false];
        break;
      }
    }
  }

  #entryOf(line: PageLine): Entry | undefined {
    const headers = this.#headers.get(line.h);
    if (!headers) return undefined;
    const reason = this.#reasons.get(line.r) ?? line.r;
    this.#reasons.set(reason, reason);
    const tags = line.g.map((name) => this.#index.tag(name));
    const { p: path, s: sums, n: lengths, at: storedAt, m: maxAge } = line;
    const entry = new Entry({ path, tags, headers, sums, lengths, storedAt, maxAge, reason }, this.#now);
    if (line.x || this.#otherBuild) outdate(entry);
    return entry;
  }
}

function outdate(entry: Entry): void {
  entry.outdatedBy = BEFORE_START;
  entry.awaited = true;
}

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
  for (const entry of index.values()) if (entry.onDisk) yield pageLine('page', entry);
}
