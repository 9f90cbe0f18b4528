import { transliterate } from 'transliteration';
import { cutAtWord, isSlug, SLUG_MAX } from '#blog/slug.ts';
import type { PostHead } from '../document.ts';
import { fingerprint } from './ledger.ts';

const SUFFIX = 6;

/** Keeps the old address where possible (`1.94.1-release`). */
function wholeSlug(name: string): string {
  return transliterate(name)
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

export function slugOfName(name: string, path: string): string {
  const slug = wholeSlug(name);
  if (isSlug(slug)) return slug;
  return slug === '' ? `post-${shortFingerprint(path)}` : suffixed(slug, path);
}

export function suffixed(slug: string, path: string): string {
  const head = cutAtWord(slug, SLUG_MAX - SUFFIX - 1).replace(/[._-]+$/, '');
  return `${head}-${shortFingerprint(path)}`;
}

const shortFingerprint = (path: string): string => fingerprint(path).slice(0, SUFFIX);

/** Maps paths to slugs. `ownerOf` may choose the post that keeps a contested slug; the others get a suffix. */
export async function assignSlugs<T extends Pick<PostHead, 'path' | 'name'>>(
  posts: readonly T[],
  ownerOf: (slug: string, wanting: readonly T[]) => T | undefined | Promise<T | undefined>,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const groups = Map.groupBy(posts, ({ path, name }) => slugOfName(name, path));
  for (const [slug, wanting] of groups) {
    const owner = await ownerOf(slug, wanting);
    for (const post of wanting) slugs.set(post.path, post === owner ? slug : suffixed(slug, post.path));
  }
  return slugs;
}
