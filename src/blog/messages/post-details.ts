import de from './de/post-details.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  tags: 'Tags',
  tagsHelp: 'Type a name and press Enter or a comma.',
  tagsFull: 'A post has at most {most} tags. Remove one to add another.',
  chosen: 'Chosen tags',
  suggestions: 'Tags in use',
  remove: 'Remove tag {name}',
  added: 'Tag {name} added',
  removed: 'Tag {name} removed',
  isThere: 'The post already has the tag {name}.',
  count: { one: 'One suggestion', other: '{count} suggestions' },
  tagOfMarks: 'A tag needs a letter or a digit.',
  tagTooLong: 'A tag has at most {most} characters.',
  excerpt: 'Excerpt',
  excerptHelp:
    'Shown below the newest post’s title, in feeds, link previews and search results. If empty, the text’s beginning is shown. {length} of {most} characters.',
  language: 'Language',
  automatic: 'Automatic: {name}',
  languageHelp: 'Browsers need it to hyphenate the text, set quotation marks and read aloud.',
  typography: 'Typographic quotes and dashes',
  typographyHelp:
    'Quotes, --, --- and ... become “ ”, –, — and … as you type, the way the post’s language writes them. Undo brings back what you typed. This device remembers the choice.',
  alternative: 'Alternative text',
  alternativeHelp: 'What the featured image shows, for people who can’t see it.',
  kind: 'Post or page',
  kinds: { post: 'Post', page: 'Page', 'page-with-byline': 'Page with author and date' },
  kindHelp:
    'A page has the address {path}. It appears in search and the sitemap, but not in lists, the archive or feeds.',
  newsletter: 'Send to subscribers',
  newsletterHelp: 'Subscribers get the post by email once, after it’s published.',
  newsletterChoices: { send: 'Yes', none: 'No' },
} as const;

export const detailText = textsOf(en, de);
