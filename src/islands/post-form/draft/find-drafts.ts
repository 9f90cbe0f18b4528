/**
 * Tells the words that this page wrote before it was loaded again from drafts that the form may offer: those of closed
 * tabs, and those that another open tab is writing.
 */

import { formInput, type Post, sameFormValues } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { localAddress } from '../editor/pictures/local-files.ts';
import { type Draft, deleteDraft, FEATURED, picturesOf } from './draft-store.ts';
import { claimDraft, openDrafts } from './draft-tabs.ts';

export interface OpenedDraft {
  /** Its content has the pictures under addresses of this page, from which they are uploaded. */
  readonly draft: Draft;
  readonly picture: File | undefined;
  /** All its pictures by the addresses under which they are stored. */
  readonly stored: ReadonlyMap<string, File>;
  /** False if the pictures could not be read: the draft has to stay for them. */
  readonly isWhole: boolean;
}

export interface RecoveredDraft {
  readonly draft: Draft;
  /** An open tab is writing it. */
  readonly isOpen: boolean;
}

export interface FoundDrafts {
  /** The draft that this page wrote before it was reloaded; `release` lets other tabs have it. */
  readonly own?: OpenedDraft & { readonly release: () => Promise<void> };
  readonly recovered: readonly RecoveredDraft[];
}

/** Chooses among the drafts of a post; `noted` is the one that this page wrote before it was loaded again. */
export async function startWith(kept: readonly Draft[], post: Post | undefined, noted: unknown): Promise<FoundDrafts> {
  const drafts = kept.map((draft) => completed(draft, post));
  const last = drafts.find(({ copy }) => copy === noted);
  const own = last && (await goesOn(last, post)) ? await claimed(last) : undefined;
  const recovered = await recoverable(own ? drafts.filter((draft) => draft !== last) : drafts, post);
  return { recovered, ...(own && { own }) };
}

/** Opens this page's own draft; undefined if another tab holds it or its pictures cannot be read. */
async function claimed(last: Draft): Promise<FoundDrafts['own']> {
  const release = await claimDraft(last.copy);
  if (!release) return undefined;
  const opened = await openDraft(last);
  if (opened.isWhole) return { ...opened, release };
  void release();
  return undefined;
}

/** False where the writer has to be asked: the post was changed meanwhile, or has arrived. */
async function goesOn(draft: Draft, post: Post | undefined): Promise<boolean> {
  if (post) return draft.basedOn === post.updatedAt && differs(draft, post);
  return !(await isSent(draft).catch(() => false));
}

/** True for a draft of a new post that the backend already has: the page was left before the answer arrived. */
export async function isSent(draft: Draft): Promise<boolean> {
  const there = isSlug(draft.slug) ? await findPost(draft.slug) : undefined;
  if (!there || there.userId !== draft.userId) return false;
  return sameFormValues({ ...draft, title: draft.title.trim(), status: there.status }, there);
}

export async function openDraft(draft: Draft): Promise<OpenedDraft> {
  const found = await picturesOf(draft);
  const stored = found ?? new Map<string, File>();
  let { content } = draft;
  for (const [address, file] of stored)
    if (address !== FEATURED) content = content.replaceAll(address, localAddress(file));
  return { draft: { ...draft, content }, picture: stored.get(FEATURED), stored, isWhole: found !== undefined };
}

/** Those of `drafts` that may be offered. Drafts of a new post that another tab is writing are left out. */
export async function recoverable(kept: readonly Draft[], post: Post | undefined): Promise<readonly RecoveredDraft[]> {
  const drafts = kept.map((draft) => completed(draft, post));
  const open = await openDrafts();
  const tellApart = drafts.map((draft) => ({ draft, isOpen: open.has(draft.copy) }));
  // The backend has these words: the draft is left from an update whose answer was lost.
  for (const { draft, isOpen } of tellApart) if (post && !isOpen && !differs(draft, post)) void deleteDraft(draft);
  return tellApart.filter(({ draft, isOpen }) => (post ? differs(draft, post) : !isOpen));
}

/** A draft that was written before a post had some field says nothing of it: there the post's own holds. */
const completed = (draft: Draft, post: Post | undefined): Draft => ({ ...formInput(post ?? {}), ...draft });

const differs = (draft: Draft, post: Post) => draft.picture || !sameFormValues(draft, post);
