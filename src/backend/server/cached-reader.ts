/**
 * Caches what public pages read again after each write. The cache is correct only if every change to a post arrives as
 * an event, in order, before the response to the writer's request, as with the embedded backend
 * (docs/decisions/009-rendering-a-page.md).
 */
import { LRUCache } from 'lru-cache';
import { isForgery } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
import { type ArticleDocument, postOf, withoutContent } from '../document.ts';
import type { PublicReader } from '../server.ts';
import { EveryPost, isAmong } from './every-post.ts';

const MAX_POSTS = 20;
const MAX_CHARACTERS = 200_000;
/** The fields that decide where a post is listed and who may read it. */
const PLACING_FIELDS: ReadonlySet<string> = new Set(['status', 'kind', 'userId', '$createdAt', '$permissions']);

/**
 * Adds a cache to `reader`; `postChanged` keeps the cache current. The cache contains some posts, and a list of all
 * posts from which shorter lists, the newest post and adjacent posts are derived. A result is not cached if any post
 * changed while the result was being read.
 */
export function createCachedReader(reader: PublicReader): PublicReader {
  const posts = new LRUCache<string, Post>({ max: MAX_POSTS });
  const every = new EveryPost(() => reader.everyPost({ withPages: true }));
  let changes = 0;
  /** True if a change since the last `forget` may have added or removed a post. */
  let countChanged = false;

  function keep(post: Post): void {
    if (post.content.length <= MAX_CHARACTERS) posts.set(post.id, post);
  }

  async function postAt(slug: string): Promise<Post | undefined> {
    const known = posts.get(slug);
    if (known) return known;
    const before = changes;
    const post = await reader.post(slug);
    if (post && changes === before) keep(post);
    return post;
  }

  return {
    ...reader,

    post: postAt,

    async everyPost(among = {}) {
      const { tag, userId, from, until } = among;
      const isPart = [userId, from, until].some((bound) => bound !== undefined);
      if (isPart && tag === undefined) return every.some(among) ?? reader.everyPost(among);
      // The backend cannot select by tag, so the complete list is read and cached.
      const all = await every.all();
      return every.some(among) ?? all.filter(isAmong(among));
    },

    async newest() {
      const all = every.now;
      return all ? all[0] && postAt(all[0].id) : reader.newest();
    },

    async summaries(n, perPage) {
      const all = every.now;
      if (!all) return reader.summaries(n, perPage);
      const total = all.length;
      const listed = all.slice((n - 1) * perPage, n * perPage);
      return { posts: listed, total, pages: Math.ceil(total / perPage), exact: true };
    },

    async adjacentPosts(slug) {
      const all = every.now;
      const at = all?.findIndex(({ id }) => id === slug) ?? -1;
      if (!all || at < 0) return reader.adjacentPosts(slug);
      const [previous, next] = [all[at + 1], all[at - 1]];
      return { ...(previous && { previous }), ...(next && { next }) };
    },

    postChanged(document, gone, changed) {
      const post = postOf(document);
      const isPublic = !gone && isReadable(document) && post.status === 'active' && !isForgery(post);
      // Does not compare the post with the cached post, which may have been read between the write and its event.
      const stays = changed !== undefined && !changed.some((key) => PLACING_FIELDS.has(key));
      if (stays && !isPublic) return;
      changes++;
      every.update(post.id, isPublic ? withoutContent(post) : undefined);
      posts.delete(post.id);
      if (isPublic) keep(post);
      if (!stays) countChanged = true;
    },

    forget(change) {
      if (change?.names === false) {
        reader.forget({ names: false, counts: countChanged });
        countChanged = false;
      } else {
        reader.forget(change);
        changes++;
        posts.clear();
        every.clear();
      }
    },
  };
}

const isReadable = ({ $permissions }: ArticleDocument): boolean => $permissions.includes('read("any")');
