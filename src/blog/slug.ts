/** The slug of a title. Apart from `slug-rules.ts` because the transliteration tables weigh more than the login page. */

import { transliterate } from 'transliteration';
import { SLUG_MAX } from './slug-rules.ts';

export { isSlug, SLUG_MAX, slugSchema } from './slug-rules.ts';

/**
 * The slug that a title gives (spec 4): Latin letters and digits in lower case, one hyphen for every run of anything
 * else, none at either end, cut at a word boundary. A title that gives nothing (marks, emoji) gets a short random
 * slug; an empty one gives an empty slug, because nothing was written yet.
 */
export function slugFromTitle(title: string): string {
  if (title.trim() === '') return '';
  return cutAtWord(hyphenated(title), SLUG_MAX) || randomSlug();
}

/** Latin words in lower case joined by single hyphens; empty when the text has no letter or digit. */
export function hyphenated(text: string): string {
  return transliterate(text)
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
