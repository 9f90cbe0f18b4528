/** Extracts a post's text without markup, for descriptions and search. */

import { sanitise } from './sanitise.ts';

/** Matches the names of inline elements, with a leading slash for end tags. */
export const INLINE = /^\/?(?:a|code|del|em|img|mark|strong|sub|sup|u)$/;

/** Returns the text that readers see, one line per block, without the links between footnotes and text. */
export const textOf = (html: string): string => textOfSanitised(sanitise(html));

export function textOfSanitised(html: string): string {
  return html
    .replace(/<[^>]*$/, '')
    .replace(/<a ([^>]*)>[^<]*(?:<sup>[^<]*<\/sup>)?<\/a>/g, (link, attributes: string) =>
      NOTE_LINK.test(attributes) ? '' : link,
    )
    .replace(/<(\/?[a-z0-9]+)[^>]*>/g, (_, tag: string) => (INLINE.test(tag) ? '' : '\n'))
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** Lengths of HTML to try for an excerpt, in characters. The first is usually enough, the second almost always. */
const HEADS = [2_000, 10_000];
const CUT = 40;

const NOTE_LINK = /(?:^| )data-footnote-(?:back)?ref=""/;

function withoutHeadings(html: string): string {
  const unclosed = new Set<string>();
  let kept = '';
  let end = 0;
  const headings = /<(h[1-6])>/g;
  for (let match = headings.exec(html); match; match = headings.exec(html)) {
    const [, tag = ''] = match;
    const closed = unclosed.has(tag) ? -1 : html.indexOf(`</${tag}>`, headings.lastIndex);
    if (closed < 0) unclosed.add(tag);
    else {
      kept += html.slice(end, match.index);
      end = closed + `</${tag}>`.length;
      headings.lastIndex = end;
    }
  }
  return kept + html.slice(end);
}

/**
 * Returns the beginning of the text, at most `length` characters long. Cuts a longer text after a whole word and
 * appends `…`. Skips headings unless the text has nothing else. `read` extracts the text from HTML.
 */
export function excerpt(html: string, length: number, read = textOf): string {
  // Reads all of the HTML only if its beginning contains too little text.
  const whole = () => read(withoutHeadings(html)) || read(html);
  const text = (beginning(html, length, read) ?? whole()).replace(/\n/g, ' ');
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const end = cut.lastIndexOf(' ');
  // Text without spaces (such as Chinese) is cut between characters.
  const kept = end > length / 2 ? cut.slice(0, end) : cut.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/**
 * Returns the start of the text, more than `length` characters, without reading all of `html`. Returns undefined if
 * `html` is short or its beginning contains too little text.
 */
function beginning(html: string, length: number, read: typeof textOf): string | undefined {
  for (const size of HEADS) {
    if (html.length <= size) return undefined;
    const text = read(withoutHeadings(html.slice(0, size)));
    if (text.length > length + CUT) return text.slice(0, -CUT);
  }
  return undefined;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
