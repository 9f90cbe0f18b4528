/**
 * The page's policy reports every style and every event handler that is parsed as an attribute, in documents that nobody
 * sees too. Texts of other clients have some: between the text and the text they bear another name.
 */
export const HELD = 'data-held-';

const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** Whole, so that no words within another's value are taken for one. */
const ATTRIBUTE = /(?<=[\s"'/])([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;
const REPORTED = /^(?:style|on[a-z]+)$/i;

/** HTML that can be parsed without a report. */
export const hold = (html: string): string =>
  withAttributes(html, '=', (whole, name) => (REPORTED.test(name) ? HELD + whole : whole));

/** What `hold` was given; words that only read like a held attribute are the writer's. */
export const release = (html: string): string =>
  withAttributes(html, HELD, (whole) => (whole.startsWith(HELD) ? whole.slice(HELD.length) : whole));

/** The same, each attribute as `change` gives it. Only tags with `sign` in them are looked at. */
export function withAttributes(html: string, sign: string, change: (whole: string, name: string) => string): string {
  if (!html.includes(sign)) return html;
  return html.replace(TAG, (tag) => (tag.includes(sign) ? tag.replace(ATTRIBUTE, change) : tag));
}
