import { useEffect, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import type { DraftOffer } from './DraftOffer.tsx';
import { type DraftFields, type DraftLocation, draftsAt } from './draft-store.ts';
import { notedDraft, notifyTabs } from './draft-tabs.ts';
import type { FoundDrafts, RecoveredDraft } from './find-drafts.ts';
import type { DraftKeeper } from './use-draft.ts';

export interface FormStart extends FoundDrafts {
  readonly Offer?: typeof DraftOffer;
  /** Initial values of a new post's form, used only if no draft fills it. */
  readonly suggested?: DraftFields | undefined;
}

/** Milliseconds to wait for drafts before showing the form. Drafts found later are offered below the text. */
const PATIENCE_MS = 1000;

/** Milliseconds to wait for a draft that the author chose in the list or took out of the queue to continue writing. */
const ASKED_MS = 10_000;

const loadFinder = () => importWithRetry(() => import('./find-drafts.ts'));

export async function findDrafts(
  location: DraftLocation,
  post: Post | undefined,
  isAsked: boolean,
): Promise<FormStart> {
  const patience = isAsked ? ASKED_MS : PATIENCE_MS;
  const look = async (): Promise<FormStart> => {
    const drafts = await draftsAt(location);
    if (drafts.length === 0) return { recovered: [] };
    const found = await (await loadFinder()).startWith(drafts, post, notedDraft(), patience / 3);
    if (found.recovered.length === 0) return found;
    return { ...found, Offer: (await import('./DraftOffer.tsx')).DraftOffer };
  };
  const looked = look();
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience));
  const found = await Promise.race([looked, late]).catch(report);
  // Unlocks this page's own draft if it was found too late, so that it does not seem open in another tab.
  if (!found)
    looked
      .then(({ own }) => own?.release())
      .then(() => notifyTabs(location))
      .catch(() => {});
  return found ?? { recovered: [] };
}

/** Returns the drafts that the form may offer to restore. Starts with `initial` and updates when drafts change. */
export function useRecoveredDrafts(
  { location, isOwn, changes }: DraftKeeper,
  post: Post | undefined,
  initial: readonly RecoveredDraft[],
): readonly RecoveredDraft[] {
  const [found, setFound] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` counts changes to the drafts.
  useEffect(() => {
    let ended = false;
    const look = async (): Promise<readonly RecoveredDraft[]> => {
      const others = (await draftsAt(location)).filter(({ copy }) => !isOwn(copy));
      if (others.length === 0) return [];
      const finder = await loadFinder().catch(report);
      // If the code that checks for open tabs does not load, all drafts count as open, so none is deleted.
      return finder ? finder.recoverable(others, post) : others.map((draft) => ({ draft, isOpen: true }));
    };
    look().then((now) => !ended && setFound(now), report);
    return () => {
      ended = true;
    };
  }, [location, isOwn, changes, post]);
  return found;
}

function report(error: unknown): undefined {
  console.error('The copies on this device could not be searched:', error);
}
