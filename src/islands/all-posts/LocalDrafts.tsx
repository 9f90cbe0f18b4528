import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { queueText } from '#blog/messages/queue.ts';
import { errorText } from '#blog/messages.ts';
import { ADD_POST, editPostPath, LOGIN } from '#blog/routes/paths.ts';
import { titleHolds } from '#blog/search/title-search.ts';
import { Button } from '#components/controls/Button.tsx';
import { type Draft, draftsOf, type Queued } from '../post-form/draft/draft-store.ts';
import { followDrafts, openDrafts } from '../post-form/draft/draft-tabs.ts';
import { savedAtText } from '../post-form/draft/saved-at-text.ts';
import { $queue, QUEUED, takeOutOfLine } from '../queue/in-line.ts';
import { TextLink } from '../TextLink.tsx';

const FIRST_WORDS = /^.{80}(?=.)/su;

interface LocalDraft extends Draft {
  readonly isOpen: boolean;
}

interface LocalDraftsProps {
  readonly userId: string;
  readonly search: string;
  /** True to list only drafts that are queued for sending. */
  readonly onlyQueued: boolean;
  readonly onDone: (message: string) => void;
}

export function LocalDrafts({ userId, search, onlyQueued, onDone }: LocalDraftsProps) {
  const all = useLocalDrafts(userId);
  const { sending } = useStore($queue);
  const drafts = all.filter(({ title, queued }) => titleHolds(title, search) && (queued || !onlyQueued));
  if (drafts.length === 0) return null;
  return (
    <section aria-labelledby="local-drafts" className="mt-8">
      <h2 id="local-drafts" className="text-lg">
        {allPostsText.onDevice}
      </h2>
      <ul className="mt-3 list-none border-t border-hairline p-0">
        {drafts.map((draft) => {
          const { copy, post, savedAt, isOpen, queued } = draft;
          const name = nameOf(draft);
          const when = savedAtText(savedAt);
          return (
            <li key={copy} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 border-b border-hairline py-3">
              <div className="min-w-0 flex-1 basis-60">
                <p dir="auto" className="font-medium wrap-anywhere">
                  {name}
                </p>
                {queued && (
                  <p className={queued.state === 'waiting' ? 'text-sm' : 'text-sm text-danger'}>
                    <QueuedDraftState {...{ draft, queued }} />
                  </p>
                )}
                <p className="text-sm text-soft">
                  {post ? allPostsText.keptChanges({ when }) : allPostsText.keptNew({ when })}
                </p>
              </div>
              {queued && (!isOpen || sending === copy) ? (
                <QueuedDraftActions
                  {...{ draft, queued, name }}
                  onCancelled={() => onDone(queueText.cancelled({ title: name }))}
                />
              ) : isOpen ? (
                <p className="text-sm text-soft">{allPostsText.keptOpen}</p>
              ) : (
                <TextLink
                  href={post ? editPostPath(post) : ADD_POST}
                  aria-label={allPostsText.goOnWith({ title: name })}
                >
                  {allPostsText.goOn}
                </TextLink>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface QueuedDraftProps {
  readonly draft: Draft;
  readonly queued: Queued;
  readonly name: string;
}

function QueuedDraftState({ draft, queued: { state, reason } }: Omit<QueuedDraftProps, 'name'>) {
  const { sending } = useStore($queue);
  if (sending === draft.copy) return queueText.sending;
  if (state === 'waiting') return queueText.waiting;
  if (state === 'conflict') return queueText.conflict;
  if (reason === errorText.slugTaken) return queueText.taken;
  return reason === queueText.gone ? reason : queueText.refused({ reason: reason ?? errorText.submitFailed });
}

/** Returns the path of the post form, with a fragment that makes it open this draft without asking. */
const formOf = ({ post, copy }: Draft) => `${post ? editPostPath(post) : ADD_POST}#draft=${copy}`;

function QueuedDraftActions(props: QueuedDraftProps & { onCancelled: () => void }) {
  const { draft, queued, name, onCancelled } = props;
  const { isSignedOut, sending } = useStore($queue);
  if (sending === draft.copy) return null;
  if (queued.state !== 'waiting') {
    const isTaken = queued.reason === errorText.slugTaken;
    const [label, text] =
      queued.state === 'conflict'
        ? [queueText.compareOf({ title: name }), queueText.compare]
        : isTaken
          ? [queueText.openTakenOf({ title: name }), queueText.openTaken]
          : [queueText.openOf({ title: name }), queueText.open];
    return (
      <TextLink href={formOf(draft)} aria-label={label}>
        {text}
      </TextLink>
    );
  }
  const cancel = async () => {
    if (await takeOutOfLine(draft)) onCancelled();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {isSignedOut ? (
        <TextLink href={LOGIN}>{queueText.signIn}</TextLink>
      ) : (
        <Button
          tone="quiet"
          aria-label={queueText.sendNowOf({ title: name })}
          onClick={() => void dispatchEvent(new Event(QUEUED))}
        >
          {queueText.sendNow}
        </Button>
      )}
      <Button tone="quiet" aria-label={queueText.cancelOf({ title: name })} onClick={cancel}>
        {queueText.cancel}
      </Button>
    </div>
  );
}

function nameOf({ title, content }: Pick<Draft, 'title' | 'content'>): string {
  if (title.trim()) return title.trim();
  const words = new DOMParser().parseFromString(content, 'text/html').body.textContent.trim();
  const [start] = FIRST_WORDS.exec(words) ?? [];
  return start ? `${start.trimEnd()}…` : words || allPostsText.untitled;
}

function useLocalDrafts(userId: string): readonly LocalDraft[] {
  const [drafts, setDrafts] = useState<readonly LocalDraft[]>([]);
  useEffect(() => {
    const listening = new AbortController();
    const look = async () => {
      const [found, open] = await Promise.all([draftsOf(userId), openDrafts()]);
      if (!listening.signal.aborted) setDrafts(found.map((draft) => ({ ...draft, isOpen: open.has(draft.copy) })));
    };
    const now = () =>
      void look().catch((error: unknown) => console.error('The drafts on this device could not be listed:', error));
    now();
    const unfollow = followDrafts(now);
    for (const type of ['visibilitychange', 'pageshow']) addEventListener(type, now, listening);
    return () => {
      listening.abort();
      unfollow();
    };
  }, [userId]);
  return drafts;
}
