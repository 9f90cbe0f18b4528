/** Keeps the copy on this device in step with the form, and asks before unsaved words are left behind. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Draft,
  dropDraft,
  type Keeping,
  keepDraft,
  keepInText,
  newCopy,
  type Place,
  pruneDrafts,
  storageMade,
  type Words,
} from './draft.ts';
import { meetTabs, occupy, type Tabs } from './draft-tabs.ts';
import { localFile } from './editor/local-pictures.ts';
import { whenIdle } from './when-idle.ts';

/** From the first change that the copy lacks until it is written, however fast the typing goes on: at the next idle moment. */
const DELAY_MS = 400;

export interface Saved {
  /** When the copy was written last, to the minute; undefined as long as there is none. */
  readonly at: number | undefined;
  /** How the last attempt ended. */
  readonly keeping: Keeping;
}

export interface FormState extends Words {
  /** The featured image chosen anew. */
  readonly picture: File | undefined;
  /** `$updatedAt` of the version that is being changed. */
  readonly basedOn: string | undefined;
}

export interface DraftKeeper {
  /** Where the copy lies, and its name there. */
  readonly place: Place;
  readonly isOwn: (copy: string) => boolean;
  readonly saved: Saved | undefined;
  /** Grows when another tab wrote or dropped a copy of this post, and when this one set its own aside. */
  readonly news: number;
  /** Something was typed or chosen. */
  readonly touched: () => void;
  /** Writes what is not written yet. Gives false when this device did not take it. */
  readonly save: () => Promise<boolean>;
  /** Other words are about to take the place of the form's: unsaved ones become a copy by themselves. */
  readonly setAside: () => Promise<void>;
  /** The backend has the words: the copy goes, and leaving asks no more. */
  readonly done: () => Promise<void>;
}

/** `collect` gives the form as it is now. */
export function useDraft(userId: string, post: string, collect: () => FormState): DraftKeeper {
  const place = useMemo(() => ({ userId, post }), [userId, post]);
  const [saved, setSaved] = useState<Saved>();
  const [news, setNews] = useState(0);
  const [copy, setCopy] = useState(newCopy);
  const tabs = useRef<Tabs>(undefined);
  const state = useRef({
    ...{ collect, copy, timer: 0, pending: false, unsaved: false, written: true, picture: NONE },
    told: undefined as Saved | undefined,
    inText: new Set<string>(),
  });
  state.current.collect = collect;

  const save = useCallback(async (): Promise<boolean> => {
    const now = state.current;
    clearTimeout(now.timer);
    if (!now.pending) return now.written;
    now.pending = false;
    const { picture, ...words } = now.collect();
    const isNew = picture !== now.picture.tried;
    if (isNew) now.picture = { tried: picture, kept: true };
    const { picture: sent, inText: kept } = now;
    const at = Date.now();
    const made = storageMade();
    const draft = { ...words, ...place, copy: now.copy, savedAt: at, picture: Boolean(picture) && sent.kept };
    const keeping = await keepDraft(draft, isNew ? (picture ?? null) : undefined);
    if (storageMade() !== made) {
      // It was deleted under the form, with the pictures that had been handed over.
      Object.assign(now, { pending: true, ...nothingKept() });
      return save();
    }
    if (keeping === 'without-picture') sent.kept = false;
    now.written = keeping === 'kept' || keeping === 'without-picture';
    const inText = await keepTextPictures(draft, kept);
    const shown = now.written && ((picture && !sent.kept) || !inText) ? 'without-picture' : keeping;
    // Told once a minute, not with each copy: drawing anything beside a long text costs as much as a letter of it.
    const next = { at: now.written ? at : now.told?.at, keeping: shown };
    if (now.told?.keeping !== shown || minute(now.told.at) !== minute(next.at)) {
      now.told = next;
      setSaved(next);
    }
    tabs.current?.tell();
    return now.written;
  }, [place]);

  const touched = useCallback(() => {
    state.current.unsaved = true;
    if (state.current.pending) return;
    state.current.pending = true;
    state.current.timer = window.setTimeout(() => whenIdle(save), DELAY_MS);
  }, [save]);

  const setAside = useCallback(async () => {
    if (!state.current.unsaved) return;
    await save();
    const next = newCopy();
    Object.assign(state.current, { copy: next, ...nothingKept() });
    setCopy(next);
  }, [save]);

  const done = useCallback(async () => {
    clearTimeout(state.current.timer);
    Object.assign(state.current, { pending: false, unsaved: false, ...nothingKept() });
    await dropDraft({ ...place, copy: state.current.copy });
    tabs.current?.tell();
  }, [place]);

  useEffect(() => {
    void pruneDrafts(Date.now());
    const met = meetTabs(place, () => setNews((count) => count + 1));
    tabs.current = met;
    return met.leave;
  }, [place]);

  useEffect(() => {
    let leave = occupy(copy);
    const look = () => setNews((count) => count + 1);
    // A page that the browser keeps for Back writes no more: its words are offered on the next visit.
    const hide = () => void leave();
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leave = occupy(copy);
      look();
      // They may have been sent or discarded there; here they are on the screen.
      state.current.pending = state.current.unsaved;
      void save();
    };
    window.addEventListener('pagehide', hide);
    window.addEventListener('pageshow', back);
    return () => {
      window.removeEventListener('pagehide', hide);
      window.removeEventListener('pageshow', back);
      // A copy that was set aside is offered from then on.
      void leave().then(look);
    };
  }, [copy, save]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      void save();
      if (state.current.unsaved) event.preventDefault();
    };
    // The last moments that a browser, or a phone, gives.
    const hide = () => void save();
    const turn = () => document.visibilityState === 'hidden' && hide();
    window.addEventListener('beforeunload', ask);
    window.addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', turn);
    return () => {
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [save]);

  const isOwn = useCallback((other: string) => other === copy, [copy]);
  return { place, isOwn, saved, news, touched, save, setAside, done };
}

/**
 * Brings the pictures kept beside a copy in step with its text: `kept` are the addresses of those that were handed over.
 * False as long as there is one without room.
 */
async function keepTextPictures(draft: Draft, kept: Set<string>): Promise<boolean> {
  const there = new Map<string, File>();
  for (const [address] of draft.content.matchAll(/blob:[^"]+/g)) {
    const file = localFile(address);
    if (file) there.set(address, file);
  }
  const added = [...there].filter(([address]) => !kept.has(address));
  const gone = [...kept].filter((address) => !there.has(address));
  if (added.length + gone.length === 0) return true;
  const isKept = await keepInText(draft, added, gone);
  if (isKept) for (const [address] of added) kept.add(address);
  for (const address of gone) kept.delete(address);
  return isKept;
}

/** The picture that was last handed to the device, and whether it took it. */
const NONE: { readonly tried: File | undefined; kept: boolean } = { tried: undefined, kept: true };

const nothingKept = () => ({ picture: NONE, inText: new Set<string>() });

const minute = (at: number | undefined) => at && Math.floor(at / 60_000);
