import type { DraftLinkAction } from '#blog/draft-links/draft-link-action.ts';
import type { DraftLink } from '#blog/draft-links/draft-links.ts';
import { draftLinkText } from '#blog/messages/draft-links.ts';
import { errorText } from '#blog/messages.ts';
import { checkAgain } from '../account/auth.ts';
import { send } from '../send.ts';

/** Performs `action`. Returns the resulting draft link, if any. @throws Error with a message for the writer */
export async function askDraftLink(action: DraftLinkAction): Promise<DraftLink | undefined> {
  const response = await send('/api/draft-link', action).catch(() => {
    throw new Error(errorText.unreachable);
  });
  if (response.status === 401) await checkAgain();
  if (response.status === 403) throw new Error(draftLinkText.unavailable);
  if (!response.ok) throw new Error(errorText.viewFailed);
  return ((await response.json()) as { link?: DraftLink }).link;
}
