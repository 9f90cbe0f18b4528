/** Shows stored HTML with each block on a line of its own. */

const BETWEEN = /(<\/(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|figure|pre|section)>|<hr>)(\n?)(?=<)/g;

export interface Source {
  readonly shown: string;
  /** The stored HTML of a text that was shown in lines. */
  readonly stored: (shown: string) => string;
}

/** HTML that has such line breaks already is shown as it is. */
export function sourceOf(html: string): Source {
  if (/>\n</.test(html)) return { shown: html, stored: (shown) => shown };
  return {
    shown: html.replace(BETWEEN, '$1\n'),
    stored: (shown) => shown.replace(BETWEEN, '$1'),
  };
}
