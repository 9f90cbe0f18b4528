import { PAGE_SUGGESTIONS, pageText } from '#blog/messages/page-suggestions.ts';
import type { DraftFields } from './draft/draft-store.ts';

/** Returns the form's initial values for a suggested page, or for an empty page if `name` is unknown. */
export function suggestedPage(name: string): DraftFields {
  const known = PAGE_SUGGESTIONS.find((each) => each === name);
  const { slug = '', title = '', content = '' } = known ? pageText[known] : {};
  return { title, content, slug, slugEdited: slug !== '', status: 'inactive', kind: 'page' };
}
