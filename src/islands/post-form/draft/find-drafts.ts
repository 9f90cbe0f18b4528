import { formInput, type Post, sameFormValues } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { type Attempt, findPost } from '#stores/posts/post-actions.ts';
import { attemptOf } from '../../queue/in-line.ts';
import { localAddress } from '../editor/pictures/local-files.ts';
import { type Draft, deleteDraft, FEATURED, picturesOf } from './draft-store.ts';
import { claimDraft, openDrafts } from './draft-tabs.ts';

export interface OpenedDraft {
  /** The draft with new object URLs for the stored pictures in its content, so that they can be uploaded. */
  readonly draft: Draft;
  readonly picture: File | undefined;
  readonly stored: ReadonlyMap<string, File>;
  /** False if the pictures could not be read. The draft must then not be deleted. */
  readonly isWhole: boolean;
}

export interface RecoveredDraft {
  readonly draft: Draft;
  readonly isOpen: boolean;
}

export interface FoundDrafts {
  /**
   * The draft to open without asking: this page wrote it before a reload, or it was queued. `release` unlocks it for
   * other tabs. `base` and `attempt` are set only for a queued draft.
   */
  readonly own?: OpenedDraft & {
    readonly release: () => Promise<void>;
    readonly base?: Post | undefined;
    readonly attempt?: Attempt | undefined;
  };
  readonly recovered: readonly RecoveredDraft[];
}

/**
 * Returns the page's own draft and the drafts to offer. `noted` names the draft that the page wrote before a reload.
 * Waits up to `claimMs` milliseconds for the lock of the page's own draft.
 */
export async function startWith(
  kept: readonly Draft[],
  post: Post | undefined,
  noted: unknown,
  claimMs: number,
): Promise<FoundDrafts> {
  const drafts = kept.map((draft) => completed(draft, post));
  const named = new URLSearchParams(location.hash.slice(1)).get('draft');
  const [only] = post && drafts.length === 1 ? drafts : [];
  const last =
    drafts.find(({ copy, queued }) => !queued && copy === noted) ??
    drafts.find(({ copy, queued }) => queued && copy === named) ??
    (only?.queued && only);
  const own = last && (await goesOn(last, post)) ? await claimed(last, claimMs) : undefined;
  const recovered = await recoverable(own ? drafts.filter((draft) => draft !== last) : drafts, post);
  return { recovered, ...(own && { own }) };
}

/** Opens this page's own draft. Returns undefined if another tab has it open or the pictures cannot be read. */
async function claimed(last: Draft, claimMs: number): Promise<FoundDrafts['own']> {
  const release = await claimDraft(last.copy, claimMs);
  if (!release) return undefined;
  const opened = await openDraft(last);
  const { queued } = last;
  if (opened.isWhole)
    return { ...opened, release, base: queued?.base, attempt: queued && attemptOf(queued, opened.picture) };
  void release();
  return undefined;
}

/**
 * Returns true if the draft can be reopened without asking. A draft of an existing post must differ from the post and
 * be based on its current version. A draft of a new post must not have been saved as a post.
 */
async function goesOn(draft: Draft, post: Post | undefined): Promise<boolean> {
  // A queued draft may be based on an older version: it includes that version, so the form can report later changes.
  if (post) return (draft.basedOn === post.updatedAt || Boolean(draft.queued?.base)) && differs(draft, post);
  return !(await isSent(draft).catch(() => false));
}

/** Returns true if the draft was already saved as a post, for example by a request whose response never arrived. */
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

/**
 * Returns the drafts to offer. For an existing post, these are the drafts that differ from it; for a new post, the
 * drafts that are neither open in a tab nor waiting in the queue.
 */
export async function recoverable(kept: readonly Draft[], post: Post | undefined): Promise<readonly RecoveredDraft[]> {
  const drafts = kept.map((draft) => completed(draft, post));
  const open = await openDrafts();
  const tellApart = drafts.map((draft) => ({ draft, isOpen: open.has(draft.copy) }));
  // Deletes drafts equal to the post, which are left over from updates whose response was lost.
  for (const { draft, isOpen } of tellApart) if (post && !isOpen && !differs(draft, post)) void deleteDraft(draft);
  return tellApart.filter(({ draft, isOpen }) =>
    post ? differs(draft, post) : !isOpen && draft.queued?.state !== 'waiting',
  );
}

/** Fills in fields that an older draft lacks, using the post's values. */
const completed = (draft: Draft, post: Post | undefined): Draft => ({ ...formInput(post ?? {}), ...draft });

const differs = (draft: Draft, post: Post) => draft.picture || !sameFormValues(draft, post);
