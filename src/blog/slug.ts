/** Makes slugs from titles. Kept separate from `slug-rules.ts`, so that pages that only check slugs stay small. */

import { SLUG_MAX } from './slug-rules.ts';

export { isSlug, SLUG_MAX } from './slug-rules.ts';

/**
 * Returns the slug of a title (spec 4): lower-case Latin letters and digits, one hyphen for each run of other
 * characters, none at the ends, cut at a word boundary. A title without letters or digits gets a short random slug, an
 * empty title an empty slug. Loads the transliteration tables when a title first needs them, and rejects if they cannot
 * be loaded.
 */
export async function slugFromTitle(title: string): Promise<string> {
  if (title.trim() === '') return '';
  const latin = latinWithoutTables(title) ?? (await import('transliteration')).transliterate(title);
  return cutAtWord(hyphenated(latin), SLUG_MAX) || randomSlug();
}

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  œ: 'oe',
  Œ: 'Oe',
};

/** Letters that the tables transliterate differently from `latinWithoutTables`. */
const TRANSLITERATED_OTHERWISE = /[\u00dd\u212a\u212b]/;

/** Returns Latin text without its accents; undefined if the text has letters that need the tables. */
export function latinWithoutTables(text: string): string | undefined {
  const latin = text
    .replace(/[\u00a0\u2010-\u201f\u2026]/g, ' ')
    .normalize('NFD')
    .replace(/[\u0300-\u0304\u0306-\u030c\u0327\u0328]/g, '')
    .replace(/[ßæÆøØłŁœŒ]/g, (letter) => LETTERS[letter] ?? '');
  return /^[\n\r\t\x20-\x7e]*$/.test(latin) && !TRANSLITERATED_OTHERWISE.test(text) ? latin : undefined;
}

export function hyphenated(latin: string): string {
  return latin
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Cuts at a word boundary. Splits the first word if it alone is longer than `length`. */
export function cutAtWord(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const end = slug.lastIndexOf('-', length);
  return slug.slice(0, end > 0 ? end : length);
}

function randomSlug(): string {
  const letters = crypto.getRandomValues(new Uint8Array(8));
  return `post-${Array.from(letters, (byte) => (byte % 36).toString(36)).join('')}`;
}
