const BETWEEN = /(<\/(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|figure|pre|section)>|<hr>)(\n?)(?=<)/g;

export interface Source {
  readonly shown: string;
  /** Returns the stored HTML for a text shown in lines. */
  readonly stored: (shown: string) => string;
}

/** Returns HTML that already has such line breaks unchanged. */
export function sourceOf(html: string): Source {
  if (/>\n</.test(html)) return { shown: html, stored: (shown) => shown };
  return {
    shown: html.replace(BETWEEN, '$1\n'),
    stored: (shown) => shown.replace(BETWEEN, '$1'),
  };
}
