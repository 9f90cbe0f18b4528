import { POST_FIELDS } from '#blog/post.ts';
import type { PostHead } from './document.ts';

export interface Extras {
  readonly hidden?: readonly string[] | undefined;
  readonly publishAt?: string | undefined;
  readonly isPage?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly excerpt?: string | undefined;
  readonly language?: string | undefined;
  readonly alt?: string | undefined;
  readonly comments?: number | undefined;
  readonly more?: readonly string[] | undefined;
}

const TAGS = POST_FIELDS.tags;

export const futureDate = (date: string | undefined): string | undefined =>
  date !== undefined && new Date(date).getTime() > Date.now() ? date : undefined;

export type ExtrasOfPost = Pick<PostHead, 'draft' | 'others' | 'hidden' | 'unplaced'>;

/**
 * Returns post fields without empty lists, to save memory. Keeps `publishAt` only if it is in the future
 * and nothing else (`hidden`) keeps the post unpublished.
 */
export function extrasOf(extras: Extras): ExtrasOfPost {
  const { hidden = [], publishAt, isPage, excerpt = '', alt = '', comments = 0, more = [] } = extras;
  const tags = [...new Map((extras.tags ?? []).map((tag) => [tag.trim().toLowerCase(), tag.trim()])).values()];
  const fitting = tags.filter((tag) => tag.length <= TAGS.size && /[\p{L}\p{N}]/u.test(tag));
  const placed = fitting.slice(0, TAGS.most);
  const others = tags.filter((tag) => tag !== '' && !placed.includes(tag));
  const isTimed = publishAt !== undefined && hidden.length === 0 && futureDate(publishAt) !== undefined;
  const language = languageOf(extras.language);
  const fields = {
    ...(placed.length > 0 && { tags: placed }),
    ...(excerpt && { excerpt: cut(excerpt, POST_FIELDS.excerpt.size) }),
    ...(language && { language }),
    ...(alt && { featuredImageAlt: cut(alt, POST_FIELDS.featuredImageAlt.size) }),
    ...(isTimed && { publishAt: new Date(publishAt).toISOString() }),
    ...(isPage && { kind: 'page' as const }),
  };
  return {
    draft: hidden.length > 0 || publishAt !== undefined,
    others: Object.keys(fields).length > 0 ? fields : undefined,
    hidden: unlessEmpty([
      ...hidden,
      ...(isTimed ? [`it will not be published until ${publishAt}`] : []),
      ...(publishAt && !isTimed ? [`it was scheduled for ${publishAt}`] : []),
    ]),
    unplaced: unlessEmpty([
      ...(others.length > 0 ? [`more tags (${others.join(', ')})`] : []),
      ...(excerpt.length > POST_FIELDS.excerpt.size ? [`the full excerpt (${excerpt})`] : []),
      ...(extras.language && !language ? [`the language “${extras.language}”`] : []),
      ...(alt.length > POST_FIELDS.featuredImageAlt.size ? [`the full alternative text (${alt})`] : []),
      ...(comments > 0 ? [`${comments} comments`] : []),
      ...more,
    ]),
  };
}

const unlessEmpty = (list: string[]): readonly string[] | undefined => (list.length > 0 ? list : undefined);

export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf(' ', most - 1);
  return `${text.slice(0, end > 0 ? end : most - 1)}…`;
}

function languageOf(tag: string | undefined): string | undefined {
  try {
    return tag ? Intl.getCanonicalLocales(tag.replace('_', '-'))[0] : undefined;
  } catch {
    return undefined;
  }
}
