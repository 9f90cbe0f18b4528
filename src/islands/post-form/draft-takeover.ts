/** Copies that earlier versions of the site kept in localStorage: taken over once. */

import { keepDraft, newCopy, type Words } from './draft.ts';

const FORMER = /^common-ink:draft:(?<userId>[^:]+):(?<kind>post|new):(?<rest>.+)$/;

/** Moves the former copies of all users. One that cannot be written stays where it is until the next time. */
export async function takeOverFormer(): Promise<void> {
  try {
    for (const name of Object.keys(localStorage)) {
      const { userId, kind, rest } = FORMER.exec(name)?.groups ?? {};
      if (!userId || !rest) continue;
      const text = localStorage.getItem(name);
      const words = read(text);
      if (!words) continue;
      const draft = { userId, post: kind === 'post' ? rest : '', copy: newCopy(), picture: false };
      if ((await keepDraft({ ...words, ...draft })) !== 'kept') continue;
      // A tab of the earlier version may have written meanwhile.
      if (localStorage.getItem(name) === text) localStorage.removeItem(name);
    }
  } catch {
    // Storage is switched off: nothing was kept there either.
  }
}

function read(text: string | null): (Words & { readonly savedAt: number }) | undefined {
  try {
    const { title, slug, slugEdited, content, status, savedAt } = JSON.parse(text ?? '');
    if (typeof title !== 'string' || typeof content !== 'string') return undefined;
    return {
      title,
      content,
      slug: typeof slug === 'string' ? slug : '',
      slugEdited: slugEdited === true,
      status: status === 'inactive' ? 'inactive' : 'active',
      savedAt: typeof savedAt === 'number' ? savedAt : Date.now(),
    };
  } catch {
    return undefined;
  }
}
