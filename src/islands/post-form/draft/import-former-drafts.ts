/** Imports the drafts that earlier versions of the site stored in localStorage. */

import { formInput } from '#blog/post.ts';
import { type DraftFields, newDraftName, writeDraft } from './draft-store.ts';

const FORMER = /^common-ink:draft:(?<userId>[^:]+):(?<kind>post|new):(?<rest>.+)$/;

/** Imports the drafts of all users. A draft that cannot be written stays until the next time. */
export async function importFormerDrafts(): Promise<void> {
  try {
    for (const name of Object.keys(localStorage)) {
      const { userId, kind, rest } = FORMER.exec(name)?.groups ?? {};
      if (!userId || !rest) continue;
      const text = localStorage.getItem(name);
      const words = read(text);
      if (!words) continue;
      const draft = { userId, post: kind === 'post' ? rest : '', copy: newDraftName(), picture: false };
      if ((await writeDraft({ ...words, ...draft })) !== 'kept') continue;
      // A tab of the earlier version may have written it meanwhile.
      if (localStorage.getItem(name) === text) localStorage.removeItem(name);
    }
  } catch {
    // Storage is switched off, so nothing was stored there.
  }
}

function read(text: string | null): (DraftFields & { readonly savedAt: number }) | undefined {
  try {
    const words = JSON.parse(text ?? '');
    const { title, slug, slugEdited, content, status, savedAt } = words;
    if (typeof title !== 'string' || typeof content !== 'string') return undefined;
    return {
      ...formInput(words),
      slug: typeof slug === 'string' ? slug : '',
      slugEdited: slugEdited === true,
      status: status === 'inactive' ? 'inactive' : 'active',
      savedAt: typeof savedAt === 'number' ? savedAt : Date.now(),
    };
  } catch {
    return undefined;
  }
}
