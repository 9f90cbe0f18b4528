/** Delays the end of a write until the public pages show it, so that the writer sees the change at once. */

import { send } from '../send.ts';

const PATIENCE_MS = 10_000;

/** Resolves when the pages that show this post are fresh. A failure is logged and does not fail the write. */
export const revalidate = (slug: string): Promise<void> => ask({ slug });

/** Resolves when no page shows the user's former name. Logs failures. */
export const revalidateAuthor = (): Promise<void> => ask({ author: true });

async function ask(changed: { readonly slug: string } | { readonly author: true }): Promise<void> {
  try {
    const response = await send('/api/revalidate', changed, AbortSignal.timeout(PATIENCE_MS));
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  } catch (error) {
    console.error(`revalidate: ${JSON.stringify(changed)}:`, error);
  }
}
