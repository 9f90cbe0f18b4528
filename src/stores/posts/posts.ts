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
  /** True while it is only known that there are at least so many. */
  readonly totalIsLeast: boolean;
  /** Where the next part of the list begins; undefined when `posts` is all of it. */
  readonly cursor: string | undefined;
  /** Ids of posts whose status was changed here: they stay where they are, until the list is fetched again. */
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

export function loadingStarted(): void {
  change({ loading: true, error: null });
}

/** A part of a list, how long the whole is, and where the next part begins. */
export interface PostListPage {
  readonly posts: readonly PostSummary[];
  readonly total: number;
  readonly totalIsLeast?: boolean;
  readonly cursor?: string | undefined;
}

/** The first page of a list. */
export function postsLoaded({ posts, ...part }: PostListPage): void {
  change({ posts, ...listed(part), statusChanged: [], loading: false, error: null });
}

/** One more page. A post that moved between two requests is not shown twice. */
export function postsAppended({ posts, ...part }: PostListPage): void {
  const shown = new Set($posts.get().posts.map(({ id }) => id));
  const fresh = posts.filter(({ id }) => !shown.has(id));
  change({ posts: [...$posts.get().posts, ...fresh], ...listed(part), loading: false, error: null });
}

/** What is known of the length: an exact count is not given up for the least. */
function listed({ total, totalIsLeast = false, cursor }: Omit<PostListPage, 'posts'>): Partial<PostsState> {
  const now = $posts.get();
  const isKnown = totalIsLeast && !now.totalIsLeast && now.totalPosts > total;
  return { cursor, ...(!isKnown && { totalPosts: total, totalIsLeast }) };
}

/** A list that was only known to be long was counted. */
export function totalCounted(total: number): void {
  change({ totalPosts: total, totalIsLeast: false });
}

/** Another list is to come: nothing of this one is shown or counted any more. */
export function listForgotten(): void {
  change({ posts: [], totalPosts: 0, totalIsLeast: false, cursor: undefined, statusChanged: [] });
}

/** The status of a listed post is about to be changed here, or was not changed after all. */
export function statusChanging(id: string, isTurned: boolean): void {
  const others = $posts.get().statusChanged.filter((other) => other !== id);
  change({ statusChanged: isTurned ? [...others, id] : others });
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

/** The status of a listed post was changed here: it stays, and is counted as `isCounted` says. */
export function postStatusChanged(post: PostSummary, isCounted: (post: PostSummary) => boolean): void {
  const { posts, totalPosts } = $posts.get();
  const before = posts.find(({ id }) => id === post.id);
  if (!before) return;
  change({
    posts: posts.map((other) => (other === before ? post : other)),
    totalPosts: Math.max(0, totalPosts + Number(isCounted(post)) - Number(isCounted(before))),
  });
}

/** Does nothing the second time: the backend's news of a delete and its answer both tell of it. */
export function postRemoved(id: string, isCounted: (post: PostSummary) => boolean = () => true): void {
  const { posts, currentPost, totalPosts, cursor } = $posts.get();
  const gone = posts.find((post) => post.id === id);
  const left = posts.filter((post) => post !== gone);
  change({
    posts: left,
    currentPost: currentPost?.id === id ? null : currentPost,
    totalPosts: Math.max(0, totalPosts - (gone && isCounted(gone) ? 1 : 0)),
    // The next page is asked for behind a post that is still there.
    cursor: cursor === id ? left.at(-1)?.id : cursor,
  });
}

function change(part: Partial<PostsState>): void {
  $posts.set({ ...$posts.get(), ...part });
}
