import { isUnreachable } from '#blog/errors.ts';
import { errorText } from '#blog/messages.ts';
import type { PreviewedPost } from '#blog/preview.ts';
import { checkAgain } from '../account/auth.ts';
import { send } from '../send.ts';

/** Returns a post's page as HTML without storing it. @throws Error with a message for the writer */
export async function fetchPreview(post: PreviewedPost, signal: AbortSignal): Promise<string> {
  try {
    const response = await send('/api/preview', post, signal);
    if (response.ok) return await response.text();
    if (response.status === 401) await checkAgain();
    const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
    throw new Error(error ?? errorText.viewFailed);
  } catch (error) {
    throw isUnreachable(error) ? new Error(errorText.unreachable) : error;
  }
}
