/** Searches one word per turn of the event loop, because FTS5 cannot pause while it collects a word's matches. */
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { LoopTurns } from '../../http/loop-turns.ts';
import type { Store } from '../../sqlite/store.ts';
import { leaves } from './bounds.ts';
import type { AttributeFilter } from './filters.ts';
import { alternatives } from './fulltext.ts';
import type { ListQuery } from './parse.ts';

/** Time limit in milliseconds for all word searches of one list request together. */
const TIME: Readonly<Record<Caller['kind'], number>> = { guest: 1000, user: 4000, key: Number.POSITIVE_INFINITY };

/** For each search filter, the matching row numbers as a JSON list. */
export type Searches = ReadonlyMap<AttributeFilter, string>;

/** Returns the matches of each search filter. Throws 408 `database_timeout` when the searches take too long. */
export async function searchInSlices(
  store: Store,
  turns: LoopTurns,
  caller: Caller,
  query: ListQuery,
): Promise<Searches> {
  const searches = new Map<AttributeFilter, string>();
  let left = TIME[caller.kind];
  for (const filter of leaves(query.filters)) {
    const table = filter.field.fulltext;
    if (!table || (filter.method !== 'search' && filter.method !== 'notSearch')) continue;
    const rows = new Set<number>();
    for (const expression of alternatives(String(filter.values[0]))) {
      await turns.take();
      const begun = performance.now();
      if (left < 0) throw new AppwriteError('database_timeout');
      const found = store.prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).all(expression);
      for (const { rowid } of found) rows.add(Number(rowid));
      left -= performance.now() - begun;
    }
    searches.set(filter, JSON.stringify([...rows]));
  }
  return searches;
}
