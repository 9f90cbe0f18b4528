/** What a tag is called in addresses: two names with the same slug are one tag. Not for browsers: the tables are large. */

import { transliterate } from 'transliteration';
import { cutAtWord, hyphenated, latinWithoutTables, SLUG_MAX } from '../slug.ts';

/** Names whose slugs are remembered. */
const KEPT = 10_000;
const known = new Map<string, string>();

/** By the rule for the slugs of posts; empty for a name without a letter or digit that the rule knows. */
export function tagSlug(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  const slug = cutAtWord(hyphenated(latinWithoutTables(name) ?? transliterate(name)), SLUG_MAX);
  if (known.size >= KEPT) known.clear();
  known.set(name, slug);
  return slug;
}

/** The slugs of these names, each once. */
export const tagSlugs = (names: readonly string[] = []): string[] => [
  ...new Set(names.map(tagSlug).filter((slug) => slug !== '')),
];
