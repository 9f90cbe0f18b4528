/** Read your writes: after a write the public pages are rendered anew before the writer is sent to one of them. */

import { identityHeaders } from '#backend/browser.ts';

/** How long a writer waits for fresh pages before he is sent on all the same. */
const PATIENCE_MS = 10_000;

/** Resolves when the pages that show this post are fresh. A failure is logged and hides no successful write. */
export const revalidate = (slug: string): Promise<void> => ask({ slug });

/** Resolves when no page shows the signed-in user's former name any more. A failure is logged, as above. */
export const revalidateAuthor = (): Promise<void> => ask({ author: true });

async function ask(changed: { readonly slug: string } | { readonly author: true }): Promise<void> {
  const body = JSON.stringify(changed);
  try {
    const response = await fetch('/api/revalidate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await identityHeaders()) },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) console.error(`revalidate: ${body}: ${response.status} ${await response.text()}`);
  } catch (error) {
    console.error(`revalidate: ${body}:`, error);
  }
}
