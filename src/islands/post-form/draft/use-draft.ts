import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useWindowEvent } from '../../use-window-event.ts';
import { localFile } from '../editor/pictures/local-files.ts';
import { whenIdle } from '../when-idle.ts';
import {
  type Draft,
  type DraftFields,
  databaseCreations,
  deleteDraft,
  FEATURED,
  newDraftName,
  pruneDrafts,
  storeLeft,
  type WriteResult,
  within,
  writeDraft,
  writePictures,
} from './draft-store.ts';
import { joinTabs, lockDraft, noteDraft } from './draft-tabs.ts';
import type { FoundDrafts } from './find-drafts.ts';

/** Milliseconds from the first unsaved change until the draft is written, at the next idle moment. */
const DELAY_MS = 400;

/** Milliseconds to wait for the deletion of a draft that was saved as a post or discarded. */
const END_MS = 1000;

export type SaveResult = WriteResult | 'without-picture';

export interface Saved {
  /** Unix time in milliseconds of the last write, updated at most once a minute; undefined before the first. */
  readonly at: number | undefined;
  readonly result: SaveResult;
}

export interface FormState extends DraftFields {
  readonly picture: File | undefined;
  readonly basedOn: string | undefined;
}

export type DraftKeeper = ReturnType<typeof useDraft>;

/** Saves the form as a draft of one post, continuing `own` if given. `collect` returns the state of the form. */
export function useDraft(userId: string, post: string, own: FoundDrafts['own'], collect: () => FormState) {
  const location = useMemo(() => ({ userId, post }), [userId, post]);
  const [saved, setSaved] = useState<Saved | undefined>(own && { at: own.draft.savedAt, result: 'kept' });
  /** Incremented when another tab changes a draft, and when this tab sets one aside. */
  const [changes, countChange] = useReducer((count: number) => count + 1, 0);
  const [copy, setCopy] = useState(() => own?.draft.copy ?? newDraftName());
  const tabs = useRef<ReturnType<typeof joinTabs>>(undefined);
  const state = useRef({
    ...{ collect, copy, timer: 0, pending: false, unsaved: Boolean(own), isStored: true },
    told: saved,
    turn: 0,
    keepPictures: pictureKeeper(own?.stored),
  });
  state.current.collect = collect;

  const current = useCallback(() => {
    const { picture, ...words } = state.current.collect();
    const { copy } = state.current;
    return { picture, draft: { ...words, ...location, copy, savedAt: Date.now(), picture: Boolean(picture) } };
  }, [location]);

  /** Writes the draft if it is out of date. Returns the result of the last write of the text and the pictures. */
  const save = useCallback(async (): Promise<SaveResult> => {
    const now = state.current;
    clearTimeout(now.timer);
    if (!now.pending) return now.told?.result ?? 'kept';
    now.pending = false;
    now.turn += 1;
    const { turn, keepPictures } = now;
    const { picture, draft } = current();
    const made = databaseCreations();
    noteDraft(now.copy);
    const result = await writeDraft(draft);
    if (turn === now.turn) now.isStored = result === 'kept' && !now.pending;
    if (databaseCreations() !== made) {
      // The database was recreated, perhaps after being deleted, so the pictures must be written again.
      Object.assign(now, { pending: true, keepPictures: pictureKeeper() });
      return save();
    }
    const isWhole = result !== 'kept' || (await keepPictures(draft, picture));
    const shown: SaveResult = isWhole ? result : 'without-picture';
    // Keeps the displayed state if a later save or `done` has a newer result.
    if (turn !== now.turn) return shown;
    // Renders a new time at most once a minute, because rendering the form delays typing in a long text.
    const next = { at: hasWords(shown) ? draft.savedAt : now.told?.at, result: shown };
    if (now.told?.result !== shown || minute(now.told.at) !== minute(next.at)) {
      now.told = next;
      setSaved(next);
    }
    tabs.current?.notify();
    return shown;
  }, [current]);

  const touched = useCallback(() => {
    Object.assign(state.current, { unsaved: true, isStored: false });
    if (state.current.pending) return;
    state.current.pending = true;
    state.current.timer = window.setTimeout(() => whenIdle(save), DELAY_MS);
  }, [save]);

  /** Saves unsent text as a separate draft and starts a new one. Returns false if this device cannot store the text. */
  const setAside = useCallback(async () => {
    if (!state.current.unsaved) return true;
    // Writes again: the last write may still be running, or may have failed for a reason that no longer applies.
    state.current.pending = true;
    if (!hasWords(await save())) return false;
    const next = newDraftName();
    Object.assign(state.current, { copy: next, keepPictures: pictureKeeper() });
    setCopy(next);
    return true;
  }, [save]);

  const done = useCallback(async () => {
    const now = state.current;
    clearTimeout(now.timer);
    now.turn += 1;
    Object.assign(now, {
      pending: false,
      unsaved: false,
      isStored: true,
      told: undefined,
      keepPictures: pictureKeeper(),
    });
    setSaved(undefined);
    await within(END_MS, deleteDraft({ ...location, copy: now.copy })).catch(() => {});
    tabs.current?.notify();
  }, [location]);

  useEffect(() => {
    void pruneDrafts(Date.now());
    tabs.current = joinTabs(location, countChange);
    return tabs.current.leave;
  }, [location]);

  useEffect(() => {
    let leave = lockDraft(copy);
    own?.release();
    // Unlocks the draft when the page enters the back/forward cache, so that the form offers it on the next visit.
    const hide = () => void leave();
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leave = lockDraft(copy);
      countChange();
      // Writes the draft again, because another page may have sent or deleted it in the meantime.
      state.current.pending = state.current.unsaved;
      void save();
    };
    const listening = new AbortController();
    window.addEventListener('pagehide', hide, listening);
    window.addEventListener('pageshow', back, listening);
    return () => {
      listening.abort();
      void leave().then(countChange);
    };
  }, [copy, save, own]);

  const saveLeft = () => {
    if (!state.current.isStored) storeLeft(current().draft);
    void save();
  };
  useWindowEvent('beforeunload', (event) => {
    saveLeft();
    if (state.current.unsaved) event.preventDefault();
  });
  useWindowEvent('pagehide', saveLeft);
  // Saves when the page is hidden, because phones may then kill it without another event.
  useWindowEvent('visibilitychange', () => document.hidden && saveLeft());

  const isOwn = useCallback((other: string) => other === copy, [copy]);
  return { location, isOwn, saved, changes, touched, save, setAside, done };
}

