/** Copies of a post that has been deleted become copies of a new post: a form that cannot be opened any more offers none. */

import {
  type Draft,
  draftsAt,
  dropDraft,
  keepDraft,
  keepInText,
  newCopy,
  type Place,
  pictureOf,
  picturesInText,
} from './draft.ts';
import { meetTabs, openCopies } from './draft-tabs.ts';

/** The copies of a place that no open tab is writing. */
export async function leftAt(place: Place): Promise<readonly Draft[]> {
  const [drafts, open] = await Promise.all([draftsAt(place), openCopies().catch(() => new Set<string>())]);
  return drafts.filter(({ copy }) => !open.has(copy));
}

/** Makes copies of a new post of copies of a deleted one. What has no room stays what it was. */
export async function turnToNew(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) if (await copyToNew(draft)) await dropDraft(draft);
}

/** Keeps the words and pictures of a copy as those of a new post. False when this device did not take them. */
export async function copyToNew({ basedOn: _, ...draft }: Draft): Promise<boolean> {
  const [picture, inText] = await Promise.all([pictureOf(draft), picturesInText(draft)]);
  const copy = { ...draft, post: '', copy: newCopy() };
  if ((await keepDraft(copy, picture ?? null)) !== 'kept' || !(await keepInText(copy, [...inText], []))) {
    await dropDraft(copy);
    return false;
  }
  const tabs = meetTabs(copy, () => {});
  tabs.tell();
  tabs.leave();
  return true;
}
