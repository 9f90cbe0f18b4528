export const QUERY_MAX = 200;
export const RESULTS_PER_PAGE = 20;
/** Maximum number of words in a query, because the backend runs a separate search for each. */
const MOST_WORDS = 8;
/** Minimum length of a word. MariaDB's full-text index omits shorter words and the stop words in `UNINDEXED`. */
const SHORTEST = 3;
const UNINDEXED = new Set(
  'about are com for from how that the this was what when where who will with und www'.split(' '),
);

export const queryOf = (given: string): string =>
  given
    .slice(0, QUERY_MAX)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

export interface SearchTerms {
  /** Names or slugs of tags, as written after `tag:`. */
  readonly tags: readonly string[];
  readonly words: string[];
}

const TAG = /(?:^|\s)tag:(?:"([^"]+)"|“([^”]+)”|(\S+))/giu;
const MOST_TAGS = 4;

/** Returns the tags of a query, as in `tag:ink` or `tag:"ink and paper"`, and its other words. */
export function termsOf(query: string): SearchTerms {
  const tags: string[] = [];
  const rest = query.replace(TAG, (_, ...names: (string | undefined)[]) => {
    tags.push(names.slice(0, 3).find((name) => name !== undefined) ?? '');
    return ' ';
  });
  return { tags: tags.slice(0, MOST_TAGS), words: wordsOf(rest) };
}

/**
 * Returns the words in lower case, without duplicates. Drops unindexed words, because no post would match them, but
 * returns them if there are no others.
 */
export function wordsOf(query: string): string[] {
  const all =
    query
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const words = [...new Set(all)].filter((word) => /[\p{L}\p{N}]/u.test(word));
  const indexed = words.filter((word) => word.length >= SHORTEST && !UNINDEXED.has(word));
  return (indexed.length > 0 ? indexed : words).slice(0, MOST_WORDS);
}
