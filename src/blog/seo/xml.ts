/** Escapes text for elements and attributes of XML 1.0. */

/** Characters that XML cannot contain even escaped. Lone surrogates are replaced by `toWellFormed`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
