export const LINK_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel', 'sms'];

export const WHOLE_ADDRESS = new RegExp(
  `^(?:https?://[^/\\s<>"]|(?:${LINK_SCHEMES.filter((scheme) => !scheme.startsWith('http')).join('|')}):)[^\\s<>"]*$`,
  'i',
);

/** Matches URLs, even directly after Chinese or Japanese text. Quotation marks and CJK punctuation end a URL. */
const ADDRESS =
  /(?<![\w/:`-])https?:\/\/[^/\s<>"`“”„«»‹›、。，；：！？（）「」『』【】《》][^\s<>"`“”„«»‹›、。，；：！？（）「」『』【】《》]*/gi;

const END_SIGNS = ".,;:!?'’‘*_~";
const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Drops trailing punctuation but keeps a closing bracket whose opening bracket is in the URL (GFM 6.9). */
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

export function addressesIn(text: string) {
  return [...text.matchAll(ADDRESS)].map(({ 0: found, index }) => {
    const address = withoutEnd(found);
    return { address, start: index, end: index + address.length };
  });
}
