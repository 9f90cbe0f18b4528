/** What public pages say and no island does, in the language that the site speaks. */

import { de } from './messages/page-de.ts';
import * as en from './messages/page-en.ts';
import { type Texts, textsOf } from './messages.ts';

/** These texts in one language. */
export type PageCatalogue = Texts<typeof en>;

/** By language. */
export const PAGE_CATALOGUES = { en, de } as const;

export const {
  footerText,
  authorText,
  archiveText,
  tagText,
  searchText,
  contentText,
  routeErrorText,
  draftPageText,
  layoutText,
  paginationText,
  articleText,
  homePageText,
} = textsOf<PageCatalogue>(PAGE_CATALOGUES);
