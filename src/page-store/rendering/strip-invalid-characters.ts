/**
 * Removes characters that HTML forbids (HTML, 13.2.3.5). Some imported posts contain them, and strict parsers reject
 * pages with such characters.
 */

/** Control characters that are replaced by a space, because they separate words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const SEPARATORS = /[\x0b\x1c-\x1f\x85]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern must match control characters too.
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/;
/** The noncharacters that end each plane except the first, as surrogate pairs. */
const LAST_OF_PLANE =
  /[\ud83f\ud87f\ud8bf\ud8ff\ud93f\ud97f\ud9bf\ud9ff\uda3f\uda7f\udabf\udaff\udb3f\udb7f\udbbf\udbff][\udffe\udfff]/;
/** Used on every page, so it lists code points: character properties (`\p{Cc}`) take twice as long to match. */
const FORBIDDEN = new RegExp(`${CONTROLS.source}|${LAST_OF_PLANE.source}`, 'g');

/** Returns `html`, which is UTF-8, without forbidden characters; returns the same buffer if it contains none. */
export function printable(html: Buffer): Buffer {
  const text = html.toString();
  return text.search(FORBIDDEN) < 0 ? html : Buffer.from(text.replace(SEPARATORS, ' ').replace(FORBIDDEN, ''));
}
