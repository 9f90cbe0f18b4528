import { useEffect, useState } from 'react';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { draftsOf } from '../post-form/draft/draft-store.ts';

const QueueNotice = lazyPart(() => import('./QueueNotice.tsx'), 'QueueNotice');

/** Sends the user's queued drafts (decision 034). Loads the code that sends them only if there are any. */
export function Queue({ userId }: { userId: string }) {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const look = async () => {
      if ((await draftsOf(userId)).some(({ queued }) => queued)) setNeeded(true);
    };
    void look();
    const listening = new AbortController();
    for (const type of ['online', 'visibilitychange', 'common-ink:queued']) addEventListener(type, look, listening);
    return () => listening.abort();
  }, [userId]);
  return isNeeded && <QueueNotice userId={userId} onFault={() => setNeeded(false)} />;
}
