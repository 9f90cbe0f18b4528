/**
 * Which pages a change of posts can have changed, without asking for them: each page is remembered with the posts it
 * names, and with what their versions were.
 */
import { checksum } from '../store/bodies.ts';
import type { ListedPost } from './ledger.ts';

/** Names more posts than are worth remembering one by one: it depends on all of them. */
export const EVERY_POST = '*';
const MOST_NAMES = 200;

/** The posts a page depends on, as they are remembered. */
export const remembered = (posts: readonly string[]): readonly string[] =>
  posts.length > MOST_NAMES ? [EVERY_POST] : posts;

const POST_PAGE = /^\/post\/([^/]+)$/;
const SHARE = /^\/post\/([^/]+)\/share\.png$/;
const AUTHOR = /^\/author\/([^/]+)/;
const YEAR = /^\/archive\/(\d{4})/;

/**
 * The posts that are others than before. Undefined where posts came or went, or one stands elsewhere in the lists: then
 * any page may be another.
 */
export function changedPosts(
  before: ReadonlyMap<string, ListedPost>,
  posts: readonly ListedPost[],
): ReadonlySet<string> | undefined {
  if (before.size !== posts.length) return undefined;
  const changed = new Set<string>();
  for (const post of posts) {
    const known = before.get(post.id);
    if (known === post) continue;
    if (!known || known.userId !== post.userId || known.createdAt !== post.createdAt) return undefined;
    if (known.updatedAt !== post.updatedAt) changed.add(post.id);
  }
  return changed;
}

/** Whether a page that depends on `posts` can have changed with those that did. */
export const isTouched = (posts: readonly string[], changed: ReadonlySet<string>): boolean =>
  changed.size > 0 && posts.some((id) => id === EVERY_POST || changed.has(id));

/** The published posts at one moment, newest first. */
export class Versions {
  readonly #versions = new Map<string, string>();
  readonly #around = new Map<string, string>();
  readonly #lists = new Map<string, string[]>();
  readonly #orders = new Map<string, string>();
  #all: string | undefined;

  /** @param names of authors by their ids */
  constructor(posts: readonly ListedPost[], names: ReadonlyMap<string, string>) {
    posts.forEach(({ id, updatedAt, createdAt, userId }, at) => {
      this.#versions.set(id, `${id} ${updatedAt} ${names.get(userId) ?? ''}`);
      this.#around.set(id, `${posts[at - 1]?.id} ${posts[at + 1]?.id}`);
      for (const list of ['', `author ${userId}`, `year ${createdAt.slice(0, 4)}`]) {
        const ids = this.#lists.get(list);
        if (ids) ids.push(id);
        else this.#lists.set(list, [id]);
      }
    });
  }

  /** Says the same as long as nothing changed that the page at `path`, which names `posts`, could show. */
  of(path: string, posts: readonly string[]): string {
    const versions = posts.map((id) => (id === EVERY_POST ? this.#every() : (this.#versions.get(id) ?? `${id} -`)));
    return checksum([this.#place(path), ...versions].join('\n'));
  }

  /** The place among others: a post's neighbours, and for a list which posts it is made of, in their order. */
  #place(path: string): string {
    const [, slug] = POST_PAGE.exec(path) ?? [];
    if (slug !== undefined) return this.#around.get(slug) ?? '-';
    if (SHARE.test(path)) return '';
    const [, author] = AUTHOR.exec(path) ?? [];
    const [, year] = YEAR.exec(path) ?? [];
    return this.#order(author ? `author ${author}` : year ? `year ${year}` : '');
  }

  #order(list: string): string {
    const known = this.#orders.get(list) ?? checksum((this.#lists.get(list) ?? []).join('\n'));
    this.#orders.set(list, known);
    return known;
  }

  #every(): string {
    this.#all ??= checksum([...this.#versions.values()].join('\n'));
    return this.#all;
  }
}
