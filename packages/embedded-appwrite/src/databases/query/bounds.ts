/** Limits how much a list may read, because SQLite blocks the server's only thread and cannot be interrupted. */
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { AttributeFilter, Filter } from './filters.ts';
import type { ListQuery } from './parse.ts';
import type { Fragment } from './schema.ts';

export interface Bounds {
  /** Maximum CPU time for one list, in milliseconds; the wall-clock limit is `WAITING` times as long. */
  readonly time: number;
  /** Maximum comparisons per row: bytes in its strings times characters searched for. Each takes about 1 ns at most. */
  readonly work: number;
  /** Maximum size in bytes of the strings that SQLite holds for sorting, added up over all rows. */
  readonly kept: number;
}

const BOUNDS: Readonly<Record<Caller['kind'], Bounds | undefined>> = {
  guest: { time: 40, work: 40_000_000, kept: 8 * 1024 * 1024 },
  user: { time: 200, work: 200_000_000, kept: 8 * 1024 * 1024 },
  key: undefined,
};

/** Filters that take negligible time if the query has at most `FEW` of them. */
const COMPARISON = /^(?:equal|notEqual|(?:less|greater)Than(?:Equal)?|between|notBetween|is(?:Not)?Null)$/;
const FEW = 16;

/** Returns a caller's limits; undefined for a server key, or for a query with few simple filters and no long values. */
export function boundsOf(caller: Caller, query: ListQuery): Bounds | undefined {
  const bounds = BOUNDS[caller.kind];
  if (!bounds) return undefined;
  const filters = leaves(query.filters);
  const isCheap =
    filters.length <= FEW &&
    filters.every(({ method, field }) => COMPARISON.test(method) && !field.long) &&
    query.orders.every(({ field }) => !field.long);
  return isCheap ? undefined : bounds;
}

/** Returns the filters on attributes, including those within `and` and `or`. */
export function leaves(filters: readonly Filter[]): AttributeFilter[] {
  return filters.flatMap((filter) => ('field' in filter ? [filter] : leaves(filter.filters)));
}

/** Returns the SQL condition that enforces the limits on each row. It must precede the filters in the WHERE clause. */
export function withinBounds(name: string, query: ListQuery): Fragment {
  const sought = new Map<string, number>();
  for (const { field, method, values } of leaves(query.filters)) {
    if (field.type !== 'string' || method === 'search' || method === 'notSearch') continue;
    const length = COMPARISON.test(method) ? 1 : values.reduce<number>((sum, value) => sum + String(value).length, 0);
    sought.set(field.column, (sought.get(field.column) ?? 0) + length);
  }
  const work = [...sought].map(([column, length]) => `ifnull(octet_length(${column}), 0) * ${length}`);
  const texts = query.random ? [] : query.orders.filter(({ field }) => field.long);
  const kept = texts.map(({ field }) => `ifnull(octet_length(${field.column}), 0)`);
  return { sql: `${name}(${work.join(' + ') || '0'}, ${kept.join(' + ') || '0'})`, values: [] };
}

/** Wall-clock limit as a multiple of the CPU limit. Large, because a list takes far longer on a busy machine. */
const WAITING = 20;

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export class Meter {
  #bounds: Bounds | undefined;
  #begun = 0;
  #used = 0;
  /** The limit cannot be reached before this time, so until then `row` skips the slow call that reads the CPU time. */
  #look = 0;
  #kept = 0;

  begin(bounds: Bounds | undefined): void {
    this.#bounds = bounds;
    if (!bounds) return;
    this.#begun = performance.now();
    this.#used = threadTime();
    this.#look = this.#begun + bounds.time;
    this.#kept = 0;
  }

  /** Counts the next row. Throws 408 `database_timeout` if the list then exceeds its limits. */
  row(work: number, kept: number): void {
    if (!this.#bounds) return;
    this.#kept += kept;
    const isTooMuch = work > this.#bounds.work || this.#kept > this.#bounds.kept || this.#isLate(this.#bounds.time);
    if (isTooMuch) throw new AppwriteError('database_timeout');
  }

  #isLate(time: number): boolean {
    const now = performance.now();
    if (now < this.#look) return false;
    const left = time - (threadTime() - this.#used);
    this.#look = now + left;
    return left <= 0 || now - this.#begun > WAITING * time;
  }
}
