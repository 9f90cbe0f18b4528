/** The document model: every format is read into it, and one writer (`write.ts`) makes posts of it. */

import type { Root } from 'hast';
import type { PostValues } from '#blog/post.ts';
import type { Redirect } from '#redirects/redirects-file.ts';
import type { Place, Repairs } from './decode-text.ts';
import { withinTime } from './time-limit.ts';

/** The author on the other platform. */
export interface Person {
  /** Identifies a person within one source, or within all sources if the collection's `origin` is empty. */
  readonly key: string;
  readonly name: string;
  readonly email?: string | undefined;
  /** The id of a new account; by default it is made from the key. */
  readonly id?: string | undefined;
}

export interface TransferFile {
  /** Stable across runs. */
  readonly key: string;
  readonly name: string;
  /** The address that stays in the post when the bytes cannot be had. */
  readonly address?: string | undefined;
  /** The file was on the old site: it is lost when its bytes cannot be had. */
  readonly isOfOldSite?: true;
  /** The id it must keep; by default it is made from the bytes. */
  readonly id?: string | undefined;
  /** @throws Error with a sentence */
  read(): Promise<Buffer>;
}

export type Target =
  /** Leave the address as it is. */
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'post'; readonly path: string; readonly fragment: string }
  | { readonly kind: 'file'; readonly file: TransferFile }
  | { readonly kind: 'nowhere' };

/** A post without its text. All heads are in memory while the texts are read one by one. */
export interface PostHead {
  /** Identifies the post within its source, stable across runs: a file's path, an entry's id. */
  readonly path: string;
  /** The slug is made from this: the last part of the old address. */
  readonly name: string;
  /** Titles an earlier import may have stored. */
  readonly titles: readonly string[];
  /** ISO date; undefined means the time of the import. */
  readonly date: string | undefined;
  readonly updated: string | undefined;
  /** True if the post was not public for everyone. */
  readonly draft: boolean;
  /** The reasons for `draft`, for the report. */
  readonly hidden?: readonly string[] | undefined;
  /** Old addresses with a leading slash and no trailing one. */
  readonly addresses: readonly string[];
  /** The featured picture as it is written: a path or an address. '' means none, even if the text shows one. */
  readonly image: string | undefined;
  readonly author?: Person | undefined;
  readonly others?: Partial<Omit<PostValues, 'title' | 'content' | 'status' | 'featuredImage'>> | undefined;
  /** Fields this product has no place for, such as `tags: ink, paper`. */
  readonly unplaced?: readonly string[] | undefined;
}

/** A word of a source, with its line if the format knows it. */
export interface SourceWord {
  readonly word: string;
  readonly line?: number | undefined;
}

export interface PostText {
  readonly path: string;
  /** The lines it was read from (default: the file at `path`). */
  readonly place?: Place | undefined;
  readonly title: string;
  /** In the sanitiser's set, except for links and pictures, which the writer rewrites. */
  readonly tree: Root;
  /** The text is already in the stored form: it is taken as it is. */
  readonly isStored?: boolean | undefined;
  /** The words the post must have, unless the format's reader compares them itself. */
  readonly words?: readonly SourceWord[] | undefined;
  /** The whole source of the post, for detecting changes. */
  readonly source: string;
  /** Notes for the operator. */
  readonly notes: readonly string[];
  /** Parts that were not taken, with place and reason. The import then exits with 1. */
  readonly losses: readonly string[];
}

/** An entry of the source that becomes no post. */
export interface NoPost {
  readonly path: string;
  readonly reason: string;
  /** True if it should have become a post. */
  readonly failed: boolean;
}

/** A text, or the reason it cannot be read. */
export type ReadText = PostText | { readonly path: string; readonly error: Error };

/** The posts of an export, as a format reads them. */
export interface Collection {
  /**
   * Identifies the blog in all of its exports. Empty if paths and people's keys are unique across blogs; undefined if
   * nothing identifies it.
   */
  readonly origin?: string | undefined;
  readonly posts: readonly PostHead[];
  readonly others: readonly NoPost[];
  /** Faults of the files, complete once the texts are read. */
  readonly repairs?: Repairs | undefined;
  /** Old addresses that lead to something other than a post. */
  readonly redirects?: readonly Redirect[] | undefined;
  /** Yields the texts in the order of `posts`, with an error in place of one that cannot be read. */
  texts(): AsyncIterable<ReadText>;
  /** Returns the target of `href`, written in the post at `path`. */
  follow(href: string, path: string): Target;
  close?(): Promise<void>;
}

/** Returns the text that `read` makes, or its error; it may take `longestMs` (default: `TEXT_MS`). */
export function readText(path: string, read: () => PostText, longestMs?: number): ReadText {
  try {
    return withinTime(read, longestMs);
  } catch (error) {
    return { path, error: error as Error };
  }
}

/**
 * Yields the texts of `items`, with an error in place of one that cannot be read.
 * @param load fetches what `read` needs
 */
export async function* textsOf<Item extends { readonly path: string }>(
  items: Iterable<Item>,
  read: (item: Item, loaded: string) => PostText,
  {
    longestMs,
    load,
  }: { readonly longestMs?: number | undefined; readonly load?: (item: Item) => Promise<string> } = {},
): ReturnType<Collection['texts']> {
  for (const item of items) {
    try {
      const loaded = load ? await load(item) : '';
      yield readText(item.path, () => read(item, loaded), longestMs);
    } catch (error) {
      yield { path: item.path, error: error as Error };
    }
  }
}
