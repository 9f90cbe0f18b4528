import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { queueText } from '#blog/messages/queue.ts';
import { ALL_POSTS } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { hasSession } from '#stores/posts/queued-posts.ts';
import { draftsOf } from '../post-form/draft/draft-store.ts';
import { notedDraft } from '../post-form/draft/draft-tabs.ts';
import { FormUnavailable } from '../post-form/FormUnavailable.tsx';
import { $queue, takeOutOfLine } from './in-line.ts';

/** Milliseconds to wait for the draft's lock while the draft is being sent, possibly by another tab. */
const ATTEMPT_MS = 10_000;

/** Replaces the form once its draft is queued. Opens the list of posts if that page is available. */
export function InLine({ userId, onBack }: { userId: string; onBack: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [copy] = useState(notedDraft);
  const { news } = useStore($queue);
  const outcome = useRef(news.find((each) => each.copy === copy));
  outcome.current ??= news.find((each) => each.copy === copy);
  useEffect(() => {
    canOpen(ALL_POSTS, userId).then(
      (can) => can && location.assign(ALL_POSTS),
      () => {},
    );
  }, [userId]);
  const back = async () => {
    setBusy(true);
    const own = (await draftsOf(userId)).find((each) => each.copy === copy);
    if (own && !(await takeOutOfLine(own, AbortSignal.timeout(ATTEMPT_MS)))) return setBusy(false);
    onBack();
  };
  if (outcome.current) {
    // Leaves out links to the post and the list of posts, because `QueueNotice` shows them.
    const { what, title } = outcome.current;
    return <FormUnavailable text={queueText[what]({ title })} />;
  }
  return (
    <div role="status" className="grid min-h-[50vh] place-content-center gap-4 px-4 text-center">
      <h1 className="text-2xl">{queueText.inLine}</h1>
      <p className="max-w-form text-base text-soft">{queueText.inLineHelp}</p>
      <p>
        <Button tone="quiet" busy={isBusy} onClick={back}>
          {queueText.keepWriting}
        </Button>
      </p>
    </div>
  );
}

/** Returns true if the user is signed in, and the page is stored by the service worker or available from the site. */
async function canOpen(path: string, userId: string): Promise<boolean> {
  if (!(await hasSession(userId))) return false;
  if ('caches' in window && (await caches.match(path))) return true;
  return (await fetch(path, { method: 'HEAD' })).ok;
}
