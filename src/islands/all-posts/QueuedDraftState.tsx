import { useStore } from '@nanostores/react';
import { queueText } from '#blog/messages/queue.ts';
import { errorText } from '#blog/messages.ts';
import { ADD_POST, editPostPath, LOGIN } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import type { Draft, Queued } from '../post-form/draft/draft-store.ts';
import { takeOutOfLine } from '../queue/in-line.ts';
import { $queue, QUEUED } from '../queue/queue-state.ts';

interface QueuedDraftProps {
  readonly draft: Draft & { readonly isOpen: boolean };
  readonly queued: Queued;
  readonly name: string;
}

export function QueuedDraftState({ draft, queued: { state, reason } }: Omit<QueuedDraftProps, 'name'>) {
  const { sending } = useStore($queue);
  if (sending === draft.copy) return queueText.sending;
  if (state === 'waiting') return queueText.waiting;
  if (state === 'conflict') return queueText.conflict;
  if (reason === errorText.slugTaken) return queueText.taken;
  return reason === queueText.gone ? reason : queueText.refused({ reason: reason ?? errorText.submitFailed });
}

/** Returns the path of the form that opens this draft without asking. */
const formOf = ({ post, copy }: Draft) => `${post ? editPostPath(post) : ADD_POST}#draft=${copy}`;

const LINK = 'inline-flex min-h-11 items-center text-base text-accent underline';

export function QueuedDraftActions({
  draft,
  queued,
  name,
  onCancelled,
}: QueuedDraftProps & { onCancelled: () => void }) {
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
      <a href={formOf(draft)} aria-label={label} className={LINK}>
        {text}
      </a>
    );
  }
  const cancel = async () => {
    await takeOutOfLine(draft);
    onCancelled();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {isSignedOut ? (
        <a href={LOGIN} className={LINK}>
          {queueText.signIn}
        </a>
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
