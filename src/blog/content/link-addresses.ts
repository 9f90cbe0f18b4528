/** Addresses in texts: one rule for typed, pasted and stored ones. */

/** Schemes that a link may have. */
export const LINK_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel', 'sms'];

/** A whole address with one of the schemes, and something behind it. */
export const WHOLE_ADDRESS = new RegExp(
  `^(?:https?://[^/\\s<>"]|(?:${LINK_SCHEMES.filter((scheme) => !scheme.startsWith('http')).join('|')}):)[^\\s<>"]*$`,
  'i',
);

/** Words of other scripts may stand before it; quotation marks and full-width signs are never part of it. */
const ADDRESS =
  /(?<![\w/:`-])https?:\/\/[^/\s<>"`“”„«»‹›、。，；：！？（）「」『』【】《》][^\s<>"`“”„«»‹›、。，；：！？（）「」『』【】《》]*/gi;

/** Signs that end a sentence or an emphasis around an address. */
const END_SIGNS = ".,;:!?'’‘*_~";
const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The address without the signs behind it; a bracket that it opens itself stays (GFM 6.9, extended autolinks). */
function withoutEnd(address: string): string {
  const counts = new Map<string, number>();
  for (const sign of address) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    const opening = BRACKETS[last];
    const count = counts.get(last) ?? 0;
    if (opening ? count <= (counts.get(opening) ?? 0) : !END_SIGNS.includes(last)) break;
    counts.set(last, count - 1);
  }
  return address.slice(0, end);
}

/** The web addresses in a text, in order. */
export function addressesIn(
  text: string,
): { readonly address: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(ADDRESS)].map(({ 0: found, index }) => {
    const address = withoutEnd(found);
    return { address, start: index, end: index + address.length };
  });
}
