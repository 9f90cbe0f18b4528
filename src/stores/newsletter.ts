/** Newsletter requests by owners and authors, all sent to the site's own server. */

import type { NewsletterState } from '#blog/newsletter/newsletter.ts';
import type { NewsletterAction, SubscriberPage } from '#blog/newsletter/subscriber-forms.ts';
import { ask, request } from './people.ts';

export const newsletterState = (): Promise<NewsletterState> => ask('/api/newsletter');

/** Returns subscribers whose address contains `search`. `after` is the previous page's `next`, or empty. */
export async function listSubscribers(search: string, after: string) {
  const query = new URLSearchParams({ search, after });
  const { subscribers: items, next } = await ask<SubscriberPage>(`/api/newsletter/subscribers?${query}`);
  return { items, next };
}

/** Returns the server's response: `ImportedSubscribers` for `import`, `{ isDone }` for `add` and `test`, else `{}`. */
export const changeNewsletter = <Outcome = object>(asked: NewsletterAction): Promise<Outcome> =>
  ask('/api/newsletter', asked);

export const exportSubscribers = async (): Promise<Blob> => (await request('/api/newsletter/export')).blob();
