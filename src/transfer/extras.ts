/** What posts of most platforms have beside their text, as the post's fields where it has them, and in the report where not. */

import type { PostHead } from './document.ts';

export interface Extras {
  /** Why it is for its author alone here, in words: `its status was draft`. */
  readonly hidden?: readonly string[] | undefined;
  /** ISO date at which it was to become public. */
  readonly publishAt?: string | undefined;
  readonly isPage?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly excerpt?: string | undefined;
  readonly language?: string | undefined;
  /** Alternative text of the featured picture. */
  readonly alt?: string | undefined;
  readonly comments?: number | undefined;
  /** Whatever else has no place, in words. */
  readonly more?: readonly string[] | undefined;
}

export function extrasOf(extras: Extras): Pick<PostHead, 'unplaced' | 'hidden'> {
  const { hidden = [], publishAt, isPage, tags = [], excerpt, language, alt, comments = 0, more = [] } = extras;
  return {
    hidden,
    unplaced: [
      ...(publishAt ? [`time of publication: ${publishAt}`] : []),
      ...(isPage ? ['it was a page'] : []),
      ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
      ...(excerpt ? [`excerpt: ${excerpt}`] : []),
      ...(language ? [`language: ${language}`] : []),
      ...(alt ? [`alternative text of the featured picture: ${alt}`] : []),
      ...(comments > 0 ? [`${comments} comments`] : []),
      ...more,
    ],
  };
}
