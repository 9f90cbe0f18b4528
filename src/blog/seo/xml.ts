/** Text as it stands in XML 1.0, in elements and in attributes. */

/** What XML cannot hold at all, not even escaped: most control characters, halves of pairs, two that are no characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
