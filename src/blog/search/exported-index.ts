/**
 * The index that a static export searches: what its maker and the search page must agree on. It comes in parts, so that
 * a changed post changes one file; a query is put to all of them.
 */
import MiniSearch, { type Options, type Query } from 'minisearch';
import { foldedTag } from '../tags/folded-tag.ts';

/** A post as it is indexed; all but the text is kept for the list of results. */
export interface IndexedPost {
  /** Its slug. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  /** The day it was published: ISO, and as readers write it. */
  readonly date: string;
  readonly day: string;
  /** Slugs of its tags, and their folded names. */
  readonly tags?: readonly string[];
}

export type ExportedResult = Omit<IndexedPost, 'text'> & { readonly score: number; readonly inTitle: number };

/** Below the root of the export. */
export const INDEX_FOLDER = 'search-index';
/** How many parts there are: `{"parts":1}`. */
export const PARTS_FILE = `${INDEX_FOLDER}/parts.json`;
export const partFile = (n: number): string => `${INDEX_FOLDER}/${n}.json`;

/** Words without their case and accents, as `marks.ts` finds them in a text. */
const fold = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const options: Options<IndexedPost> = {
  fields: ['title', 'text'],
  storeFields: ['title', 'author', 'date', 'day', 'tags'],
  tokenize: fold,
  processTerm: (term) => term,
};

/** One part as it is written. */
export function indexText(posts: readonly IndexedPost[]): string {
  const index = new MiniSearch<IndexedPost>(options);
  index.addAll(posts);
  return JSON.stringify(index);
}

/** The posts of a part that have all of the tags and hold all of the words, each by its beginning, in no order. */
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
  return found.map(({ id, title, author, date, day, score, match }) => {
    const titled = Object.keys(match).filter((term) => match[term]?.includes('title'));
    const inTitle = folded.filter((word) => titled.some((term) => term.startsWith(word))).length;
    return { id, title, author, date, day, score, inTitle };
  });
}

/** Like the server's order: first those with most of the words in the title, then those that hold them most. */
export const inOrder = (found: readonly ExportedResult[]): ExportedResult[] =>
  found.toSorted((a, b) => b.inTitle - a.inTitle || b.score - a.score || (a.date < b.date ? 1 : -1));
