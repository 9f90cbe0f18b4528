/**
 * Keeps what HTML may not hold out of pages (HTML, 13.2.3.5): most control characters, and code points that are no
 * characters. Titles, names and texts that were written by other programs bring them. Nobody sees them, but strict readers
 * of a page stop there.
 */

/** They stand between words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SEPARATORS = /[\x0b\x1c-\x1f\x85]/g;
const FORBIDDEN = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\f\r]]/gv;

/** `html` without them, in UTF-8; the very same bytes where it has none. */
export function printable(html: Buffer): Buffer {
  const text = html.toString();
  return text.search(FORBIDDEN) < 0 ? html : Buffer.from(text.replace(SEPARATORS, ' ').replace(FORBIDDEN, ''));
}
