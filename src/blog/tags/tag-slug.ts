/** Slugs of tags. Names with the same slug are one tag. Server only, because the transliteration tables are large. */

import { transliterate } from 'transliteration';
import { cutAtWord, hyphenated, latinWithoutTables, SLUG_MAX } from '../slug.ts';

const KEPT = 10_000;
const known = new Map<string, string>();

/** Returns a tag's slug, made like a post's; empty for a name without letters or digits that can be transliterated. */
export function tagSlug(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  const slug = cutAtWord(hyphenated(latinWithoutTables(name) ?? transliterate(name)), SLUG_MAX);
  if (known.size >= KEPT) known.clear();
  known.set(name, slug);
  return slug;
}

export const tagSlugs = (names: readonly string[] = []): string[] => [
  ...new Set(names.map(tagSlug).filter((slug) => slug !== '')),
];
