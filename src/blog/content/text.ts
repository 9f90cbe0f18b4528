/** The words of a post without its markup: for descriptions, search, counting. */

import { sanitise } from './sanitise.ts';

/** Elements that stand inside a line; the end of any other one ends the line. */
const INLINE = /^\/?(?:a|code|del|em|img|mark|strong|sub|sup|u)$/;

/** The text that a reader sees, one line a block, without the marks of footnotes' way back. */
export const textOf = (html: string): string => textOfSanitised(sanitise(html));

/** The same of HTML that was through `sanitise`, and may have been cut off behind that. */
export function textOfSanitised(html: string): string {
  return html
    .replace(/<[^>]*$/, '')
    .replace(/<a ([^>]*)>[^<]*<\/a>/g, (link, attributes: string) => (BACK.test(attributes) ? '' : link))
    .replace(/<(\/?[a-z0-9]+)[^>]*>/g, (_, tag: string) => (INLINE.test(tag) ? '' : '\n'))
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** Characters of HTML that usually hold an excerpt, and that nearly always do. */
const HEADS = [2_000, 10_000];
/** The last words of a text that was cut off anywhere may be cut themselves. */
const CUT = 40;

/** As the sanitiser writes it. */
const BACK = /(?:^| )data-footnote-backref=""/;

/** Without headings, each to the first end of its kind. One that nobody closed stays. */
function withoutHeadings(html: string): string {
  const unclosed = new Set<string>();
  let kept = '';
  let end = 0;
  const headings = /<(h[1-6])>/g;
  for (let match = headings.exec(html); match; match = headings.exec(html)) {
    const [, tag = ''] = match;
    const closed = unclosed.has(tag) ? -1 : html.indexOf(`</${tag}>`, headings.lastIndex);
    // What follows need not be searched for it again.
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
 * The beginning of the text in at most `length` characters, ending with a whole word and, where cut, with `…`. Headings
 * are left out, which are no sentences, unless there is nothing else. `read`: the text of a part of `html`.
 */
export function excerpt(html: string, length: number, read = textOf): string {
  // The beginning of a text is in the beginning of its HTML, unless that is all markup.
  const whole = () => read(withoutHeadings(html)) || read(html);
  const text = (beginning(html, length, read) ?? whole()).replace(/\n/g, ' ');
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const end = cut.lastIndexOf(' ');
  // Text without spaces (Chinese, say) is cut between characters, never inside one.
  const kept = end > length / 2 ? cut.slice(0, end) : cut.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** A text longer than `length` out of the beginning of `html`; undefined when there is none. */
function beginning(html: string, length: number, read: typeof textOf): string | undefined {
  for (const size of HEADS) {
    if (html.length <= size) return undefined;
    const text = read(withoutHeadings(html.slice(0, size)));
    if (text.length > length + CUT) return text.slice(0, -CUT);
  }
  return undefined;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
