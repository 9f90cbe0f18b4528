import { identityHeaders } from '#backend/browser.ts';
import { isUnreachable } from '#blog/errors.ts';
import { errorText } from '#blog/messages.ts';
import type { PreviewedPost } from '#blog/preview.ts';
import { checkAgain } from '../account/auth.ts';

/**
 * Returns a post's page as HTML, rendered by the site's server without storing anything.
 * @throws Error with a message for the writer.
 */
export async function fetchPreview(post: PreviewedPost, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch('/api/preview', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await identityHeaders()) },
      body: JSON.stringify(post),
      signal,
    });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 401) await checkAgain();
    throw new Error(faultIn(text) ?? errorText.viewFailed);
  } catch (error) {
    throw isUnreachable(error) ? new Error(errorText.unreachable) : error;
  }
}

function faultIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
