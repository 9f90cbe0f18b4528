/** Addresses that posts had, brought to one form. */

/** `/2020/01/02/name`, whatever scheme, slashes, `index.html` or `.html` it is written with. */
export function addressOf(text: string): string {
  const path = text
    .trim()
    .replace(/^https?:\/\/[^/]+/i, '')
    .replace(/[?#].*$/s, '');
  return `/${path}`
    .replace(/\/+/g, '/')
    .replace(/(\/index)?\.html?$|\/index$/i, '')
    .replace(/(.)\/$/, '$1');
}

/** The query of an address, with its mark; empty without one. */
export const queryOf = (text: string): string => /\?[^#]+/.exec(text.trim())?.[0] ?? '';

/** Percent-encoded text as it is meant; as it stands where it is no such text. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
