/** The slug of a title. Apart from `slug-rules.ts` because the transliteration tables weigh more than the login page. */

import { SLUG_MAX } from './slug-rules.ts';

export { isSlug, SLUG_MAX } from './slug-rules.ts';

/**
 * The slug that a title gives (spec 4): Latin letters and digits in lower case, one hyphen for every run of anything
 * else, none at either end, cut at a word boundary. A title that gives nothing (marks, emoji) gets a short random
 * slug; an empty one gives an empty slug, because nothing was written yet.
 * The tables of the world's scripts are loaded with the first title that needs them; rejects when they do not come.
 */
export async function slugFromTitle(title: string): Promise<string> {
  if (title.trim() === '') return '';
  const latin = latinWithoutTables(title) ?? (await import('transliteration')).transliterate(title);
  return cutAtWord(hyphenated(latin), SLUG_MAX) || randomSlug();
}

/** Letters of western alphabets that are no letter with an accent. */
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

/** Letters that lose an accent above, but are something else in the tables. */
const TRANSLITERATED_OTHERWISE = /[\u00dd\u212a\u212b]/;

/** A text of Latin letters, their accents taken off, and of marks that no slug shows; undefined for any other. */
export function latinWithoutTables(text: string): string | undefined {
  const latin = text
    .replace(/[\u00a0\u2010-\u201f\u2026]/g, ' ')
    .normalize('NFD')
    .replace(/[\u0300-\u0304\u0306-\u030c\u0327\u0328]/g, '')
    .replace(/[ßæÆøØłŁœŒ]/g, (letter) => LETTERS[letter] ?? '');
  return /^[\n\r\t\x20-\x7e]*$/.test(latin) && !TRANSLITERATED_OTHERWISE.test(text) ? latin : undefined;
}

/** Latin words in lower case joined by single hyphens; empty when the text has no letter or digit. */
export function hyphenated(latin: string): string {
  return latin
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** At most `length` characters, ending where a word ends; a first word that is longer is cut inside. */
export function cutAtWord(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const end = slug.lastIndexOf('-', length);
  return slug.slice(0, end > 0 ? end : length);
}

function randomSlug(): string {
  const letters = crypto.getRandomValues(new Uint8Array(8));
  return `post-${Array.from(letters, (byte) => (byte % 36).toString(36)).join('')}`;
}
