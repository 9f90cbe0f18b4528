/**
 * Caches the reads that public pages repeat after each write. This is correct only if every change of a post arrives as
 * an event, in order, before its writer gets the answer: with the embedded backend
 * (docs/decisions/009-rendering-a-page.md).
 */
import { isForgery } from '#blog/permissions.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { type ArticleDocument, postOf, withoutContent } from '../document.ts';
import { type AdjacentPosts, adjacentIn, type PostPage, type PublicReader } from '../server.ts';
import { EveryPost, isAmong } from './every-post.ts';

const MAX_POSTS = 20;
const MAX_LISTS = 20;
const MAX_ADJACENT = 500;
const MAX_CHARACTERS = 200_000;
/** The fields that decide where a post is listed and who may read it. */
const PLACING_FIELDS: ReadonlySet<string> = new Set(['status', 'userId', '$createdAt', '$permissions']);

/** Adds a cache to `reader` that `postChanged` keeps correct. An answer during which a post changed is not cached. */
export function createCachedReader(reader: PublicReader): PublicReader {
  const posts = new Map<string, Post>();
  const lists = new Map<string, PostPage<PostSummary>>();
  const adjacent = new Map<string, AdjacentPosts>();
  const every = new EveryPost(() => reader.everyPost());
  let newest: Post | undefined;
  let changes = 0;
  /** True if a post was added or removed since the last `forget`. */
  let countChanged = false;

  function clear(): void {
    for (const memory of [posts, lists, adjacent]) memory.clear();
    newest = undefined;
  }

  /** Returns the answer, and caches it with `keep` unless a post changed meanwhile. */
  async function asked<T>(answer: Promise<T>, keep: (answer: T) => void): Promise<T> {
    const before = changes;
    const given = await answer;
    if (changes === before) keep(given);
    return given;
  }

  function keepPost(post: Post): void {
    if (post.content.length <= MAX_CHARACTERS) put(posts, post.id, post, MAX_POSTS);
  }

  /** Replaces a public post everywhere. Its positions in lists stay. */
  function replace(post: Post): void {
    posts.delete(post.id);
    keepPost(post);
    if (newest?.id === post.id) newest = post;
    const summary = withoutContent(post);
    const now = (other: PostSummary) => (other.id === post.id ? summary : other);
    for (const [key, list] of lists) lists.set(key, { ...list, posts: list.posts.map(now) });
    for (const [key, { previous, next }] of adjacent) {
      if (previous?.id !== post.id && next?.id !== post.id) continue;
      adjacent.set(key, { ...(previous && { previous: now(previous) }), ...(next && { next: now(next) }) });
    }
  }

  async function postAt(slug: string): Promise<Post | undefined> {
    return posts.get(slug) ?? asked(reader.post(slug), (post) => post && keepPost(post));
  }

  /** Uses the public version of the post, not a preview of it. */
  async function around(slug: string): Promise<PostSummary[]> {
    const post = await postAt(slug);
    return post ? reader.postsAround(withoutContent(post)) : [];
  }

  return {
    ...reader,

    post: postAt,

    async everyPost(among) {
      if (!among) return every.all();
      if (among.tag === undefined) return every.some(among) ?? reader.everyPost(among);
      // No query selects by tag, so the whole list is read and cached.
      const all = await every.all();
      return every.some(among) ?? all.filter(isAmong(among));
    },

    async newest() {
      if (newest) return newest;
      return asked(reader.newest(), (post) => {
        newest = post;
      });
    },

    async summaries(n, perPage) {
      const key = `${n} ${perPage}`;
      const known = lists.get(key);
      if (known) return known;
      return asked(reader.summaries(n, perPage), (list) => {
        if (list.exact) put(lists, key, list, MAX_LISTS);
      });
    },

    async adjacentPosts(slug) {
      const known = adjacent.get(slug);
      if (known) return known;
      const row = await asked(around(slug), (found) => {
        // Readers often open the neighbours next. The row lacks a neighbour of its first and last posts.
        for (const { id } of found.slice(1, -1)) put(adjacent, id, adjacentIn(found, id), MAX_ADJACENT);
        if (found.length > 0) put(adjacent, slug, adjacentIn(found, slug), MAX_ADJACENT);
      });
      return adjacentIn(row, slug);
    },

    postChanged(document, gone, changed) {
      const post = postOf(document);
      const isPublic = !gone && isReadable(document) && post.status === 'active' && !isForgery(post);
      // `changed` decides, not a cached answer, which may have been read after the write and before its event.
      const stays = changed !== undefined && !changed.some((key) => PLACING_FIELDS.has(key));
      if (stays && !isPublic) return;
      changes++;
      every.update(post.id, isPublic ? post : undefined);
      if (stays) return replace(post);
      const former = newest;
      countChanged = true;
      clear();
      if (!isPublic) return;
      keepPost(post);
      if (former && post.createdAt > former.createdAt) newest = post;
    },

    forget(change) {
      if (change?.names === false) {
        reader.forget({ names: false, counts: countChanged });
        countChanged = false;
      } else {
        reader.forget(change);
        changes++;
        clear();
        every.clear();
      }
    },
  };
}

const isReadable = ({ $permissions }: ArticleDocument): boolean => $permissions.includes('read("any")');

function put<T>(memory: Map<string, T>, key: string, value: T, most: number): void {
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > most && oldest !== undefined) memory.delete(oldest);
}
