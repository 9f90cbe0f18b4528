/** The posts that islands list, show and change (spec 3, "Client state"; 4, "Post list state"). */

import { atom } from 'nanostores';
import type { Post, PostSummary } from '#blog/post.ts';

export interface PostsState {
  readonly posts: readonly PostSummary[];
  readonly currentPost: Post | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly totalPosts: number;
  /** True if `totalPosts` is only a lower bound. */
  readonly totalIsLeast: boolean;
  /** Cursor of the next page; undefined if `posts` is the complete list. */
  readonly cursor: string | undefined;
  /** Ids of posts whose status was changed in this tab. They stay in the list until it is fetched again. */
  readonly statusChanged: readonly string[];
}

export const NO_POSTS: PostsState = {
  posts: [],
  currentPost: null,
  loading: true,
  error: null,
  totalPosts: 0,
  totalIsLeast: false,
  cursor: undefined,
  statusChanged: [],
};

export const $posts = atom<PostsState>(NO_POSTS);

const change = (part: Partial<PostsState>): void => $posts.set({ ...$posts.get(), ...part });

export const loadingStarted = (): void => change({ loading: true, error: null });

export const loadingFailed = (message: string): void => change({ error: message, loading: false });

export interface PostListPage {
  readonly posts: readonly PostSummary[];
  readonly total: number;
  readonly totalIsLeast?: boolean;
  readonly cursor?: string | undefined;
}

export function postsLoaded({ posts, ...part }: PostListPage): void {
  change({ posts, ...listed(part), statusChanged: [], loading: false, error: null });
}

/** Appends a page. Skips posts that are already listed, because posts may move to a later page between requests. */
export function postsAppended({ posts, ...part }: PostListPage): void {
  const shown = new Set($posts.get().posts.map(({ id }) => id));
  const fresh = posts.filter(({ id }) => !shown.has(id));
  change({ posts: [...$posts.get().posts, ...fresh], ...listed(part), loading: false, error: null });
}

/** Returns the change to the list's state. Keeps an exact total if the new one is smaller and only a lower bound. */
function listed({ total, totalIsLeast = false, cursor }: Omit<PostListPage, 'posts'>): Partial<PostsState> {
  const now = $posts.get();
  const isKnown = totalIsLeast && !now.totalIsLeast && now.totalPosts > total;
  return { cursor, ...(!isKnown && { totalPosts: total, totalIsLeast }) };
}

export const totalCounted = (total: number): void => change({ totalPosts: total, totalIsLeast: false });

export const listForgotten = (): void =>
  change({ posts: [], totalPosts: 0, totalIsLeast: false, cursor: undefined, statusChanged: [] });

export function statusChanging(id: string, isTurned: boolean): void {
  const others = $posts.get().statusChanged.filter((other) => other !== id);
  change({ statusChanged: isTurned ? [...others, id] : others });
}

export const postShown = (post: Post): void => change({ currentPost: post, loading: false, error: null });

export function postAdded(post: Post): void {
  const { posts, totalPosts } = $posts.get();
  const others = posts.filter(({ id }) => id !== post.id);
  // The backend's event may already have added the post.
  change({ posts: [post, ...others], totalPosts: totalPosts + 1 + others.length - posts.length });
}

export function postReplaced(post: Post): void {
  const { posts, currentPost } = $posts.get();
  change({
    posts: posts.map((other) => (other.id === post.id ? post : other)),
    currentPost: currentPost?.id === post.id ? post : currentPost,
  });
}

/** Replaces a listed post without moving it. `isCounted` returns whether the total includes a post. */
export function postStatusChanged(post: PostSummary, isCounted: (post: PostSummary) => boolean): void {
  const { posts, totalPosts } = $posts.get();
  const before = posts.find(({ id }) => id === post.id);
  if (!before) return;
  change({
    posts: posts.map((other) => (other === before ? post : other)),
    totalPosts: Math.max(0, totalPosts + Number(isCounted(post)) - Number(isCounted(before))),
  });
}

/** Removes a post. A second call does nothing, because both the event and the response report a deletion. */
export function postRemoved(id: string, isCounted: (post: PostSummary) => boolean = () => true): void {
  const { posts, currentPost, totalPosts, cursor } = $posts.get();
  const gone = posts.find((post) => post.id === id);
  const left = posts.filter((post) => post !== gone);
  change({
    posts: left,
    currentPost: currentPost?.id === id ? null : currentPost,
    totalPosts: Math.max(0, totalPosts - (gone && isCounted(gone) ? 1 : 0)),
    // The cursor must be a post that still exists.
    cursor: cursor === id ? left.at(-1)?.id : cursor,
  });
}
