/** Stored HTML has no line breaks of its own: for reading, each block begins a line, and afterwards does not. */

const BETWEEN = /(<\/(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|figure|pre|section)>|<hr>)(\n?)(?=<)/g;

export interface Source {
  readonly shown: string;
  /** A text that was shown so, as it is stored. */
  readonly stored: (shown: string) => string;
}

/** What has line breaks at these places already is shown as it is. */
export function sourceOf(html: string): Source {
  if (/>\n</.test(html)) return { shown: html, stored: (shown) => shown };
  return {
    shown: html.replace(BETWEEN, '$1\n'),
    stored: (shown) => shown.replace(BETWEEN, '$1'),
  };
}
