/** /all-posts (spec 2, "All posts"): the active posts of all users, or the user's own posts or pages of any status. */

import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { deleteMessage, errorLine, homeText, listText, shellText } from '#blog/messages.ts';
import { isPage, type PostSummary } from '#blog/post.ts';
import { ADD_POST, LOGIN } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { EmptyState } from '#components/controls/EmptyState.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { PostCard } from '#components/lists/PostCard.tsx';
import { $auth } from '#stores/account/auth.ts';
import { $authorNames, fetchAuthorNames } from '#stores/posts/author-names.ts';
import { followPosts } from '#stores/posts/live-posts.ts';
import { deleteListed, fetchMorePosts, fetchPosts, type PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';
import { currentSite } from '#stores/site.ts';
import { SignedIn } from '../guard/Guard.tsx';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { DeleteDialog } from '../post-actions/PostActions.tsx';
import { whenIdle } from '../post-form/when-idle.ts';
import { useWork } from '../use-work.ts';
import { ListControls } from './ListControls.tsx';
import { LocalDrafts } from './LocalDrafts.tsx';
import { type ListChoice, savedPosition, useListChoice, useSavePosition } from './list-choice.ts';
import { OwnPost } from './OwnPost.tsx';

const NoPages = lazyPart(() => import('./NoPages.tsx'), 'NoPages');

export default function AllPosts() {
  return <SignedIn>{(user) => <PostLists user={user} />}</SignedIn>;
}

function PostLists({ user }: { user: User }) {
  const [choice, choose] = useListChoice();
  const { checked, user: present } = useStore($auth);
  const isSignedOut = checked && present?.id !== user.id;
  const { posts, loading, error, totalPosts, totalIsLeast, cursor } = useStore($posts);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const wanted = wantedOf(choice, user);
  const deleting = useDelete(list, wanted, setSaid);
  const authors = useStore($authorNames);
  useEffect(() => void fetchAuthorNames(posts.filter(({ userId }) => userId !== user.id)), [posts, user.id]);
  useList(wanted);
  useSavePosition();
  useEffect(() => storeOwnPosts(user.id), [user.id]);

  const retry = () => void (posts.length > 0 ? fetchMorePosts(wanted) : fetchPosts(wanted));
  const loadMore = async () => {
    if (loading) return;
    const before = posts.length;
    await fetchMorePosts(wanted);
    // Moves the focus to the first new post if the button has disappeared.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      list.current?.querySelectorAll('[data-post]')[before]?.querySelector('a')?.focus();
    });
  };

  return (
    <div className="site-width py-10 sm:py-14">
      <h1 className="text-3xl">{shellText.allPosts}</h1>
      <p role="status" className="mt-2 min-h-6 text-base text-soft">
        {!loading && !error && totalPosts > 0 && countText(posts.length, totalPosts, totalIsLeast)}
      </p>
      <ListControls choice={choice} onChoose={choose} />
      <p role="status" className="sr-only">
        {said}
      </p>
      <LocalDrafts userId={user.id} search={choice.search} onlyQueued={choice.scope !== 'mine'} onDone={setSaid} />
      {posts.length > 0 && (
        <ul ref={list} className="mt-8 grid list-none gap-x-8 gap-y-12 p-0 md:grid-cols-3 xl:grid-cols-4">
          {posts.map((post, index) => (
            <li key={post.id} data-post={post.id} className="relative flex min-w-0 flex-col">
              {marksOf(post) && (
                <p
                  className={`rounded-sm border border-edge bg-paper px-2.5 py-1 text-sm font-medium ${post.featuredImage ? 'absolute start-2 top-2 z-3' : 'mb-4 self-start'}`}
                >
                  {marksOf(post)}
                </p>
              )}
              <PostCard
                site={currentSite()}
                post={post}
                author={post.userId === user.id ? user.name : authors[post.userId]}
                priority={index < 4}
              />
              {post.userId === user.id && (
                <OwnPost
                  post={post}
                  wanted={wanted}
                  onDone={setSaid}
                  onDelete={() => deleting.ask(post)}
                  failure={deleting.failureOf(post.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {loading && <Spinner label={listText.loading} />}
      {error && (
        <div role="alert" className="py-16 text-center">
          <p className="mb-5 text-base text-danger">{errorLine(error)}</p>
          <div className="flex flex-wrap justify-center gap-3">
            <Button tone="quiet" onClick={retry}>
              {listText.retry}
            </Button>
            {isSignedOut && <ButtonLink href={LOGIN}>{allPostsText.signInAgain}</ButtonLink>}
          </div>
        </div>
      )}
      {!loading && !error && posts.length === 0 && (
        <EmptyList choice={choice} user={user} onShowAll={() => choose({ search: '' })} />
      )}
      {!error && cursor && (
        <div className="mt-14 text-center">
          <Button tone="quiet" busy={loading} onClick={loadMore}>
            {allPostsText.loadMore}
          </Button>
        </div>
      )}
      {deleting.asked && (
        <DeleteDialog
          title={deleting.asked.title}
          busy={deleting.busy}
          onClose={() => deleting.ask(undefined)}
          onConfirm={deleting.confirm}
        />
      )}
    </div>
  );
}

function EmptyList({ choice, user, onShowAll }: { choice: ListChoice; user: User; onShowAll: () => void }) {
  if (choice.search) {
    return (
      <EmptyState title={allPostsText.nothingFound({ words: choice.search })} text={allPostsText.nothingFoundHelp}>
        <Button tone="quiet" onClick={onShowAll}>
          {allPostsText.showAll}
        </Button>
      </EmptyState>
    );
  }
  if (choice.scope === 'pages') return <NoPages userId={user.id} onFault={() => {}} />;
  const [title, text, first] =
    choice.scope === 'all'
      ? [allPostsText.noneActive, allPostsText.noneActiveHelp, homeText.createFirst]
      : [allPostsText.noneMine, allPostsText.noneMineHelp, homeText.writePost];
  return (
    <EmptyState title={title} text={text}>
      <ButtonLink href={ADD_POST}>{first}</ButtonLink>
    </EmptyState>
  );
}

/** Returns the labels of a post, such as “Not published”; empty for a published post that is not a page. */
const marksOf = (post: PostSummary): string =>
  [post.status === 'inactive' && allPostsText.notPublished, isPage(post) && allPostsText.page]
    .filter(Boolean)
    .join(' · ');

const wantedOf = ({ scope, search, order }: ListChoice, { id }: User): PostListQuery => ({
  ...(scope === 'all' ? { status: 'active' } : { status: 'any', userId: id }),
  ...(scope === 'pages' && { onlyPages: true }),
  order,
  ...(search && { search }),
});

function useList(wanted: PostListQuery): void {
  const { status, order, search, userId, onlyPages } = wanted;
  const [left] = useState(savedPosition);
  const isFirst = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each render makes a new `wanted` from these values.
  useEffect(() => {
    const place = isFirst.current ? left : undefined;
    isFirst.current = false;
    void fetchPosts(wanted, place?.shown || undefined).then(() => {
      if (place) requestAnimationFrame(() => scrollTo({ top: place.top, behavior: 'instant' }));
    });
    return followPosts(wanted);
  }, [status, order, search, userId, onlyPages]);

  const { posts, loading, error, cursor } = useStore($posts);
  const isSpent = posts.length === 0 && !loading && !error && cursor !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list becomes empty, whatever `wanted` is.
  useEffect(() => {
    // Fetches more posts once all shown posts have been removed.
    if (isSpent) void fetchPosts(wanted);
  }, [isSpent]);
}

/** Asks before deleting a post, then focuses the next one in `list`, whose items must have `data-post`. */
function useDelete(list: RefObject<HTMLElement | null>, wanted: PostListQuery, onDone: (words: string) => void) {
  const [asked, setAsked] = useState<PostSummary>();
  const [tried, setTried] = useState('');
  const [left, setLeft] = useState<number>();
  const { busy, failure, run } = useWork(deleteMessage);
  // Runs after the dialog has closed, because closing moves the focus.
  useEffect(() => {
    if (left === undefined) return;
    focusNear(list.current, left);
    setLeft(undefined);
  }, [left, list]);

  const confirm = async () => {
    if (!asked) return;
    const { id, title } = asked;
    const at = $posts.get().posts.findIndex((post) => post.id === id);
    setTried(id);
    if (await run(id, () => deleteListed(asked, wanted))) {
      onDone(allPostsText.deleted({ title }));
      setLeft(at);
    }
    setAsked(undefined);
  };
  return { asked, busy: busy !== '', failureOf: (id: string) => (tried === id ? failure : ''), ask: setAsked, confirm };
}

function focusNear(list: HTMLElement | null, at: number): void {
  const left = list?.querySelectorAll<HTMLElement>('[data-post]') ?? [];
  const near = left[Math.min(at, left.length - 1)]?.querySelector('a') ?? document.querySelector<HTMLElement>('main');
  near?.focus();
}

/** Lets the service worker, if there is one, store the user's own posts for offline use. */
function storeOwnPosts(userId: string): void {
  if (!navigator.serviceWorker) return;
  void navigator.serviceWorker.ready.then(() =>
    whenIdle(() => {
      import('#stores/posts/own-posts-offline.ts')
        .then(({ requestOwnPosts }) => requestOwnPosts(userId))
        .catch((error: unknown) => console.info('Some of your posts will not open offline:', error));
    }),
  );
}

function countText(shown: number, total: number, isLeast: boolean): string {
  if (isLeast) return allPostsText.someOfMore({ shown, total });
  return shown < total ? allPostsText.some({ shown, total }) : allPostsText.total({ count: total });
}
