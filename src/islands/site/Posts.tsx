import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { dayText } from '#blog/dates.ts';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { errorLine } from '#blog/messages.ts';
import type { Moderation } from '#blog/people.ts';
import type { PostSummary } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ConfirmDialog, focusFirst } from '#components/controls/Dialog.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import { listMembers, moderate } from '#stores/people.ts';
import { $authorNames, fetchAuthorNames } from '#stores/posts/author-names.ts';
import { fetchMorePosts, fetchPosts, type PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';
import { useLoaded } from '../use-loaded.ts';
import { useWork } from '../use-work.ts';
import { SearchList } from './SearchList.tsx';

const BUTTONS = [
  ['take-back', peopleText.takeBack, peopleText.takeBackOf],
  ['hand-over', peopleText.handOver, peopleText.handOverOf],
  ['delete', peopleText.deletePost, peopleText.deletePostOf],
] as const;

export function Posts() {
  const { posts, loading, error, cursor } = useStore($posts);
  const [search, setSearch] = useState('');
  const work = useWork(peopleMessage);
  const names = useStore($authorNames);
  useEffect(() => void fetchAuthorNames(posts), [posts]);
  const [asked, setAsked] = useState<{ readonly action: 'delete' | 'hand-over'; readonly post: PostSummary }>();
  const wanted: PostListQuery = { status: 'active', ...(search && { search }) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render makes a new `wanted` from `search`.
  useEffect(() => void fetchPosts(wanted), [search]);

  const list = {
    failure: error ? errorLine(error) : '',
    isLoading: loading,
    isSpinning: loading,
    hasMore: cursor !== undefined && !error,
    search: setSearch,
    more: () => void fetchMorePosts(wanted),
  };
  const act = async (action: Moderation, done: string) => {
    const moderated = () => moderate(action).then(() => fetchPosts(wanted, Math.max(posts.length, 1)));
    await work.run(action.slug, moderated, done);
    setAsked(undefined);
  };

  return (
    <section aria-label={peopleText.posts} className="min-w-0">
      <SearchList
        label={peopleText.searchPosts}
        list={list}
        work={work}
        status={!loading && !error && posts.length === 0 && peopleText.noPosts}
      >
        {posts.map((post) => (
          <li key={post.id} className="grid gap-x-6 gap-y-2 py-4 md:grid-cols-[minmax(0,1fr)_auto]">
            <div className="min-w-0 wrap-anywhere">
              <a href={addressOfPost(post)} className="font-medium hover:text-accent">
                {post.title}
              </a>
              <p className="text-sm text-soft">
                {names[post.userId] && `${peopleText.by({ author: names[post.userId] ?? '' })}, `}
                {dayText(new Date(post.createdAt))}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              {BUTTONS.map(([action, label, labelOf]) => (
                <Button
                  key={action}
                  tone="quiet"
                  aria-label={labelOf({ title: post.title })}
                  busy={action === 'take-back' && work.busy === post.id}
                  onClick={() => {
                    if (action !== 'take-back') return setAsked({ action, post });
                    void act({ action, slug: post.id }, peopleText.takenBack({ title: post.title }));
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </SearchList>
      {asked?.action === 'delete' && (
        <ConfirmDialog
          title={peopleText.deletePostTitle}
          description={peopleText.deletePostQuestion({ title: asked.post.title })}
          cancel={peopleText.cancel}
          confirm={peopleText.deletePostConfirm}
          busy={work.busy !== ''}
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            void act({ action: 'delete', slug: asked.post.id }, peopleText.postDeleted({ title: asked.post.title }))
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
              { action: 'hand-over', slug: asked.post.id, userId },
              peopleText.handedOver({ title: asked.post.title }),
            )
          }
        />
      )}
    </section>
  );
}

interface HandOverDialogProps {
  readonly post: PostSummary;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (userId: string) => Promise<void>;
}

function HandOverDialog({ post, onConfirm, ...dialog }: HandOverDialogProps) {
  const { value: members = [], error } = useLoaded(listMembers);
  const [chosen, setChosen] = useState('');
  const others = members.filter(({ id }) => id !== post.userId);
  return (
    <ConfirmDialog
      title={peopleText.handOverTitle}
      description={peopleText.handOverHelp({ title: post.title })}
      cancel={peopleText.cancel}
      confirm={peopleText.handOverTitle}
      working={peopleText.working}
      tone="primary"
      isReady={chosen !== ''}
      onConfirm={() => void onConfirm(chosen)}
      {...dialog}
    >
      <Banner message={error === undefined ? undefined : peopleMessage(error)} className="mb-4 empty:hidden" />
      <SelectField
        label={peopleText.author}
        ref={focusFirst}
        value={chosen}
        choices={[['', ''], ...others.map(({ id, name }) => [id, name] as const)]}
        onChange={({ target }) => setChosen(target.value)}
      />
    </ConfirmDialog>
  );
}
