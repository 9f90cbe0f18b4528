/** The search query, as the words that are looked for. */

/** Longest query in characters; what comes after is not read. */
export const QUERY_MAX = 200;
/** Results on a page. */
export const RESULTS_PER_PAGE = 20;
/** Words of a query; each costs the backend a search. */
const MOST_WORDS = 8;
/** Shorter words are in no index of MariaDB's, nor are these (its own list of stop words). */
const SHORTEST = 3;
const UNINDEXED = new Set(
  'about are com for from how that the this was what when where who will with und www'.split(' '),
);

/** The query on one line, without the blanks around it. */
export const queryOf = (given: string): string =>
  given
    .slice(0, QUERY_MAX)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

export interface SearchTerms {
  /** Names of tags or their slugs, as they are written behind `tag:`. */
  readonly tags: readonly string[];
  readonly words: string[];
}

const TAG = /(?:^|\s)tag:(?:"([^"]+)"|“([^”]+)”|(\S+))/giu;
/** Tags of a query. */
const MOST_TAGS = 4;

/** The tags that a query names, as `tag:ink` or `tag:"ink and paper"`, and its other words. */
export function termsOf(query: string): SearchTerms {
  const tags: string[] = [];
  const rest = query.replace(TAG, (_, ...names: (string | undefined)[]) => {
    tags.push(names.slice(0, 3).find((name) => name !== undefined) ?? '');
    return ' ';
  });
  return { tags: tags.slice(0, MOST_TAGS), words: wordsOf(rest) };
}

/**
 * Its words in small letters, each once. Words that no index holds are left out, unless there are no others: with them
 * nothing would be found.
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
