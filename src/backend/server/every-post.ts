/**
 * The list of every public post, remembered from one write to the next: the sitemap, the archive and authors' pages are
 * made of it, and after an edit among ten thousand posts one line of it is another.
 */
import { type ListedValues, listedValues, type PostSummary } from '#blog/post.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import { hasTag } from '#blog/tags/tags.ts';
import type { PostFilter } from './posts-in-order.ts';

/** Longer lists are asked for each time. A post takes some 350 bytes. */
const MOST = 50_000;

/** It is right as long as every change of a post comes as an event, in order (`cached-reader.ts`). */
export class EveryPost {
  readonly #ask: () => Promise<PostSummary[]>;
  #posts: readonly PostSummary[] | undefined;
  /** Those among them that have tags, by slug; made when a tag is asked for. */
  #tagged: ReadonlyMap<string, readonly PostSummary[]> | undefined;
  /** Under way, and asked after the last change. */
  #asked: Promise<PostSummary[]> | undefined;

  /** @param ask gives all of them, newest first */
  constructor(ask: () => Promise<PostSummary[]>) {
    this.#ask = ask;
  }

  /** All of them. Who asks while another does shares the answer. */
  async all(): Promise<PostSummary[]> {
    if (this.#posts) return [...this.#posts];
    const asked = this.#asked ?? this.#ask();
    this.#asked = asked;
    try {
      const posts = await asked;
      if (this.#asked === asked && posts.length <= MOST) this.#keep(compact(posts));
      return posts;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
    }
  }

  /** Those among them, where the list is known. */
  some(filter: PostFilter): PostSummary[] | undefined {
    const { tag } = filter;
    const posts = tag === undefined || !this.#posts ? this.#posts : this.#withTag(tag, this.#posts);
    return posts?.filter(isAmong(filter));
  }

  /** A post was written: as the public may read it now, or undefined when it may not. */
  update(id: string, post: PostSummary | undefined): void {
    this.#asked = undefined;
    if (!this.#posts) return;
    const at = this.#posts.findIndex((other) => other.id === id);
    const known = this.#posts[at];
    if (post && known?.createdAt === post.createdAt) {
      this.#keep(this.#posts.with(at, small(post, sharing([known]))));
      return;
    }
    const others = known ? this.#posts.toSpliced(at, 1) : this.#posts;
    this.#keep(post ? inserted(others, post) : others);
  }

  clear(): void {
    this.#keep(undefined);
    this.#asked = undefined;
  }

  #keep(posts: readonly PostSummary[] | undefined): void {
    this.#posts = posts;
    this.#tagged = undefined;
  }

  #withTag(tag: string, posts: readonly PostSummary[]): readonly PostSummary[] {
    this.#tagged ??= byTag(posts);
    return this.#tagged.get(tag) ?? [];
  }
}

/** Whether a post is one of those that `filter` means. */
export function isAmong({ userId, tag, from, until }: PostFilter): (post: PostSummary) => boolean {
  const [begin, end] = [from, until].map((date) => (date === undefined ? undefined : Date.parse(date)));
  return (post) => {
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

/** Undefined where the order is for the backend to say: of two posts of the same millisecond. */
function inserted(posts: readonly PostSummary[], post: PostSummary): readonly PostSummary[] | undefined {
  if (posts.length >= MOST) return undefined;
  let [low, high] = [0, posts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((posts[middle]?.createdAt ?? '') > post.createdAt) low = middle + 1;
    else high = middle;
  }
  const next = posts[low];
  if (next?.createdAt === post.createdAt) return undefined;
  return posts.toSpliced(low, 0, small(post, sharing(next ? [next] : [])));
}

type Sharing = (post: PostSummary) => Pick<PostSummary, 'userId' | 'permissions'>;

/** Posts of one author have the same id and permissions in memory. */
function sharing(known: Iterable<PostSummary>): Sharing {
  const owners = new Map<string, Pick<PostSummary, 'userId' | 'permissions'>>();
  const keyOf = ({ userId, permissions }: PostSummary) => `${userId} ${permissions.join()}`;
  for (const post of known) owners.set(keyOf(post), post);
  return (post) => {
    const key = keyOf(post);
    const owner = owners.get(key) ?? { userId: detached(post.userId), permissions: post.permissions.map(detached) };
    owners.set(key, owner);
    return owner;
  };
}

function compact(posts: readonly PostSummary[]): PostSummary[] {
  const shared = sharing([]);
  return posts.map((post) => small(post, shared));
}

function small(post: PostSummary, shared: Sharing): PostSummary {
  const { userId, permissions } = shared(post);
  const { id, createdAt, updatedAt } = post;
  const values = Object.entries(listedValues(post)).map(([name, value]) => [
    name,
    typeof value === 'string' ? detached(value) : value.map(detached),
  ]);
  const moments = { createdAt: detached(createdAt), updatedAt: detached(updatedAt) };
  // Its shape is the same with each call.
  return { id: detached(id), ...(Object.fromEntries(values) as ListedValues), userId, ...moments, permissions };
}

/** The same characters in memory of their own: a part of an answer's text would keep all of the text. */
const detached = (text: string): string => Buffer.from(text).toString();
