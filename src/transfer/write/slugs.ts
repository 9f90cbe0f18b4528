import { transliterate } from 'transliteration';
import { isPageSlug } from '#blog/page-slugs.ts';
import { cutAtWord, isSlug, SLUG_MAX } from '#blog/slug.ts';
import type { PostHead } from '../document.ts';
import { fingerprint } from './ledger.ts';

const SUFFIX = 6;

/** Keeps dots and underscores, so that slugs like `1.94.1-release` equal the last part of the old URL. */
function wholeSlug(name: string): string {
  return transliterate(name)
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

/** @param isFor returns true for slugs that the post may have; pages have a stricter rule */
export function slugOfName(name: string, path: string, isFor = isSlug): string {
  const whole = wholeSlug(name);
  const slug = isFor === isSlug ? whole : whole.replaceAll('.', '-');
  if (isFor(slug)) return slug;
  return slug === '' ? `post-${shortFingerprint(path)}` : suffixed(slug, path);
}

export function suffixed(slug: string, path: string): string {
  const head = cutAtWord(slug, SLUG_MAX - SUFFIX - 1).replace(/[._-]+$/, '');
  return `${head}-${shortFingerprint(path)}`;
}

const shortFingerprint = (path: string): string => fingerprint(path).slice(0, SUFFIX);

/** Maps paths to slugs. The post that `ownerOf` chooses, if any, gets the slug unchanged; all others get a suffix. */
export async function assignSlugs<T extends Pick<PostHead, 'path' | 'name' | 'others'>>(
  posts: readonly T[],
  ownerOf: (slug: string, wanting: readonly T[]) => T | undefined | Promise<T | undefined>,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const groups = Map.groupBy(posts, ({ path, name, others }) =>
    slugOfName(name, path, others?.kind ? isPageSlug : isSlug),
  );
  for (const [slug, wanting] of groups) {
    const owner = await ownerOf(slug, wanting);
    for (const post of wanting) slugs.set(post.path, post === owner ? slug : suffixed(slug, post.path));
  }
  return slugs;
}
