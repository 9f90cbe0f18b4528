import { wordsOf } from './query/fulltext.ts';
import { HAS_WORD } from './query/functions.ts';
import type { Fragment } from './query/schema.ts';

/**
 * Returns the SQL condition for a list's `search` parameter: as in Appwrite, one of `columns` must contain a word that
 * starts with one of the search words.
 */
export function searchCondition(search: string, columns: readonly string[]): Fragment {
  if (search === '') return { sql: '1', values: [] };
  const words = wordsOf(search);
  if (words.length === 0) return { sql: '0', values: [] };
  const text = columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");
  return { sql: `${HAS_WORD}(${text}, ?)`, values: [words.join(' ')] };
}
