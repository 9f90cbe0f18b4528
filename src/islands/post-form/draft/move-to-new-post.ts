/** Turns drafts of a deleted post into drafts of a new post, because the deleted post's form cannot be opened again. */

import {
  type Draft,
  type DraftLocation,
  deleteDraft,
  draftsAt,
  newDraftName,
  picturesOf,
  type Queued,
  writeDraft,
  writePictures,
} from './draft-store.ts';
import { notifyTabs, openDrafts } from './draft-tabs.ts';

export async function unusedDraftsAt(place: DraftLocation): Promise<readonly Draft[]> {
  const [drafts, open] = await Promise.all([draftsAt(place), openDrafts()]);
  return drafts.filter(({ copy }) => !open.has(copy));
}

export async function moveToNewPost(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) if (await copyToNewPost(draft)) await deleteDraft(draft);
}

/** Copies a draft to a draft of a new post. Returns false if its text or pictures could not be copied. */
export async function copyToNewPost({ basedOn, queued: _, ...draft }: Draft, queued?: Queued): Promise<boolean> {
  const pictures = await picturesOf(draft);
  if (!pictures) return false;
  const copy = { ...draft, post: '', copy: newDraftName(), ...(queued && { queued }) };
  if ((await writeDraft(copy)) !== 'kept' || (await writePictures(copy, [...pictures], [])) !== 'kept') {
    await deleteDraft(copy);
    return false;
  }
  notifyTabs(copy);
  return true;
}
