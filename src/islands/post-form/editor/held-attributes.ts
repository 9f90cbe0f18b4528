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
  html.replace(TAG, (tag) =>
    tag.includes('=')
      ? tag.replace(ATTRIBUTE, (whole, name: string) => (REPORTED.test(name) ? HELD + whole : whole))
      : tag,
  );

/** What `hold` was given. */
export const release = (html: string): string => html.replaceAll(HELD, '');
