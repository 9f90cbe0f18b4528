import { type PostEvent, subscribeToPosts } from '#backend/browser.ts';
import type { PostSummary } from '#blog/post.ts';
import { belongs, isAhead, listPosts, type PostListQuery, stillListed } from './post-lists.ts';
import { $posts, postRemoved, postStatusChanged, postsLoaded } from './posts.ts';

/** Maximum number of posts to fetch again in one request. */
export const MOST_AT_ONCE = 240;
const PAGE = 24;
const POLL_MS = 60_000;
/** Minimum interval between two polls, however often the window gains focus. */
const SHORTEST_POLL_MS = 5000;

/** Keeps `$posts` current and fetches the list again after a lost connection. Returns a function that stops both. */
export function followPosts(wanted: PostListQuery): () => void {
  let ended = false;
  const waiting: PostEvent[] = [];
  const apply = (news: PostEvent) => void applyPostEvent(news, wanted);
  const stopWaiting = $posts.listen(({ loading }) => {
    if (!loading) for (let news = waiting.shift(); news; news = waiting.shift()) apply(news);
  });
  const missed = async () => {
    const limit = Math.min(MOST_AT_ONCE, Math.max(PAGE, $posts.get().posts.length));
    try {
      const part = await listPosts({ ...wanted, limit });
      if (!ended) postsLoaded(part);
    } catch {
      // The error has already been logged; the list stays unchanged until the next attempt.
    }
  };
  const stop = subscribeToPosts({
    // Holds events back while a page is loading, because the page may already contain the change.
    changed: (news) => ($posts.get().loading ? void waiting.push(news) : apply(news)),
    missed,
  });
  const stopLooking = pollWhileVisible(() => removeUnpublished(wanted, () => ended));
  return () => {
    ended = true;
    stopWaiting();
    stopLooking();
    stop();
  };
}

/** Removes posts that this user may no longer read, because the backend sends no event for them. */
export async function removeUnpublished(wanted: PostListQuery, isOver: () => boolean = () => false): Promise<void> {
  const { posts, loading } = $posts.get();
  if (loading || posts.length === 0) return;
  try {
    const still = await stillListed(posts, wanted);
    if (isOver()) return;
    const { statusChanged } = $posts.get();
    for (const { id } of posts) if (!still.has(id) && !statusChanged.includes(id)) postRemoved(id);
  } catch {
    // The error has already been logged; the next poll tries again.
  }
}

function pollWhileVisible(poll: () => void): () => void {
  let last = Date.now();
  const now = () => {
    if (document.hidden || Date.now() - last < SHORTEST_POLL_MS) return;
    last = Date.now();
    poll();
  };
  const timer = setInterval(now, POLL_MS);
  document.addEventListener('visibilitychange', now);
  window.addEventListener('focus', now);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', now);
    window.removeEventListener('focus', now);
  };
}

export function applyPostEvent({ post, deleted }: PostEvent, wanted: PostListQuery): 'gone' | 'shown' | 'elsewhere' {
  const { posts, statusChanged } = $posts.get();
  const isListed = posts.some(({ id }) => id === post.id);
  const isCounted = (each: PostSummary) => belongs(each, wanted);
  if (isListed && !deleted && (isCounted(post) || statusChanged.includes(post.id))) {
    postStatusChanged(post, isCounted);
    return 'shown';
  }
  if (isListed) {
    postRemoved(post.id, isCounted);
    return 'gone';
  }
  return !deleted && isCounted(post) && insert(post, wanted) ? 'shown' : 'elsewhere';
}

/** Inserts a post in order. Returns false if it belongs after the loaded pages. */
function insert(post: PostSummary, wanted: PostListQuery): boolean {
  const state = $posts.get();
  const { posts, totalPosts, cursor } = state;
  const next = posts.findIndex((other) => isAhead(post, other, wanted));
  if (next < 0 && cursor !== undefined) return false;
  const at = next < 0 ? posts.length : next;
  $posts.set({ ...state, posts: posts.toSpliced(at, 0, post), totalPosts: totalPosts + 1 });
  return true;
}
