export const inertPage = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** Parses HTML after a `<body>` tag, so that the parser does not move elements such as `<style>` into the head. */
export const inertBody = (html: string): HTMLElement => inertPage(`<body>${html}`);

/** Parses stored HTML, renaming some attributes. Serialize the result with `htmlIn`, which restores their names. */
export const inertContent = (html: string): HTMLElement => inertBody(preserveAttributes(html));

/** Prefix for `style` and event handler attributes, which would cause CSP reports even in inert documents. */
export const PRESERVED = 'data-held-';

const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** Matches attributes with their values, so that text inside a value is not mistaken for an attribute. */
const ATTRIBUTE = /(?<=[\s"'/])([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;
const REPORTED = /^(?:style|on[a-z]+)$/i;

export const preserveAttributes = (html: string): string =>
  withAttributes(html, '=', (whole, name) => (REPORTED.test(name) ? PRESERVED + whole : whole));

/** Inverse of `preserveAttributes`. Text that looks like a renamed attribute is unchanged. */
export const restoreAttributes = (html: string): string =>
  withAttributes(html, PRESERVED, (whole) => (whole.startsWith(PRESERVED) ? whole.slice(PRESERVED.length) : whole));

/** Rewrites each attribute with `change`. Searches only tags that contain `sign`. */
export function withAttributes(html: string, sign: string, change: (whole: string, name: string) => string): string {
  if (!html.includes(sign)) return html;
  return html.replace(TAG, (tag) => (tag.includes(sign) ? tag.replace(ATTRIBUTE, change) : tag));
}
