/** Keeps the draft on this device in step with the form, and asks before unsaved words are left. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { localFile } from '../editor/pictures/local-files.ts';
import { whenIdle } from '../when-idle.ts';
import {
  type Draft,
  type DraftFields,
  type DraftLocation,
  databaseCreations,
  deleteDraft,
  newDraftName,
  pruneDrafts,
  type SaveResult,
  writeDraft,
  writePictures,
} from './draft-store.ts';
import { joinTabs, lockDraft, type Tabs } from './draft-tabs.ts';
import { type FormStart, noteDraft } from './recovered-drafts.ts';

/** Milliseconds from the first unsaved change until the draft is written, at the next idle moment. */
const DELAY_MS = 400;

export interface Saved {
  /** Time of the last write to the minute; undefined before the first. */
  readonly at: number | undefined;
  /** Result of the last write. */
  readonly result: SaveResult;
}

export interface FormState extends DraftFields {
  /** The newly chosen featured image. */
  readonly picture: File | undefined;
  /** `$updatedAt` of the version that is being edited. */
  readonly basedOn: string | undefined;
}

export interface DraftKeeper {
  /** User and post of the draft. */
  readonly location: DraftLocation;
  readonly isOwn: (copy: string) => boolean;
  readonly saved: Saved | undefined;
  /** Counts changes of this post's drafts by other tabs, and drafts that this tab set aside. */
  readonly changes: number;
  /** Notes that something was typed or chosen. */
  readonly touched: () => void;
  /** Writes the draft if it is not up to date. Gives the result of the last write, with all its pictures. */
  readonly save: () => Promise<SaveResult>;
  /**
   * Leaves unsaved words behind as a draft of their own, before other words replace those in the form. Gives false when
   * this device refused them.
   */
  readonly setAside: () => Promise<boolean>;
  /** Drops the draft and stops asking before the page is left: the backend has the words, or nobody wants them. */
  readonly done: () => Promise<void>;
}

/** Keeps the draft of one post, going on with `own`. `collect` gives the state of the form. */
export function useDraft(userId: string, post: string, own: FormStart['own'], collect: () => FormState): DraftKeeper {
  const location = useMemo(() => ({ userId, post }), [userId, post]);
  const [saved, setSaved] = useState<Saved | undefined>(own && { at: own.draft.savedAt, result: 'kept' });
  const [changes, setNews] = useState(0);
  const [copy, setCopy] = useState(() => own?.draft.copy ?? newDraftName());
  const tabs = useRef<Tabs>(undefined);
  const state = useRef({
    ...{ collect, copy, timer: 0, pending: false, unsaved: Boolean(own) },
    picture: own ? { tried: own.picture, kept: true } : NONE,
    told: saved,
    inText: new Set(own?.stored),
  });
  state.current.collect = collect;

  const save = useCallback(async (): Promise<SaveResult> => {
    const now = state.current;
    clearTimeout(now.timer);
    if (!now.pending) return now.told?.result ?? 'kept';
    now.pending = false;
    const { picture, ...words } = now.collect();
    const isNew = picture !== now.picture.tried;
    if (isNew) now.picture = { tried: picture, kept: true };
    const { picture: sent, inText: kept } = now;
    const at = Date.now();
    const made = databaseCreations();
    noteDraft(now.copy);
    const draft = { ...words, ...location, copy: now.copy, savedAt: at, picture: Boolean(picture) && sent.kept };
    const result = await writeDraft(draft, isNew ? (picture ?? null) : undefined);
    if (databaseCreations() !== made) {
      // The database was deleted under the form: pictures have to be written again.
      Object.assign(now, { pending: true, ...noPictures() });
      return save();
    }
    if (result === 'without-picture') sent.kept = false;
    // A picture that came with refused words is written with the next ones.
    if (isNew && !hasWords(result)) now.picture = NONE;
    const inText = await keepTextPictures(draft, kept);
    const shown = hasWords(result) && ((picture && !sent.kept) || !inText) ? 'without-picture' : result;
    // The time is updated once a minute: rendering anything beside a long text costs as much as a letter.
    const next = { at: hasWords(shown) ? at : now.told?.at, result: shown };
    if (now.told?.result !== shown || minute(now.told.at) !== minute(next.at)) {
      now.told = next;
      setSaved(next);
    }
    tabs.current?.notify();
    return shown;
  }, [location]);

  const touched = useCallback(() => {
    state.current.unsaved = true;
    if (state.current.pending) return;
    state.current.pending = true;
    state.current.timer = window.setTimeout(() => whenIdle(save), DELAY_MS);
  }, [save]);

  const setAside = useCallback(async () => {
    if (!state.current.unsaved) return true;
    // The last write may be under way still, or have failed for a reason that is gone.
    state.current.pending = true;
    if (!hasWords(await save())) return false;
    const next = newDraftName();
    Object.assign(state.current, { copy: next, ...noPictures() });
    setCopy(next);
    return true;
  }, [save]);

  const done = useCallback(async () => {
    clearTimeout(state.current.timer);
    Object.assign(state.current, { pending: false, unsaved: false, told: undefined, ...noPictures() });
    setSaved(undefined);
    await deleteDraft({ ...location, copy: state.current.copy });
    tabs.current?.notify();
  }, [location]);

  useEffect(() => {
    void pruneDrafts(Date.now());
    const met = joinTabs(location, () => setNews((count) => count + 1));
    tabs.current = met;
    return met.leave;
  }, [location]);

  useEffect(() => {
    let leave = lockDraft(copy);
    own?.release();
    const look = () => setNews((count) => count + 1);
    // A page in the back/forward cache writes nothing: its draft is offered on the next visit.
    const hide = () => void leave();
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leave = lockDraft(copy);
      look();
      // The draft may have been sent or dropped meanwhile, but the words are still in this form.
      state.current.pending = state.current.unsaved;
      void save();
    };
    window.addEventListener('pagehide', hide);
    window.addEventListener('pageshow', back);
    return () => {
      window.removeEventListener('pagehide', hide);
      window.removeEventListener('pageshow', back);
      // A draft that was set aside is offered from then on.
      void leave().then(look);
    };
  }, [copy, save, own]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      void save();
      if (state.current.unsaved) event.preventDefault();
    };
    // Phones give a page no later moment than these events.
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
  return { location, isOwn, saved, changes, touched, save, setAside, done };
}

/**
 * Updates the pictures stored with a draft to those in its text. `kept` holds the addresses of stored ones. Gives false
 * while one has no room.
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
  const isKept = await writePictures(draft, added, gone);
  if (isKept) for (const [address] of added) kept.add(address);
  for (const address of gone) kept.delete(address);
  return isKept;
}

/** True if the words are on this device, with or without their pictures. */
export const hasWords = (result: SaveResult): boolean => result === 'kept' || result === 'without-picture';

/** The picture that was written last, and whether it was stored. */
const NONE: { readonly tried: File | undefined; kept: boolean } = { tried: undefined, kept: true };

const noPictures = () => ({ picture: NONE, inText: new Set<string>() });

const minute = (at: number | undefined) => at && Math.floor(at / 60_000);
