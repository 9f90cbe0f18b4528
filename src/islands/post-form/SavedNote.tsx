/** "Saved on this device" with the time, or why it is not; and that there is no connection. */

import { useEffect, useState } from 'react';
import { draftText } from '#blog/messages.ts';
import { clock } from './moment.ts';
import type { Saved } from './use-draft.ts';

export function SavedNote({ saved }: { saved: Saved | undefined }) {
  const isOffline = useOffline();
  if (!saved) return isOffline ? draftText.offline : null;
  const { at, keeping } = saved;
  if (keeping === 'full' || keeping === 'refused') return <strong className="text-danger">{draftText[keeping]}</strong>;
  const time = clock(at);
  if (keeping === 'without-picture') return draftText.withoutPicture(time);
  return isOffline ? draftText.savedOffline(time) : draftText.saved(time);
}

function useOffline(): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return isOffline;
}
