/**
 * One stored page as the index knows it: small, because there may be a hundred thousand. Times are whole seconds since
 * 1970: numbers that need no memory of their own.
 */
import { type Bodies, CHECKSUM_LENGTH, checksum } from './bodies.ts';
import type { Encoding } from './encoding.ts';
import type { Resident } from './resident.ts';
import type { Tag } from './tag.ts';

/** The headers that a render gave. Most pages share one set. */
export interface HeaderSet {
  /** Its number in the journal. */
  readonly id: number;
  /** Name, value, name, value. */
  readonly pairs: readonly string[];
  /** Part of the ETag: a page whose policy changed is another page. */
  readonly sum: string;
  readonly html: boolean;
}

/** What was stored; the rest of an entry is its life since then. */
export interface Stored {
  readonly path: string;
  readonly tags: readonly Tag[];
  readonly headers: HeaderSet;
  /** The checksums of identity, gzip and br, one after the other; of identity alone until the others are made. */
  readonly sums: string;
  readonly lengths: readonly [identity: number, gzip: number, br: number];
  /** When these bytes were stored. */
  readonly storedAt: number;
  /** Seconds. */
  readonly maxAge: number;
  /** The event that had it rendered. */
  readonly reason: string;
}

const PLACE: Readonly<Record<Encoding, 0 | 1 | 2>> = { identity: 0, gzip: 1, br: 2 };

export class Entry {
  readonly path: string;
  readonly tags: readonly Tag[];
  readonly headers: HeaderSet;
  sums: string;
  #identityLength: number;
  #gzipLength: number;
  #brLength: number;
  readonly storedAt: number;
  readonly maxAge: number;
  reason: string;

  /** When it was last rendered and found right. */
  checkedAt: number;
  /** The invalidation clock when that render began; 0 for a page that an earlier process stored. */
  asOf = 0;
  /** Until when a hit needs no thought; 0: look at the other fields. */
  freshUntil = 0;
  /** The last invalidation that the page has not seen; 0: none. */
  outdatedBy = 0;
  /** Readers of the outdated page wait for the new one. False while the write that outdated it renders it itself. */
  awaited = false;
  /** False when the files could not be written: it lives in memory alone. */
  onDisk = true;
  hits = 0;
  /** Last hit, and its place in the queue of those to be dropped first. */
  touchedAt: number;
  queuedAt: number;
  /** Tenths of a millisecond its render took; 0 for a page that an earlier process rendered. */
  renderTime = 0;

  br: Resident | undefined = undefined;
  gzip: Resident | undefined = undefined;
  identity: Resident | undefined = undefined;

  constructor(stored: Stored, now: number) {
    this.path = stored.path;
    this.tags = stored.tags;
    this.headers = stored.headers;
    this.sums = stored.sums;
    [this.#identityLength, this.#gzipLength, this.#brLength] = stored.lengths;
    this.storedAt = stored.storedAt;
    this.maxAge = stored.maxAge;
    this.reason = stored.reason;
    this.checkedAt = stored.storedAt;
    this.touchedAt = now;
    this.queuedAt = now;
  }

  get lengths(): [identity: number, gzip: number, br: number] {
    return [this.#identityLength, this.#gzipLength, this.#brLength];
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#identityLength + this.#gzipLength + this.#brLength;
  }

  /** All forms of the page are made. An index that holds it must be told (`PageIndex.complete`). */
  complete(bodies: Bodies): void {
    this.sums = `${this.sum('identity')}${checksum(bodies.gzip)}${checksum(bodies.br)}`;
    [this.#identityLength, this.#gzipLength, this.#brLength] = lengthsOf(bodies);
  }

  get tagNames(): string[] {
    return this.tags.map((tag) => tag.name);
  }

  sum(encoding: Encoding): string {
    const start = PLACE[encoding] * CHECKSUM_LENGTH;
    return this.sums.slice(start, start + CHECKSUM_LENGTH);
  }

  /** Strong, so different for each coding: they are different bytes (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    const content = `${this.sum('identity')}${this.headers.sum}`;
    return encoding === 'identity' ? `"${content}"` : `"${content}-${encoding}"`;
  }
}

/** The largest time that a small integer holds. */
const FOREVER = 2 ** 31 - 1;

/** Until when a page may be shown without a thought, counted from when it was last found right. `maximumAge` in seconds. */
export function freshUntil(entry: Entry, maximumAge: number): number {
  return Math.min(entry.checkedAt + Math.min(entry.maxAge, maximumAge), FOREVER);
}

function lengthsOf({ identity, gzip, br }: Bodies): [number, number, number] {
  return [identity.length, gzip.length, br.length];
}

/** Whether headers (name, value, name, value) describe a page of HTML. */
function isHtml(pairs: readonly string[]): boolean {
  const name = pairs.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-type');
  return name >= 0 && (pairs[name + 1] ?? '').startsWith('text/html');
}

/** Makes header sets, one for all pages with the same headers. */
export class HeaderSets {
  readonly #sets = new Map<string, HeaderSet>();
  #last = 0;

  /** `id` is given where the journal is read. */
  of(pairs: readonly string[], id?: number): { readonly set: HeaderSet; readonly isNew: boolean } {
    const key = JSON.stringify(pairs);
    const known = this.#sets.get(key);
    if (known) return { set: known, isNew: false };
    const set: HeaderSet = {
      id: id ?? this.#last + 1,
      pairs,
      sum: checksum(key).slice(0, 8),
      html: isHtml(pairs),
    };
    this.#last = Math.max(this.#last, set.id);
    this.#sets.set(key, set);
    return { set, isNew: true };
  }

  /** Forgets the sets that no page uses any more. */
  retain(used: ReadonlySet<HeaderSet>): void {
    for (const [key, set] of this.#sets) if (!used.has(set)) this.#sets.delete(key);
  }

  values(): Iterable<HeaderSet> {
    return this.#sets.values();
  }
}
