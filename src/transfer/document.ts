/** The common model that the readers of all formats produce and that `write/write.ts` turns into posts. */

import type { Root } from 'hast';
import type { PostValues } from '#blog/post.ts';
import type { Redirect } from '#redirects/redirects-file.ts';
import type { Place, Repairs } from './decode-text.ts';
import { withinTime } from './time-limit.ts';

export interface Person {
  /** Identifies a person within one source, or across all sources if the collection's `origin` is empty. */
  readonly key: string;
  readonly name: string;
  readonly email?: string | undefined;
  /** Defaults to an id derived from the key. */
  readonly id?: string | undefined;
}

export interface TransferFile {
  readonly key: string;
  readonly name: string;
  /** The original URL, which is kept in the post if the file cannot be read. */
  readonly address?: string | undefined;
  /** Set for a file from the old site. If such a file cannot be read, it counts as lost content. */
  readonly isOfOldSite?: true;
  readonly id?: string | undefined;
  /** Reads the entire file. @throws Error whose message is a sentence for the report */
  read(): Promise<Buffer>;
}

export type Target =
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'post'; readonly path: string; readonly fragment: string }
  | { readonly kind: 'file'; readonly file: TransferFile }
  | { readonly kind: 'nowhere' };

export interface PostHead {
  /** Identifies the post within its source, and stays the same across runs, e.g. a file's path or an entry's id. */
  readonly path: string;
  /** Usually the last part of the old URL. The slug is derived from it. */
  readonly name: string;
  /** Titles under which an earlier import may have stored the post. */
  readonly titles: readonly string[];
  /** ISO date; undefined means the time of the import. */
  readonly date?: string | undefined;
  readonly updated?: string | undefined;
  readonly draft: boolean;
  readonly hidden?: readonly string[] | undefined;
  readonly addresses: readonly string[];
  /** The featured picture's path or URL in the source. '' means none, even if the text shows a picture. */
  readonly image?: string | undefined;
  readonly author?: Person | undefined;
  readonly others?: Partial<Omit<PostValues, 'title' | 'content' | 'status' | 'featuredImage'>> | undefined;
  readonly unplaced?: readonly string[] | undefined;
}

export interface SourceWord {
  readonly word: string;
  readonly line?: number | undefined;
}

export interface PostText {
  readonly path: string;
  /** Defaults to the entire file at `path`. */
  readonly place?: Place | undefined;
  readonly title: string;
  /** The text in its stored form, except for the URLs of links and pictures, which `write/compose.ts` rewrites. */
  readonly tree: Root;
  readonly isStored?: boolean | undefined;
  /** The source's words, all of which the stored text must contain; undefined for this product's own exports. */
  readonly words?: readonly SourceWord[] | undefined;
  readonly source: string;
  readonly notes: readonly string[];
  /** Lost content, with place and reason. Any loss makes the import exit with status 1, unless losses are accepted. */
  readonly losses: readonly string[];
}

export interface NoPost {
  readonly path: string;
  readonly reason: string;
  readonly failed: boolean;
}

export type ReadText = PostText | { readonly path: string; readonly error: Error };

export interface Collection {
  /** Identifies the blog; '' if paths and people's keys are unique across blogs, undefined if unknown. */
  readonly origin?: string | undefined;
  readonly posts: readonly PostHead[];
  readonly others: readonly NoPost[];
  readonly repairs?: Repairs | undefined;
  readonly redirects?: readonly Redirect[] | undefined;
  /** Yields texts or errors in the order of `posts`. */
  texts(): AsyncIterable<ReadText>;
  follow(href: string, path: string): Target;
  close?(): Promise<void>;
}

export function readText(path: string, read: () => PostText, longestMs?: number): ReadText {
  try {
    return withinTime(read, longestMs);
  } catch (error) {
    return { path, error: error as Error };
  }
}

export async function* textsOf<Item extends { readonly path: string }>(
  items: Iterable<Item>,
  read: (item: Item, loaded: string) => PostText,
  how: { readonly longestMs?: number | undefined; readonly load?: (item: Item) => Promise<string> } = {},
): ReturnType<Collection['texts']> {
  for (const item of items) {
    try {
      const loaded = (await how.load?.(item)) ?? '';
      yield readText(item.path, () => read(item, loaded), how.longestMs);
    } catch (error) {
      yield { path: item.path, error: error as Error };
    }
  }
}
