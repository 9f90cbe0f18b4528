import { type ApiContext, admitTo } from '#api/answer.ts';
import { type ReaderPage, refusedPage, type SubscriptionCall } from '#api/subscriptions.ts';
import type { PageResponse } from '../_stored.ts';

/** Keeps the pages out of caches, and their tokens from other sites. `no-referrer` would make forms send no origin. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };

/** Sets the response of a page about a subscription. Returns what the page shows. */
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
