/** The posts that islands list, show and change (spec 3, "Client state"; 4, "Post list state"). */

import { atom } from 'nanostores';
import type { Post, PostSummary } from '#blog/post.ts';

export interface PostsState {
  readonly posts: readonly PostSummary[];
  readonly currentPost: Post | null;
  readonly loading: boolean;
  /** The words of what went wrong, as they are shown. */
  readonly error: string | null;
  /** How many there are on the backend, of which `posts` may be a part. */
  readonly totalPosts: number;
}

export const NO_POSTS: PostsState = { posts: [], currentPost: null, loading: true, error: null, totalPosts: 0 };

export const $posts = atom<PostsState>(NO_POSTS);

export function loadingStarted(): void {
  change({ loading: true, error: null });
}

/** A part of a list, and how long the whole is. */
export interface ListPart {
  readonly posts: readonly PostSummary[];
  readonly total: number;
}

/** The first page of a list. */
export function postsLoaded({ posts, total }: ListPart): void {
  change({ posts, totalPosts: total, loading: false, error: null });
}

/** One more page. A post that moved between two requests is not shown twice. */
export function postsAppended({ posts, total }: ListPart): void {
  const shown = new Set($posts.get().posts.map(({ id }) => id));
  const fresh = posts.filter(({ id }) => !shown.has(id));
  change({ posts: [...$posts.get().posts, ...fresh], totalPosts: total, loading: false, error: null });
}

export function postShown(post: Post): void {
  change({ currentPost: post, loading: false, error: null });
}

export function loadingFailed(message: string): void {
  change({ error: message, loading: false });
}

export function postAdded(post: Post): void {
  const { posts, totalPosts } = $posts.get();
  change({ posts: [post, ...posts], totalPosts: totalPosts + 1 });
}

export function postReplaced(post: Post): void {
  const { posts, currentPost } = $posts.get();
  change({
    posts: posts.map((other) => (other.id === post.id ? post : other)),
    currentPost: currentPost?.id === post.id ? post : currentPost,
  });
}

export function postRemoved(id: string): void {
  const { posts, currentPost, totalPosts } = $posts.get();
  change({
    posts: posts.filter((post) => post.id !== id),
    currentPost: currentPost?.id === id ? null : currentPost,
    totalPosts: Math.max(0, totalPosts - 1),
  });
}

function change(part: Partial<PostsState>): void {
  $posts.set({ ...$posts.get(), ...part });
}
