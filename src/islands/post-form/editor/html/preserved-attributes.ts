/**
 * Renames `style` and event handler attributes while HTML is parsed, because the content security policy reports each
 * of them even in inert documents.
 */
export const PRESERVED = 'data-held-';

const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** Matches whole attributes, so that text within a value is not taken for one. */
const ATTRIBUTE = /(?<=[\s"'/])([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;
const REPORTED = /^(?:style|on[a-z]+)$/i;

/** HTML that can be parsed without a policy report. */
export const preserveAttributes = (html: string): string =>
  withAttributes(html, '=', (whole, name) => (REPORTED.test(name) ? PRESERVED + whole : whole));

/** The inverse of `preserveAttributes`; text that looks like a renamed attribute stays. */
export const restoreAttributes = (html: string): string =>
  withAttributes(html, PRESERVED, (whole) => (whole.startsWith(PRESERVED) ? whole.slice(PRESERVED.length) : whole));

/** Rewrites each attribute by `change`. Only tags that contain `sign` are searched. */
export function withAttributes(html: string, sign: string, change: (whole: string, name: string) => string): string {
  if (!html.includes(sign)) return html;
  return html.replace(TAG, (tag) => (tag.includes(sign) ? tag.replace(ATTRIBUTE, change) : tag));
}
