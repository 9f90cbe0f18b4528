import type { OpenedDraft } from '#backend/draft-links/draft-links.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { ApiError } from './json.ts';
import type { PublishingLocals } from './locals.ts';

/** Keeps a draft out of caches and search engines, and hides its URL from other sites. */
export const DRAFT_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
};
const STATUS = { unknown: 404, expired: 410, gone: 410, public: 302, draft: 200 } as const;
const KEY = /^[0-9a-z]{1,8}\.[\w-]{16}\.[\w-]{43}$/;
const FILE_ID = /^[A-Za-z0-9][\w.-]{0,35}$/;

export type DraftAnswer = (
  | OpenedDraft
  | { readonly kind: 'tooMany'; readonly headers: Readonly<Record<string, string>> }
) & { readonly status: number };

/** Opens the draft behind a shared link, and counts the view towards the rate limit. @throws the SDK's error */
export async function openDraft(
  publishing: PublishingLocals | undefined,
  address: string,
  slug: string,
  key: string,
): Promise<DraftAnswer> {
  const links = publishing?.draftLinks;
  if (!links || !isSlug(slug) || !KEY.test(key)) return { kind: 'unknown', status: 404 };
  try {
    publishing.limits.draftViews.spend(address);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'tooMany', status: error.code, headers: error.headers };
  }
  const opened = await links.open(slug, key);
  return { ...opened, status: STATUS[opened.kind] };
}

export async function draftPicture(
  publishing: PublishingLocals | undefined,
  address: string,
  { slug = '', key = '', file = '', kind = '' }: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
): Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers: DRAFT_HEADERS });
  const links = publishing?.draftLinks;
  const isPicture = FILE_ID.test(file) && /^(?:view|preview|download)$/.test(kind);
  if (!links || !isSlug(slug) || !KEY.test(key) || !isPicture) return refuse(404);
  try {
    publishing.limits.draftViews.spend(address);
    const found = await links.picture(slug, key, { fileId: file, kind, query });
    if (!found?.ok) return refuse(found ? 502 : 404);
    const headers = new Headers(DRAFT_HEADERS);
    for (const name of ['content-type', 'content-disposition']) {
      const value = found.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(found.body, { headers });
  } catch (error) {
    return refuse(error instanceof ApiError ? error.code : 503);
  }
}
