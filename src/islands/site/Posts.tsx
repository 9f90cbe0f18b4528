/** All published posts, with an editor's actions. */
import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { dayText } from '#blog/dates.ts';
import { peopleText } from '#blog/messages/people.ts';
import { errorLine } from '#blog/messages.ts';
import type { Moderation } from '#blog/people.ts';
import type { PostSummary } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { moderate, namesOf } from '#stores/people.ts';
import { fetchMorePosts, fetchPosts, type PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';
import { HandOverDialog } from './HandOverDialog.tsx';
import { SearchField } from './SearchField.tsx';
import { useWork } from './use-work.ts';

export function Posts() {
  const { posts, loading, error, cursor } = useStore($posts);
  const [search, setSearch] = useState('');
  const work = useWork();
  const names = useNames(posts);
  const [asked, setAsked] = useState<{ readonly action: 'delete' | 'hand-over'; readonly post: PostSummary }>();
  const wanted: PostListQuery = { status: 'active', ...(search && { search }) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` is made of it.
  useEffect(() => void fetchPosts(wanted), [search]);

  const act = async (post: PostSummary, action: Moderation, done: string) => {
    await work.run(
      post.id,
      async () => {
        await moderate(action);
        await fetchPosts(wanted, Math.max(posts.length, 1));
      },
      done,
    );
    setAsked(undefined);
  };

  return (
    <section aria-label={peopleText.posts} className="min-w-0">
      <SearchField
        label={peopleText.searchPosts}
        onSearch={(text) => {
          work.clear();
          setSearch(text);
        }}
      />
      <p role="status" className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
        {work.said || (!loading && !error && posts.length === 0 && peopleText.noPosts)}
      </p>
      <Banner message={work.failure || (error && errorLine(error))} className="my-3 empty:hidden" />
      <ul className="list-none divide-y divide-hairline border-t border-hairline p-0">
        {posts.map((post) => (
          <li key={post.id} className="grid gap-x-6 gap-y-2 py-4 md:grid-cols-[minmax(0,1fr)_auto]">
            <div className="min-w-0 wrap-anywhere">
              <a href={postPath(post.id)} className="font-medium hover:text-accent">
                {post.title}
              </a>
              <p className="text-sm text-soft">
                {names[post.userId] && `${peopleText.by({ author: names[post.userId] ?? '' })}, `}
                {dayText(new Date(post.createdAt))}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <Button
                tone="quiet"
                aria-label={peopleText.takeBackOf({ title: post.title })}
                busy={work.busy === post.id}
                onClick={() =>
                  void act(post, { action: 'take-back', slug: post.id }, peopleText.takenBack({ title: post.title }))
                }
              >
                {peopleText.takeBack}
              </Button>
              <Button
                tone="quiet"
                aria-label={peopleText.handOverOf({ title: post.title })}
                onClick={() => setAsked({ action: 'hand-over', post })}
              >
                {peopleText.handOver}
              </Button>
              <Button
                tone="quiet"
                aria-label={peopleText.deletePostOf({ title: post.title })}
                onClick={() => setAsked({ action: 'delete', post })}
              >
                {peopleText.deletePost}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {loading && <Spinner label={peopleText.loading} />}
      {cursor && !error && (
        <Button tone="quiet" className="mt-6" busy={loading} onClick={() => void fetchMorePosts(wanted)}>
          {peopleText.more}
        </Button>
      )}
      {asked?.action === 'delete' && (
        <Dialog
          open
          title={peopleText.deletePostTitle}
          description={peopleText.deletePostQuestion({ title: asked.post.title })}
          onClose={() => setAsked(undefined)}
          busy={work.busy !== ''}
          actions={
            <>
              <Button tone="quiet" ref={focusFirst} onClick={() => setAsked(undefined)}>
                {peopleText.cancel}
              </Button>
              <Button
                tone="danger"
                busy={work.busy !== ''}
                onClick={() =>
                  void act(
                    asked.post,
                    { action: 'delete', slug: asked.post.id },
                    peopleText.postDeleted({ title: asked.post.title }),
                  )
                }
              >
                {peopleText.deletePostConfirm}
              </Button>
            </>
          }
        />
      )}
      {asked?.action === 'hand-over' && (
        <HandOverDialog
          post={asked.post}
          busy={work.busy !== ''}
          onClose={() => setAsked(undefined)}
          onConfirm={(userId) =>
            act(
              asked.post,
              { action: 'hand-over', slug: asked.post.id, userId },
              peopleText.handedOver({ title: asked.post.title }),
            )
          }
        />
      )}
    </section>
  );
}

/** Loads author names as the list grows. */
function useNames(posts: readonly PostSummary[]): Readonly<Record<string, string>> {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const unknown = [...new Set(posts.map(({ userId }) => userId))].filter((id) => !(id in names)).join();
  useEffect(() => {
    if (!unknown) return;
    const ids = unknown.split(',');
    // Stores an empty name for a deleted user, so that it is not requested again.
    const none = Object.fromEntries(ids.map((id) => [id, '']));
    namesOf(ids).then(
      (found) => setNames((known) => ({ ...known, ...none, ...found })),
      () => undefined,
    );
  }, [unknown]);
  return names;
}