/** Pictures of drafts with a refused picture. They are not retried, because each attempt may take the full timeout. */
const unanswered = new WeakSet<File>();

/** Returns a function that writes a draft's pictures, one call at a time, and resolves to true if all are stored. */
function pictureKeeper(given?: ReadonlyMap<string, File>) {
  const stored = new Map(given);
  let last: Promise<unknown> = Promise.resolve();
  const keep = async (draft: Draft, wanted: ReadonlyMap<string, File>): Promise<boolean> => {
    for (const [address, file] of wanted) {
      if (stored.get(address) === file || unanswered.has(file)) continue;
      const result = await writePictures(draft, [[address, file]], []);
      if (result === 'kept') stored.set(address, file);
      if (result === 'refused') for (const other of wanted.values()) unanswered.add(other);
    }
    const gone = [...stored.keys()].filter((address) => stored.get(address) !== wanted.get(address));
    if (gone.length > 0) await writePictures(draft, [], gone);
    for (const address of gone) stored.delete(address);
    return [...wanted.keys()].every((address) => stored.has(address));
  };
  return (draft: Draft, featured: File | undefined): Promise<boolean> => {
    const wanted = new Map(featured && [[FEATURED, featured]]);
    for (const [address] of draft.content.matchAll(/blob:[^"]+/g)) {
      const file = localFile(address);
      if (file) wanted.set(address, file);
    }
    const kept = last.then(() => keep(draft, wanted));
    last = kept;
    return kept;
  };
}

/** Returns true if the text is on this device, with or without its pictures. */
export const hasWords = (result: SaveResult): boolean => result === 'kept' || result === 'without-picture';

const minute = (at: number | undefined) => at && Math.floor(at / 60_000);
