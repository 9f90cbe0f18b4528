import { PAGE_SUGGESTIONS, pageText } from '#blog/messages/page-suggestions.ts';
import type { DraftFields } from './draft/draft-store.ts';

/** Returns the form's initial values for a page made from the template `name`; an empty page if the name is unknown. */
export function suggestedPage(name: string): DraftFields {
  const known = PAGE_SUGGESTIONS.find((each) => each === name);
  const { slug = '', title = '', content = '' } = known ? pageText[known] : {};
  return { title, content, slug, slugEdited: slug !== '', status: 'inactive', kind: 'page' };
}
