/** Finds drafts on this device before the form is shown and while it is open. */

import { useEffect, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import type { DraftOffer } from './DraftOffer.tsx';
import { type Draft, type DraftLocation, draftsAt } from './draft-store.ts';
import { notifyTabs } from './draft-tabs.ts';
import type { OpenedDraft } from './find-drafts.ts';
import type { DraftKeeper } from './use-draft.ts';

export interface RecoveredDraft {
  readonly draft: Draft;
  /** An open tab is writing it. */
  readonly isOpen: boolean;
}

/** What is known of drafts when the form is shown. */
export interface FormStart {
  /** The words that this page of the tab wrote before it was loaded again; `release` lets other tabs have them. */
  readonly own?: OpenedDraft & { readonly release: () => Promise<void> };
  readonly recovered: readonly RecoveredDraft[];
  /** The component that offers them, if there are any. */
  readonly Offer?: typeof DraftOffer;
}

/** Milliseconds that the form waits for drafts; later ones are offered below the text, where they move nothing. */
const PATIENCE = 1000;

/** What looks at drafts more closely is loaded where there are any. */
const loadFinder = () => importWithRetry(() => import('./find-drafts.ts'));

/** Finds the drafts of a post before its form is shown. */
export async function findDrafts(location: DraftLocation, post: Post | undefined): Promise<FormStart> {
  const looked = allDrafts(location).then(async (drafts) =>
    drafts.length > 0 ? (await loadFinder()).startWith(drafts, post, notedDraft()) : undefined,
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE));
  const found = await Promise.race([looked, late]).catch(report);
  // The look at the form's beginning took the claimed draft for that of an open tab.
  if (!found)
    looked
      .then((start) => start?.own?.release())
      .then(() => notifyTabs(location))
      .catch(() => {});
  return found ?? { recovered: [] };
}

/** The draft that this page of the tab wrote last: a reload keeps the state of the history, and no other visit has it. */
const notedDraft = (): unknown => history.state?.draft;

/** Notes that this page writes the draft `copy`. */
export function noteDraft(copy: string): void {
  // Browsers limit how often the state may change.
  if (notedDraft() !== copy) history.replaceState({ ...history.state, draft: copy }, '');
}

/** The drafts that the form may offer: `initial` ones, then those that are there now. */
export function useRecoveredDrafts(
  { location, isOwn, changes }: DraftKeeper,
  post: Post | undefined,
  initial: readonly RecoveredDraft[],
): readonly RecoveredDraft[] {
  const [found, setFound] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news of another tab is the reason to look again.
  useEffect(() => {
    let ended = false;
    const look = async (): Promise<readonly RecoveredDraft[]> => {
      const others = (await allDrafts(location)).filter(({ copy }) => !isOwn(copy));
      if (others.length === 0) return [];
      const finder = await loadFinder().catch(report);
      // Without a look at other tabs each may be open in one: it is offered, and never dropped.
      return finder ? finder.recoverable(others, post) : others.map((draft) => ({ draft, isOpen: true }));
    };
    look().then((now) => !ended && setFound(now), report);
    return () => {
      ended = true;
    };
  }, [location, isOwn, changes, post]);
  return found;
}

async function allDrafts(location: DraftLocation): Promise<readonly Draft[]> {
  if (hasFormer()) await (await import('./import-former-drafts.ts')).importFormerDrafts();
  return draftsAt(location);
}

function report(error: unknown): undefined {
  console.error('The copies on this device could not be looked through:', error);
}

/** True if an earlier version of the site left drafts in localStorage. */
function hasFormer(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith('common-ink:draft:'));
  } catch {
    return false;
  }
}
