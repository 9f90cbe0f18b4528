import { wordsOf } from './query/fulltext.ts';
import { HAS_WORD } from './query/functions.ts';
import type { Fragment } from './query/schema.ts';

/** Returns the condition for a list's `search`: any of its words begins a word in one of `columns`, as in Appwrite. */
export function searchCondition(search: string, columns: readonly string[]): Fragment {
  if (search === '') return { sql: '1', values: [] };
  const words = wordsOf(search);
  if (words.length === 0) return { sql: '0', values: [] };
  const text = columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");
  return { sql: `${HAS_WORD}(${text}, ?)`, values: [words.join(' ')] };
}
