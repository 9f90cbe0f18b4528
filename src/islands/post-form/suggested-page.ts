import { PAGE_SUGGESTIONS, pageText } from '#blog/messages/page-suggestions.ts';
import type { DraftFields } from './draft/draft-store.ts';

/** Returns what the form for a new page begins with. It is inactive until the writer chooses otherwise. */
export function suggestedPage(name: string): DraftFields {
  const known = PAGE_SUGGESTIONS.find((each) => each === name);
  const { slug = '', title = '', content = '' } = known ? pageText[known] : {};
  return { title, content, slug, slugEdited: slug !== '', status: 'inactive', kind: 'page' };
}
