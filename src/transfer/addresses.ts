/** Returns a URL's path, such as `/2020/01/02/name`, without query, repeated or final slashes, `index` or `.html`. */
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

export const queryOf = (text: string): string => /\?[^#]+/.exec(text.trim())?.[0] ?? '';

/** Decodes percent-encoding; returns malformed text unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
