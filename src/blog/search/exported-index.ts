/**
 * The search index of a static export, shared by its builder and the search page. It is split into parts, so that a
 * changed post changes only one file. A query searches every part.
 */
import MiniSearch, { type Options, type Query } from 'minisearch';
import { foldedTag } from '../tags/folded-tag.ts';

export interface IndexedPost {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** URL path of a page such as `/about`; unset for a post, whose URL path follows from its id. */
  readonly address?: string;
  /** `author` and `day` are empty for a page without a byline. */
  readonly author: string;
  readonly date: string;
  readonly day: string;
  readonly tags?: readonly string[];
}

export type ExportedResult = Omit<IndexedPost, 'text'> & { readonly score: number; readonly inTitle: number };

export const INDEX_FOLDER = 'search-index';
export const PARTS_FILE = `${INDEX_FOLDER}/parts.json`;
export const partFile = (n: number): string => `${INDEX_FOLDER}/${n}.json`;

/** Returns the words of `text` in lower case and without accents, so that they match as in `marks.ts`. */
const fold = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const options: Options<IndexedPost> = {
  fields: ['title', 'text'],
  storeFields: ['title', 'address', 'author', 'date', 'day', 'tags'],
  tokenize: fold,
  processTerm: (term) => term,
};

export function indexText(posts: readonly IndexedPost[]): string {
  const index = new MiniSearch<IndexedPost>(options);
  index.addAll(posts);
  return JSON.stringify(index);
}

/**
 * Returns the matching posts of a part, unsorted. A post matches if it has all `tags` and, for each of `words`,
 * contains a word that begins with it.
 */
export function searchPart(text: string, words: readonly string[], tags: readonly string[] = []): ExportedResult[] {
  const folded = words.flatMap(fold);
  const index = MiniSearch.loadJSON<IndexedPost>(text, options);
  if (words.length + tags.length === 0) return [];
  const query: Query = words.length > 0 ? { combineWith: 'AND', queries: folded } : MiniSearch.wildcard;
  const wanted = tags.map(foldedTag);
  const found = index.search(query, {
    prefix: true,
    boost: { title: 2 },
    filter: ({ tags: own = [] }) => wanted.every((tag) => (own as readonly string[]).includes(tag)),
  });
  return found.map(({ id, title, address, author, date, day, score, match }) => {
    const titled = Object.keys(match).filter((term) => match[term]?.includes('title'));
    const inTitle = folded.filter((word) => titled.some((term) => term.startsWith(word))).length;
    return { id, title, ...(address && { address }), author, date, day, score, inTitle };
  });
}

/** Sorts by how many of the query's words the title contains, as the server does, then by score and date. */
export const inOrder = (found: readonly ExportedResult[]): ExportedResult[] =>
  found.toSorted((a, b) => b.inTitle - a.inTitle || b.score - a.score || (a.date < b.date ? 1 : -1));
