/** Makes a writer's change visible to the writer: a write resolves when the public pages are rendered again. */

import { identityHeaders } from '#backend/browser.ts';

const PATIENCE_MS = 10_000;

/** Resolves when the pages that show this post are fresh. A failure is logged and does not fail the write. */
export const revalidate = (slug: string): Promise<void> => ask({ slug });

/** Resolves when no page shows the user's former name. Logs failures. */
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
