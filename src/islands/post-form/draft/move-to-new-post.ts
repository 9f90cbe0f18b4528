/** Turns drafts of a deleted post into drafts of a new one, because its form cannot be opened any more. */

import {
  type Draft,
  type DraftLocation,
  deleteDraft,
  draftsAt,
  newDraftName,
  picturesOf,
  writeDraft,
  writePictures,
} from './draft-store.ts';
import { notifyTabs, openDrafts } from './draft-tabs.ts';

/** The drafts of a post that no open tab is writing. */
export async function unusedDraftsAt(place: DraftLocation): Promise<readonly Draft[]> {
  const [drafts, open] = await Promise.all([draftsAt(place), openDrafts()]);
  return drafts.filter(({ copy }) => !open.has(copy));
}

/** Moves drafts to a new post. A draft without room stays where it is. */
export async function moveToNewPost(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) if (await copyToNewPost(draft)) await deleteDraft(draft);
}

/** Stores the words and pictures of a draft as a draft of a new post. Gives false when this device refused it. */
export async function copyToNewPost({ basedOn: _, ...draft }: Draft): Promise<boolean> {
  const pictures = await picturesOf(draft);
  if (!pictures) return false;
  const copy = { ...draft, post: '', copy: newDraftName() };
  if ((await writeDraft(copy)) !== 'kept' || (await writePictures(copy, [...pictures], [])) !== 'kept') {
    await deleteDraft(copy);
    return false;
  }
  notifyTabs(copy);
  return true;
}
