/** Slugs of imported posts: made from their old names, the same on every run, never one that is taken. */

import { createHash } from 'node:crypto';
import { transliterate } from 'transliteration';
import { cutAtWord, isSlug, SLUG_MAX } from '#blog/slug.ts';

const SUFFIX = 6;

/** The slug that a name gives, of any length: as the old address where its characters are allowed (`1.94.1-release`). */
function wholeSlug(name: string): string {
  return transliterate(name)
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

/** The slug of a post's name, and whether it had to be shortened. A name that gives nothing gives its path's fingerprint. */
export function slugOfName(name: string, path: string): string {
  const slug = wholeSlug(name);
  if (isSlug(slug)) return slug;
  return slug === '' ? `post-${fingerprint(path)}` : suffixed(slug, path);
}

/** The slug for a post whose own is taken: with the fingerprint of its path, so that it is the same next time. */
export function suffixed(slug: string, path: string): string {
  const head = cutAtWord(slug, SLUG_MAX - SUFFIX - 1).replace(/[._-]+$/, '');
  return `${head}-${fingerprint(path)}`;
}

const fingerprint = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, SUFFIX);

export interface Named {
  readonly path: string;
  readonly name: string;
}

/**
 * A slug for every post, by path. Where several want one, `ownerOf` says whose it is, or that it is none of theirs; the
 * others get a suffix.
 */
export async function assignSlugs<T extends Named>(
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
