/** /all-posts (spec 2, "All posts"): everybody's active posts, or the writer's own inactive ones. */

import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorLine, homeText, listText, shellText } from '#blog/messages.ts';
import type { PostStatus } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import { EmptyState } from '#components/EmptyState.tsx';
import { PostCard } from '#components/PostCard.tsx';
import { Spinner } from '#components/Spinner.tsx';
import { $auth } from '#stores/auth.ts';
import { followPosts } from '#stores/live-posts.ts';
import { fetchMorePosts, fetchPosts } from '#stores/post-actions.ts';
import { $posts } from '#stores/posts.ts';
import { currentSite } from '#stores/site.ts';
import { Guard } from '../guard/Guard.tsx';

export default function AllPosts() {
  return (
    <Guard access="signed-in">
      <SignedInList />
    </Guard>
  );
}

function SignedInList() {
  const { user } = useStore($auth);
  return user && <PostLists user={user} />;
}

function PostLists({ user }: { user: User }) {
  const [status, setStatus] = useState<PostStatus>(statusInAddress);
  const [cursor, setCursor] = useState<string>();
  const { posts, loading, error, totalPosts } = useStore($posts);
  const list = useRef<HTMLUListElement>(null);
  const wanted = status === 'inactive' ? { status, userId: user.id } : {};

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` is made of these two.
  const load = useCallback(async () => setCursor(await fetchPosts(wanted)), [status, user.id]);
  useEffect(() => void load(), [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    // The next page is asked for behind a post that is still there.
    const onGone = (id: string) => setCursor((now) => (now === id ? $posts.get().posts.at(-1)?.id : now));
    return followPosts(wanted, { onGone, onFetched: setCursor });
  }, [status, user.id]);

  const choose = (chosen: PostStatus) => {
    setStatus(chosen);
    history.replaceState(null, '', chosen === 'active' ? location.pathname : `?status=${chosen}`);
  };
  const loadMore = async () => {
    if (!cursor || loading) return;
    const before = posts.length;
    setCursor(await fetchMorePosts(wanted, cursor));
    // The button may be gone: the reader goes on with the first of the new posts.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) list.current?.querySelectorAll('a')[before]?.focus();
    });
  };

  return (
    <div className="site-width py-10 sm:py-14">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <h1 className="text-3xl">{shellText.allPosts}</h1>
          <p role="status" className="mt-2 min-h-6 text-base text-soft">
            {!loading && !error && countLine(posts.length, totalPosts)}
          </p>
        </div>
        <StatusSwitch status={status} onChoose={choose} />
      </div>
      {posts.length > 0 && (
        <ul ref={list} className="mt-8 grid list-none gap-x-8 gap-y-12 p-0 md:grid-cols-3 xl:grid-cols-4">
          {posts.map((post, index) => (
            <li key={post.id} className="flex *:grow">
              <PostCard
                site={currentSite()}
                post={post}
                author={post.userId === user.id ? user.name : undefined}
                priority={index < 4}
              />
            </li>
          ))}
        </ul>
      )}
      {loading && <Spinner label={listText.loading} />}
      {error && (
        <div role="alert" className="py-16 text-center">
          <p className="mb-5 text-base text-danger">{errorLine(error)}</p>
          <Button tone="quiet" onClick={posts.length > 0 ? loadMore : load}>
            {listText.retry}
          </Button>
        </div>
      )}
      {!loading && !error && posts.length === 0 && <Nothing status={status} />}
      {!loading && !error && cursor && posts.length < totalPosts && (
        <div className="mt-14 text-center">
          <Button tone="quiet" onClick={loadMore}>
            Load more
          </Button>
        </div>
      )}
    </div>
  );
}

function StatusSwitch({ status, onChoose }: { status: PostStatus; onChoose: (status: PostStatus) => void }) {
  const option = (value: PostStatus, label: string) => (
    <button
      type="button"
      aria-pressed={status === value}
      onClick={() => onChoose(value)}
      className="min-h-11 rounded-sm px-4 text-base text-soft aria-pressed:bg-well aria-pressed:font-medium aria-pressed:text-ink hover:text-ink"
    >
      {label}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are two buttons.
    <div role="group" aria-label="Which posts" className="inline-flex gap-1 rounded-md border border-hairline p-1">
      {option('active', 'Active')}
      {option('inactive', 'My inactive')}
    </div>
  );
}

function Nothing({ status }: { status: PostStatus }) {
  return status === 'active' ? (
    <EmptyState title="No posts yet" text="The first one could be yours.">
      <ButtonLink href="/add-post">{homeText.createFirst}</ButtonLink>
    </EmptyState>
  ) : (
    <EmptyState title="No inactive posts" text="A post that you save as inactive waits here, for your eyes alone.">
      <ButtonLink href="/add-post">{homeText.writePost}</ButtonLink>
    </EmptyState>
  );
}

const statusInAddress = (): PostStatus =>
  new URLSearchParams(location.search).get('status') === 'inactive' ? 'inactive' : 'active';

function countLine(shown: number, total: number): string {
  if (total === 0) return '';
  const posts = total === 1 ? '1 post' : `${total.toLocaleString('en-US')} posts`;
  return shown < total ? `${shown.toLocaleString('en-US')} of ${posts}` : posts;
}
