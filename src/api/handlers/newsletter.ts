/** Handles the owner's newsletter requests, and the preview of a post's email for its author. */
import { DomainError } from '#blog/errors.ts';
import { subscribersIn } from '#blog/newsletter/csv.ts';
import {
  IMPORT_MAX_BYTES,
  type ImportedSubscribers,
  type NewsletterAction,
} from '#blog/newsletter/subscriber-forms.ts';
import { isModerator } from '#blog/people.ts';
import { requireSameOrigin } from '../callers.ts';
import { ApiError, json } from '../json.ts';
import type { NewsletterService } from '../locals.ts';
import type { Call } from '../route.ts';

/** Twice the limit of the CSV file, because JSON escapes its line breaks and quotes. */
export const IMPORT_MAX_BODY = 2 * IMPORT_MAX_BYTES;

const SEARCH_MAX_LENGTH = 254;

export const newsletterState = async ({ site }: Call<'newsletter'>): Promise<Response> =>
  json(200, await site.newsletter.state());

export async function listSubscribers({ site, query }: Call<'newsletter'>): Promise<Response> {
  const search = (query.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH);
  const after = query.get('after') ?? '';
  if (!/^[\w.-]{0,100}$/.test(after)) throw new ApiError(400, 'after must be the `next` of a former answer.');
  return json(200, await site.newsletter.list({ search, after }));
}

export async function exportSubscribers({ request, site }: Call<'newsletter'>): Promise<Response> {
  requireSameOrigin(request, site.siteUrl);
  return new Response(await site.newsletter.exportAll(), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="subscribers.csv"',
      'cache-control': 'no-store',
    },
  });
}

export async function changeNewsletter({ site, userId, body: asked }: Call<'newsletter', NewsletterAction>) {
  const service = site.newsletter;
  if (asked.action === 'add') return json(200, { isDone: await service.add(asked.address) });
  if (asked.action === 'test') return json(200, { isDone: await service.test(asked.slug, userId) });
  if (asked.action === 'import') return json(200, await importList(service, asked.csv));
  if (asked.action === 'remove') await service.remove(asked.id);
  else if (asked.action === 'cancel') await service.cancel(asked.id);
  else await service.pause(asked.id, asked.action === 'pause');
  return json(200, {});
}

async function importList(service: NewsletterService, csv: string): Promise<ImportedSubscribers> {
  const list = subscribersIn(csv);
  if (!list) throw new ApiError(422, 'no-addresses');
  const { added, known, left } = await service.importAll(list.subscribers);
  return { added, known, left: left + list.left, invalid: list.invalid };
}

/** Allows the email's inline styles and pictures, but no scripts. Only this site's own pages may frame it. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: http: https:; frame-ancestors 'self'";

/** Responds with a post's email as HTML, for the post's author and for editors and owners. */
export async function previewMail({ site, userId, body: { slug } }: Call<'newsletter', { slug: string }>) {
  const post = await site.draftLinks?.post(slug);
  if (!post) throw new DomainError('not-found');
  const isOwn = post.userId === userId || isModerator(await site.people?.roleOf(userId));
  const mail = isOwn ? await site.newsletter.preview(slug) : undefined;
  // A caller who may not read the draft must not learn that it exists.
  if (!mail) throw new DomainError('not-found');
  return new Response(mail.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': MAIL_POLICY,
      'cache-control': 'no-store',
    },
  });
}
