/**
 * Keeps what HTML may not hold out of pages (HTML, 13.2.3.5): most control characters, and code points that are no
 * characters. Titles, names and texts that were written by other programs bring them. Nobody sees them, but strict readers
 * of a page stop there.
 */

/** Bytes of UTF-8 that such a character has. Most pages have none of them, and looking for more takes twice as long. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SUSPECT = /[\x00-\x08\x0b\x0e-\x1f\x7f\xc2\xef-\xf4]/;
/** The last alternative is of all planes but the first. */
const FORBIDDEN_BYTES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\x00-\x08\x0b\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xef(?:\xb7[\x90-\xaf]|\xbf[\xbe\xbf])|[\xf0-\xf4][\x8f\x9f\xaf\xbf]\xbf[\xbe\xbf]/;
/** They stand between words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SEPARATORS = /[\x0b\x1c-\x1f\x85]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const FORBIDDEN = /[\x00-\x08\x0e-\x1b\x7f-\x9f]|\p{Noncharacter_Code_Point}/gu;

/** `html` without them, in UTF-8; the very same bytes where it has none. */
export function printable(html: Buffer): Buffer {
  const bytes = html.toString('latin1');
  if (!SUSPECT.test(bytes) || !FORBIDDEN_BYTES.test(bytes)) return html;
  return Buffer.from(html.toString().replace(SEPARATORS, ' ').replace(FORBIDDEN, ''));
}
