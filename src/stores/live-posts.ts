/** Keeps what is shown of posts in step with what others do to them. */

import { getPost, listPosts, type PostNews, watchPosts } from '#backend/browser.ts';
import { isForgery } from '#blog/permissions.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import type { ListWanted } from './post-actions.ts';
import { $posts, postRemoved, postsLoaded } from './posts.ts';

/** A list that was lengthened is fetched again in its length, up to here. */
const MOST_AT_ONCE = 240;
const PAGE = 24;

export interface ListFollower {
  /** A post left the list. */
  readonly onGone: (id: string) => void;
  /** The list was fetched again; `cursor` as `fetchPosts` gives it. */
  readonly onFetched: (cursor: string | undefined) => void;
}

/**
 * Follows the list in the store: published posts come in at their place, changed ones change, deleted ones go. After
 * a gap in the connection the list is fetched again. Ends when the function that it gives is called.
 */
export function followPosts(wanted: ListWanted, { onGone, onFetched }: ListFollower): () => void {
  let ended = false;
  const waiting: PostNews[] = [];
  const tell = (news: PostNews) => {
    if (applyNews(news, wanted) === 'gone') onGone(news.post.id);
  };
  const stopWaiting = $posts.listen(({ loading }) => {
    if (!loading) for (let news = waiting.shift(); news; news = waiting.shift()) tell(news);
  });
  const missed = async () => {
    const limit = Math.min(MOST_AT_ONCE, Math.max(PAGE, $posts.get().posts.length));
    try {
      const part = await listPosts({ ...wanted, limit });
      if (ended) return;
      postsLoaded(part);
      onFetched(part.cursor);
    } catch {
      // Logged where it was asked; the list stays as it is until the next time.
    }
  };
  const stop = watchPosts({
    // While a part of the list is on its way, it is not known whether it holds the news already.
    heard: (news) => ($posts.get().loading ? void waiting.push(news) : tell(news)),
    missed,
  });
  return () => {
    ended = true;
    stopWaiting();
    stop();
  };
}

/** Brings the list in the store up to date with one piece of news. */
export function applyNews({ post, deleted }: PostNews, wanted: ListWanted): 'gone' | 'shown' | 'elsewhere' {
  const state = $posts.get();
  const isListed = state.posts.some(({ id }) => id === post.id);
  if (deleted || !belongs(post, wanted)) {
    if (!isListed) return 'elsewhere';
    postRemoved(post.id);
    return 'gone';
  }
  if (isListed) $posts.set({ ...state, posts: state.posts.map((other) => (other.id === post.id ? post : other)) });
  else if (!insert(post)) return 'elsewhere';
  return 'shown';
}

function belongs(post: PostSummary, { status = 'active', userId }: ListWanted): boolean {
  return post.status === status && (userId === undefined || post.userId === userId) && !isForgery(post);
}

/** False for a post of the part of the list that is not loaded. */
function insert(post: PostSummary): boolean {
  const state = $posts.get();
  const { posts, totalPosts } = state;
  const older = posts.findIndex(({ createdAt }) => Date.parse(createdAt) < Date.parse(post.createdAt));
  if (older < 0 && posts.length < totalPosts) return false;
  const at = older < 0 ? posts.length : older;
  $posts.set({ ...state, posts: posts.toSpliced(at, 0, post), totalPosts: totalPosts + 1 });
  return true;
}

/** What became of a post elsewhere while a writer has it open. */
export type Elsewhere = 'changed' | 'deleted';

/** Tells when `post` is no longer as it was loaded, until the function that it gives is called. */
export function followPost(post: Post, tell: (what: Elsewhere) => void): () => void {
  let ended = false;
  const differs = (updatedAt: string) => Date.parse(updatedAt) !== Date.parse(post.updatedAt);
  const missed = async () => {
    const now = await getPost(post.id).catch(() => post);
    if (ended) return;
    if (!now) tell('deleted');
    else if (differs(now.updatedAt)) tell('changed');
  };
  const stop = watchPosts(
    {
      heard: ({ post: now, deleted }) => {
        if (deleted) tell('deleted');
        else if (differs(now.updatedAt)) tell('changed');
      },
      missed,
    },
    post.id,
  );
  return () => {
    ended = true;
    stop();
  };
}
