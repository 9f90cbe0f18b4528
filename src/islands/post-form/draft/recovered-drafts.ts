/** Finds drafts that the form may offer: those of closed tabs, and those that another open tab is writing. */

import { useEffect, useState } from 'react';
import { type Post, sameFormValues } from '#blog/post.ts';
import { type Draft, deleteDraft, draftsAt } from './draft-store.ts';
import { openDrafts } from './draft-tabs.ts';
import type { DraftKeeper } from './use-draft.ts';

export interface RecoveredDraft {
  readonly draft: Draft;
  /** An open tab is writing it. */
  readonly isOpen: boolean;
}

/** The drafts of this post, newest first. Drafts of a new post that another tab is writing are left out. */
export function useRecoveredDrafts(
  { location, isOwn, changes }: DraftKeeper,
  post: Post | undefined,
): readonly RecoveredDraft[] {
  const [found, setFound] = useState<readonly RecoveredDraft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news of another tab is the reason to look again.
  useEffect(() => {
    let ended = false;
    const look = async () => {
      if (hasFormer()) await (await import('./import-former-drafts.ts')).importFormerDrafts();
      const [drafts, open] = await Promise.all([draftsAt(location), openDrafts()]);
      if (ended) return;
      const others = drafts.filter(({ copy }) => !isOwn(copy));
      const tellApart = others.map((draft) => ({ draft, isOpen: open.has(draft.copy) }));
      setFound(tellApart.filter(({ draft, isOpen }) => (post ? differs(draft, post) : !isOpen)));
      // The backend has these words: the draft is left from an update whose answer was lost.
      for (const { draft, isOpen } of tellApart) if (post && !isOpen && !differs(draft, post)) void deleteDraft(draft);
    };
    look().catch((error: unknown) => console.error('The copies on this device could not be looked through:', error));
    return () => {
      ended = true;
    };
  }, [location, isOwn, changes, post]);
  return found;
}

const differs = (draft: Draft, post: Post) => draft.picture || !sameFormValues(draft, post);

/** True if an earlier version of the site left drafts in localStorage. */
function hasFormer(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith('common-ink:draft:'));
  } catch {
    return false;
  }
}
