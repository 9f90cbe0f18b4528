/** A text as long as an article, and limits for the size of its page. */

/** Maximum bytes of the compressed page, including its styles. */
export const HTML_AND_STYLES = 10_240;
/** Limits for fonts: Newsreader, its italics and Inter (Latin subset), or a look's fonts. Code uses a system font. */
export const FONTS = { files: 3, bytes: 45_000 };

const WORDS = `Ink spreads along the fibres until it meets the size that the maker brushed on while nobody looks because
paper remembers every hand which touched it before morning came and every margin keeps a promise`.split(/\s/);

const sentence = (seed: number) =>
  Array.from({ length: 17 }, (_, i) => WORDS[(seed * 7 + i * (seed + 3)) % WORDS.length]).join(' ');

/** 5 KB of text with italics. The sentences differ, because repeated ones would compress to nothing. */
export const ARTICLE = Array.from(
  { length: 26 },
  (_, i) => `<p>${sentence(i)}, <em>${sentence(i + 50)}</em>.</p>`,
).join('\n');
