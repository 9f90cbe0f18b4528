/** Reads the XML of feeds and sitemaps for tests: only elements, attributes in double quotes, and five entities. */

const TOKEN = /<\?xml [^?]*\?>|<(\/?)([A-Za-z][\w:.-]*)((?: [A-Za-z][\w:.-]*="[^"<]*")*) ?(\/?)>|([^<]+)/gy;
const TEXT = /^(?:[^&>]|&(?:amp|lt|gt|quot|apos);)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const NO_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Returns true if all elements nest correctly in one root and the text has no characters that XML forbids. */
export function wellFormed(text: string): boolean {
  if (NO_XML.test(text) || !text.isWellFormed()) return false;
  const open: string[] = [];
  let end = 0;
  let roots = 0;
  for (const [token, closing, name, attributes = '', empty, words] of text.matchAll(TOKEN)) {
    end += token.length;
    if (words !== undefined) {
      if (!TEXT.test(words) || (open.length === 0 && words.trim() !== '')) return false;
    } else if (closing) {
      if (open.pop() !== name) return false;
    } else if (name !== undefined) {
      if (!TEXT.test(attributes)) return false;
      if (open.length === 0) roots++;
      if (!empty) open.push(name);
    }
  }
  return end === text.length && open.length === 0 && roots === 1;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the contents of all elements with this name that contain only text, in document order. */
export function elementsNamed(text: string, name: string): string[] {
  const element = new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g');
  return Array.from(text.matchAll(element), ([, words = '']) =>
    words.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? ''),
  );
}
