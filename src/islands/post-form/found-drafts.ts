/** The copies that a form may offer: those left behind by tabs that are gone, and those that another open tab writes. */

import { useEffect, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { type Draft, draftsAt, dropDraft } from './draft.ts';
import { openCopies } from './draft-tabs.ts';
import type { DraftKeeper } from './use-draft.ts';

export interface FoundDraft {
  readonly draft: Draft;
  /** An open tab is writing it. */
  readonly isOpen: boolean;
}

/** Newest first. A new post that another tab is writing is that tab's own affair. */
export function useFoundDrafts({ place, isOwn, news }: DraftKeeper, post: Post | undefined): readonly FoundDraft[] {
  const [found, setFound] = useState<readonly FoundDraft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news of another tab is the reason to look again.
  useEffect(() => {
    let ended = false;
    const look = async () => {
      if (hasFormer()) await (await import('./draft-takeover.ts')).takeOverFormer();
      const [drafts, open] = await Promise.all([draftsAt(place), openCopies()]);
      if (ended) return;
      const others = drafts.filter(({ copy }) => !isOwn(copy));
      const tellApart = others.map((draft) => ({ draft, isOpen: open.has(draft.copy) }));
      setFound(tellApart.filter(({ draft, isOpen }) => (post ? differs(draft, post) : !isOpen)));
      // The backend has these words: what is left of an update whose answer never came.
      for (const { draft, isOpen } of tellApart) if (post && !isOpen && !differs(draft, post)) void dropDraft(draft);
    };
    look().catch((error: unknown) => console.error('The copies on this device could not be looked through:', error));
    return () => {
      ended = true;
    };
  }, [place, isOwn, news, post]);
  return found;
}

const differs = (draft: Draft, post: Post) =>
  draft.picture || draft.title !== post.title || draft.content !== post.content || draft.status !== post.status;

/** Whether an earlier version of the site kept copies here. */
function hasFormer(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith('common-ink:draft:'));
  } catch {
    return false;
  }
}
