/** The one form that every format is read into, and that the one writer (`write.ts`) makes posts of. */

import type { Root } from 'hast';
import type { PostValues } from '#blog/post.ts';
import type { Redirect } from '#redirects/redirects-file.ts';
import type { Place, Repairs } from './decode-text.ts';
import { withinTime } from './time-limit.ts';

/** Whose post it was on the other platform. */
export interface Person {
  /** Tells people of one source apart, such as a login; where the collection's `origin` is empty, those of all sources. */
  readonly key: string;
  readonly name: string;
  readonly email?: string | undefined;
  /** The id that a new account of theirs gets; undefined: one is made of the key. */
  readonly id?: string | undefined;
}

/** A file that a post shows, wherever its bytes lie. */
export interface TransferFile {
  /** The same for the same file on every run. */
  readonly key: string;
  readonly name: string;
  /** Where it stays reachable when its bytes cannot be had; undefined for files that have no address. */
  readonly address?: string | undefined;
  /** It stood on the old site, so that it is lost where its bytes cannot be had. */
  readonly isOfOldSite?: true;
  /** The id it has to keep; undefined: one is made of its bytes. */
  readonly id?: string | undefined;
  /** @throws Error with a sentence when the bytes cannot be had. */
  read(): Promise<Buffer>;
}

export type Target =
  /** Leave it as it is. */
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'post'; readonly path: string; readonly fragment: string }
  | { readonly kind: 'file'; readonly file: TransferFile }
  | { readonly kind: 'nowhere' };

/** Everything of a post but its text: all heads are held while the texts pass by. */
export interface PostHead {
  /** Names the post within its source, the same on every run: a file's path, an entry's id. */
  readonly path: string;
  /** What the slug is made from: the last part of the post's old address. */
  readonly name: string;
  /** Titles by which an earlier import may have stored it. */
  readonly titles: readonly string[];
  /** ISO date, or undefined: the time of the import. */
  readonly date: string | undefined;
  readonly updated: string | undefined;
  /** A post that was not public, or not for everybody, is inactive here. */
  readonly draft: boolean;
  /** Why it is, in words; the report names it. */
  readonly hidden?: readonly string[] | undefined;
  /** Old addresses on the site, each beginning and not ending with `/`. */
  readonly addresses: readonly string[];
  /** The picture named as the post's own, as written: a path or an address. Empty: it has none, whatever its text shows. */
  readonly image: string | undefined;
  readonly author?: Person | undefined;
  /** The optional fields. */
  readonly others?: Partial<Omit<PostValues, 'title' | 'content' | 'status' | 'featuredImage'>> | undefined;
  /** What the post has and this product has no place for, as `tags: ink, paper`. */
  readonly unplaced?: readonly string[] | undefined;
}

/** A word of a source, and the line of the file it stands in where the format knows it. */
export interface SourceWord {
  readonly word: string;
  readonly line?: number | undefined;
}

export interface PostText {
  readonly path: string;
  /** The lines it was read from. Default: the file at `path`. */
  readonly place?: Place | undefined;
  readonly title: string;
  /** In the sanitiser's set but for its links and pictures, which the writer settles. */
  readonly tree: Root;
  /** The text and the title are what was stored: nothing is added to pictures, and nothing is shortened. */
  readonly isStored?: boolean | undefined;
  /** The words the post has to have, where its format's reader does not compare them itself. */
  readonly words?: readonly SourceWord[] | undefined;
  /** All that the source says of the post, for telling whether it changed. */
  readonly source: string;
  /** What the operator should know, in words. */
  readonly notes: readonly string[];
  /** What was not taken, each with its place and the reason: the import then ends with 1. */
  readonly losses: readonly string[];
}

/** An entry of the source that becomes no post. */
export interface NoPost {
  readonly path: string;
  /** Why, in words. */
  readonly reason: string;
  /** True when it should be one, but cannot be read. */
  readonly failed: boolean;
}

/** A text, or why it cannot be read. */
export type ReadText = PostText | { readonly path: string; readonly error: Error };

/** What a format's reader gives. */
export interface Collection {
  /**
   * Tells the blog from all others of its format, the same in each of its exports. Empty: no two blogs have an entry of
   * the same path, or different people of the same key. Undefined: nothing tells it.
   */
  readonly origin?: string | undefined;
  readonly posts: readonly PostHead[];
  readonly others: readonly NoPost[];
  /** Faults of the files; complete once the texts were read. */
  readonly repairs?: Repairs | undefined;
  /** Old addresses that led elsewhere than to a post. */
  readonly redirects?: readonly Redirect[] | undefined;
  /** The texts in the order of `posts`; one that cannot be read is an Error in its place. */
  texts(): AsyncIterable<ReadText>;
  /** What `href`, written in the post at `path`, leads to. */
  follow(href: string, path: string): Target;
  close?(): Promise<void>;
}

/** Returns the text that `read` makes, or its error; also where it takes longer than `longestMs` (default: `TEXT_MS`). */
export function readText(path: string, read: () => PostText, longestMs?: number): ReadText {
  try {
    return withinTime(read, longestMs);
  } catch (error) {
    return { path, error: error as Error };
  }
}

/**
 * The texts of `items` one after another; what cannot be read stands as its error in its place. `load` gets what `read`
 * needs and may wait for it.
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
