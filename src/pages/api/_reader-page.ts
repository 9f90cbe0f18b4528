import { type ApiContext, admitTo } from '#api/answer.ts';
import { type ReaderPage, refusedPage, type SubscriptionCall } from '#api/subscriptions.ts';
import type { PageResponse } from '../_stored.ts';

/**
 * Keeps these pages out of caches, and their tokens out of the Referer sent to other sites. `no-referrer` would make
 * forms send `Origin: null`.
 */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };

/** Sets the status and headers of a page about a subscription. Returns the content for the page to show. */
export async function readerPage(
  context: ApiContext & { readonly response: PageResponse },
  work: (call: SubscriptionCall) => Promise<ReaderPage>,
): Promise<ReaderPage> {
  const answer = await admitTo(context, work);
  const page = answer instanceof Response ? refusedPage(answer) : answer;
  context.response.status = page.status;
  for (const [name, value] of Object.entries({ ...HEADERS, ...page.headers }))
    context.response.headers.set(name, value);
  return page;
}
