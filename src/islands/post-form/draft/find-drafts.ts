import { formInput, type Post, sameFormValues } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { localAddress } from '../editor/pictures/local-files.ts';
import { type Draft, deleteDraft, FEATURED, picturesOf } from './draft-store.ts';
import { claimDraft, openDrafts } from './draft-tabs.ts';

export interface OpenedDraft {
  /** The draft with new object URLs for the stored pictures in its content, so that they can be uploaded. */
  readonly draft: Draft;
  readonly picture: File | undefined;
  readonly stored: ReadonlyMap<string, File>;
  /** False if the pictures could not be read, so that the draft must not be deleted. */
  readonly isWhole: boolean;
}

export interface RecoveredDraft {
  readonly draft: Draft;
  readonly isOpen: boolean;
}

export interface FoundDrafts {
  /** The draft that this page wrote before a reload; `release` unlocks it for other tabs. */
  readonly own?: OpenedDraft & { readonly release: () => Promise<void> };
  readonly recovered: readonly RecoveredDraft[];
}

/** Returns the page's own draft and the drafts to offer. `noted` names the one that the page wrote before a reload. */
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

/**
 * Returns true to reopen the draft without asking: it differs from its post, which has not changed since, or it was
 * never saved as a post.
 */
async function goesOn(draft: Draft, post: Post | undefined): Promise<boolean> {
  if (post) return draft.basedOn === post.updatedAt && differs(draft, post);
  return !(await isSent(draft).catch(() => false));
}

/** Returns true if the draft was already saved as a post, such as by a request whose response never arrived. */
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

/** Returns the drafts to offer: those that differ from the post or, for a new post, those not open in a tab. */
export async function recoverable(kept: readonly Draft[], post: Post | undefined): Promise<readonly RecoveredDraft[]> {
  const drafts = kept.map((draft) => completed(draft, post));
  const open = await openDrafts();
  const tellApart = drafts.map((draft) => ({ draft, isOpen: open.has(draft.copy) }));
  // Deletes drafts equal to the post, which are left over from updates whose response was lost.
  for (const { draft, isOpen } of tellApart) if (post && !isOpen && !differs(draft, post)) void deleteDraft(draft);
  return tellApart.filter(({ draft, isOpen }) => (post ? differs(draft, post) : !isOpen));
}

/** Fills in fields that an older draft lacks, using the post's values. */
const completed = (draft: Draft, post: Post | undefined): Draft => ({ ...formInput(post ?? {}), ...draft });

const differs = (draft: Draft, post: Post) => draft.picture || !sameFormValues(draft, post);
