/** What stored content may hold: the one list, as docs/content.md explains it. Plain data, so that the editor can read it too. */

/** Elements and the attributes each may carry. Everything else is taken away and its text kept. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  p: [],
  strong: [],
  em: [],
  del: [],
  u: [],
  sub: [],
  sup: [],
  mark: [],
  code: ['class'],
  pre: [],
  blockquote: [],
  ol: ['start'],
  ul: [],
  li: ['id', 'data-checked'],
  a: ['href', 'title', 'id', 'data-footnote-ref', 'data-footnote-backref'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  figure: [],
  figcaption: [],
  table: [],
  caption: [],
  thead: [],
  tbody: [],
  tfoot: [],
  tr: [],
  th: ['align', 'colspan', 'rowspan'],
  td: ['align', 'colspan', 'rowspan'],
  hr: [],
  br: [],
  section: ['data-footnotes'],
};

/** Other names for the same thing, read as the stored one. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  s: 'del',
  strike: 'del',
  ins: 'u',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};

/** Blocks that hold no meaning here: their text stays, set apart from its neighbours. */
export const BLOCKS: readonly string[] =
  'address article aside body center dd details dialog dir div dl dt fieldset footer form header hgroup html main menu nav section summary'.split(
    ' ',
  );

/** Elements that go with all they hold: their text was never meant to be read. */
export const DROPPED: readonly string[] =
  'script style template textarea select option noscript noembed noframes iframe object svg title xmp plaintext'.split(
    ' ',
  );

/** Ids are for footnotes alone, and begin so that no name of the page or the DOM can be taken. */
export const FOOTNOTE_ID = /^fn(?:ref)?-[\w-]{1,64}$/;
export const LANGUAGE_CLASS = /^language-[\w+#.-]{1,40}$/;
