/**
 * Caches the list of all public posts and pages, for the sitemap, the archive and authors' pages. A write changes one
 * entry, so that ten thousand posts need not be read again.
 */
import { isPage, type PostSummary } from '#blog/post.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import { hasTag } from '#blog/tags/tags.ts';
import type { PostFilter } from './posts-in-order.ts';

/** Maximum number of posts in a cached list. */
const MOST = 50_000;
/** Time without writes before the list is read again, because a write during the read would discard the result. */
const QUIET_MS = 2_000;

/** Correct only if every change to a post arrives as an event, in order (`cached-reader.ts`). */
export class EveryPost {
  readonly #ask: () => Promise<PostSummary[]>;
  #posts: readonly PostSummary[] | undefined;
  /** The list without pages, built at first use. */
  #listed: readonly PostSummary[] | undefined;
  /** Posts by tag slug, built at first use. */
  #tagged: ReadonlyMap<string, readonly PostSummary[]> | undefined;
  #asked: Promise<PostSummary[]> | undefined;
  #isTooLong = false;
  #changedAt = 0;

  /** @param ask returns all posts and pages, newest first */
  constructor(ask: () => Promise<PostSummary[]>) {
    this.#ask = ask;
  }

  async all(): Promise<readonly PostSummary[]> {
    if (this.#posts) return this.#posts;
    const asked = this.#asked ?? this.#ask();
    this.#asked = asked;
    try {
      const posts = await asked;
      if (this.#asked === asked) {
        this.#isTooLong = posts.length > MOST;
        if (!this.#isTooLong) this.#keep(posts);
      }
      return posts;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
    }
  }

  /** Returns the cached posts without pages. Starts reading an uncached list unless it is too long or just changed. */
  get now(): readonly PostSummary[] | undefined {
    const isQuiet = Date.now() - this.#changedAt > QUIET_MS;
    if (!this.#posts && !this.#isTooLong && isQuiet) this.all().catch(() => undefined);
    this.#listed ??= this.#posts?.some(isPage) ? this.#posts.filter((post) => !isPage(post)) : this.#posts;
    return this.#listed;
  }

  /** Returns the posts that `filter` selects; undefined if the list is not cached. */
  some(filter: PostFilter): PostSummary[] | undefined {
    const { tag } = filter;
    const posts = tag === undefined || !this.#posts ? this.#posts : this.#withTag(tag, this.#posts);
    return posts?.filter(isAmong(filter));
  }

  /** Inserts or replaces the post's public version; removes it if `post` is undefined. */
  update(id: string, post: PostSummary | undefined): void {
    this.#asked = undefined;
    this.#changedAt = Date.now();
    if (!this.#posts) return;
    const at = this.#posts.findIndex((other) => other.id === id);
    const known = this.#posts[at];
    const others = known ? this.#posts.toSpliced(at, 1) : this.#posts;
    if (!post) this.#keep(others);
    else this.#keep(known?.createdAt === post.createdAt ? this.#posts.with(at, post) : inserted(others, post));
  }

  clear(): void {
    this.#keep(undefined);
    this.#asked = undefined;
  }

  #keep(posts: readonly PostSummary[] | undefined): void {
    this.#posts = posts;
    this.#listed = undefined;
    this.#tagged = undefined;
  }

  #withTag(tag: string, posts: readonly PostSummary[]): readonly PostSummary[] {
    this.#tagged ??= byTag(posts);
    return this.#tagged.get(tag) ?? [];
  }
}

export function isAmong({ userId, tag, from, until, withPages }: PostFilter): (post: PostSummary) => boolean {
  const [begin, end] = [from, until].map((date) => (date === undefined ? undefined : Date.parse(date)));
  return (post) => {
    if (!withPages && isPage(post)) return false;
    if (userId !== undefined && post.userId !== userId) return false;
    if (tag !== undefined && !hasTag(post, tag)) return false;
    if (begin === undefined && end === undefined) return true;
    const created = Date.parse(post.createdAt);
    return created >= (begin ?? Number.NEGATIVE_INFINITY) && created < (end ?? Number.POSITIVE_INFINITY);
  };
}

function byTag(posts: readonly PostSummary[]): Map<string, PostSummary[]> {
  const tagged = new Map<string, PostSummary[]>();
  for (const post of posts) {
    for (const slug of tagSlugs(post.tags)) {
      const among = tagged.get(slug);
      if (among) among.push(post);
      else tagged.set(slug, [post]);
    }
  }
  return tagged;
}

/** Returns the list with `post` in its place; undefined if it is full or another post has the same creation time. */
function inserted(posts: readonly PostSummary[], post: PostSummary): readonly PostSummary[] | undefined {
  if (posts.length >= MOST) return undefined;
  let [low, high] = [0, posts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((posts[middle]?.createdAt ?? '') > post.createdAt) low = middle + 1;
    else high = middle;
  }
  if (posts[low]?.createdAt === post.createdAt) return undefined;
  return posts.toSpliced(low, 0, post);
}
