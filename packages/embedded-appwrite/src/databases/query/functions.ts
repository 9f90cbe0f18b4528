import type { DatabaseSync } from 'node:sqlite';
import { type Bounds, Meter } from './bounds.ts';
import { FOLD } from './compile.ts';
import { wordsOf } from './fulltext.ts';

/** `within_bounds(work, kept)`, called for each row, returns true, or throws if the list exceeds its `Bounds`. */
export const WITHIN_BOUNDS = 'within_bounds';

const meters = new WeakMap<DatabaseSync, Meter>();

/** `has_word(text, words)` returns true if a word of the text begins with one of the space-separated `words`. */
export const HAS_WORD = 'has_word';

export function provideFunctions(database: DatabaseSync): void {
  meterOf(database);
}

/** Runs statements that call `within_bounds`. Throws 408 `database_timeout` if they exceed `bounds`. */
export function runBounded<T>(database: DatabaseSync, bounds: Bounds | undefined, run: () => T): T {
  const meter = meterOf(database);
  meter.begin(bounds);
  try {
    return run();
  } finally {
    meter.begin(undefined);
  }
}

function meterOf(database: DatabaseSync): Meter {
  const known = meters.get(database);
  if (known) return known;
  const meter = new Meter();
  meters.set(database, meter);
  database.function(FOLD, { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  database.function(HAS_WORD, { deterministic: true }, (text, words) => {
    const sought = `${words}`.split(' ');
    return wordsOf(`${text}`).some((word) => sought.some((beginning) => word.startsWith(beginning))) ? 1 : 0;
  });
  database.function(WITHIN_BOUNDS, {}, (work, kept) => {
    meter.row(Number(work), Number(kept));
    return 1;
  });
  return meter;
}
