/** Keeps the copy on this device in step with the form, and asks before unsaved words are left behind. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, dropDraft, keepDraft, occupy } from './draft.ts';

/** From the first change that the copy lacks until it is written, however fast the typing goes on. */
const DELAY_MS = 600;

export interface DraftKeeper {
  /** When the copy was written; undefined as long as there is none, null when this device cannot keep one. */
  readonly savedAt: number | null | undefined;
  /** Something was typed. */
  readonly touched: () => void;
  /** The backend has the words: the copy goes, and leaving asks no more. */
  readonly done: () => void;
}

/** `collect` gives the form as it is now. */
export function useDraft(key: string, collect: () => Omit<Draft, 'savedAt'>): DraftKeeper {
  const [savedAt, setSavedAt] = useState<number | null>();
  const state = useRef({ collect, timer: 0, pending: false, unsaved: false });
  state.current.collect = collect;

  const save = useCallback(() => {
    clearTimeout(state.current.timer);
    if (!state.current.pending) return;
    state.current.pending = false;
    const now = Date.now();
    setSavedAt(keepDraft(key, { ...state.current.collect(), savedAt: now }) ? now : null);
  }, [key]);

  const touched = useCallback(() => {
    state.current.unsaved = true;
    if (state.current.pending) return;
    state.current.pending = true;
    state.current.timer = window.setTimeout(save, DELAY_MS);
  }, [save]);

  const done = useCallback(() => {
    clearTimeout(state.current.timer);
    Object.assign(state.current, { pending: false, unsaved: false });
    dropDraft(key);
  }, [key]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      save();
      if (state.current.unsaved) event.preventDefault();
    };
    // The last moment that a phone gives.
    const hide = () => document.visibilityState === 'hidden' && save();
    window.addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', hide);
    const release = occupy(key);
    return () => {
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', hide);
      release();
    };
  }, [key, save]);

  return { savedAt, touched, done };
}
