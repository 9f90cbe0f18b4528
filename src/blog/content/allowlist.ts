/**
 * The elements and attributes allowed in stored content (docs/content.md). Kept in a separate file, so that the editor
 * can import them without the sanitiser.
 */

const WITHOUT_ATTRIBUTES =
  'h1 h2 h3 h4 h5 h6 p strong em del u sub sup mark pre blockquote ul figure figcaption table caption thead tbody tfoot tr hr br'.split(
    ' ',
  );

/** Allowed attributes by element. The sanitiser removes `DROPPED` elements and unwraps all others not listed here. */
export const ALLOWED: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(WITHOUT_ATTRIBUTES.map((tag) => [tag, []])),
  code: ['class'],
  ol: ['start'],
  li: ['id', 'data-checked'],
  a: ['href', 'title', 'id', 'data-footnote-ref', 'data-footnote-backref'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  th: ['align', 'colspan', 'rowspan'],
  td: ['align', 'colspan', 'rowspan'],
  section: ['data-footnotes'],
};

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

/** Block elements whose tags are removed but whose text is kept, separated from the text around it. */
export const BLOCKS: readonly string[] =
  'address article aside body center dd details dialog dir div dl dt fieldset footer form header hgroup html main menu nav section summary'.split(
    ' ',
  );

export const DROPPED: readonly string[] =
  'script style template textarea select option noscript noembed noframes iframe object svg title xmp plaintext'.split(
    ' ',
  );

/** Matches footnote ids; other ids are removed. The prefix prevents clashes with the page's ids and DOM properties. */
export const FOOTNOTE_ID = /^fn(?:ref)?-[\w-]{1,64}$/;
export const LANGUAGE_CLASS = /^language-[\w+#.-]{1,40}$/;
