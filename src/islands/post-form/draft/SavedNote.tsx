import { useEffect, useState } from 'react';
import { draftText } from '#blog/messages.ts';
import { timeText } from '../format-time.ts';
import type { Saved } from './use-draft.ts';

export function SavedNote({ saved }: { saved: Saved | undefined }) {
  const isOffline = useOffline();
  if (!saved) return isOffline ? draftText.offline : null;
  const { at, result } = saved;
  if (result === 'full' || result === 'refused') return <strong className="text-danger">{draftText[result]}</strong>;
  const time = timeText(at);
  if (result === 'without-picture') return draftText.withoutPicture({ time });
  return isOffline ? draftText.savedOffline({ time }) : draftText.saved({ time });
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
