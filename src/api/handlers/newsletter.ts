/** Handles the owner's newsletter requests, and the preview of a post's email for its author. */
import { DomainError } from '#blog/errors.ts';
import { subscribersIn } from '#blog/newsletter/csv.ts';
import {
  IMPORT_MAX_BYTES,
  type ImportedSubscribers,
  type NewsletterAction,
} from '#blog/newsletter/subscriber-forms.ts';
import { isModerator } from '#blog/people.ts';
import { isShared } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
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

export async function changeNewsletter(call: Call<'newsletter', NewsletterAction>) {
  const { body: asked, userId } = call;
  const service = call.site.newsletter;
  if (asked.action === 'add') return json(200, { isDone: await service.add(asked.address) });
  if (asked.action === 'test') {
    const post = await readablePost(call, asked.slug);
    return json(200, { isDone: await service.test(post, userId) });
  }
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

/** Responds with the email of one of the user's own posts, or for editors and owners, of any public post, as HTML. */
export async function previewMail(call: Call<'newsletter', { slug: string }>) {
  const mail = await call.site.newsletter.preview(await readablePost(call, call.body.slug));
  return new Response(mail.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': MAIL_POLICY,
      'cache-control': 'no-store',
    },
  });
}

async function readablePost({ site, userId }: Call<'newsletter', unknown>, slug: string): Promise<Post> {
  const post = await site.draftLinks?.post(slug);
  if (post?.userId === userId) return post;
  if (post?.status === 'active' && isShared(post) && isModerator(await site.people?.roleOf(userId))) return post;
  // A caller who may not read a draft must not learn that it exists.
  throw new DomainError('not-found');
}
