/** A separate module, because the sanitiser is larger than the page and only posts need it. */

import { sanitise } from '#blog/content/sanitise.ts';

/** Returns the sanitised text. If it has an h1, all headings move down one level, as on a public page. */
export function presentable(content: string): string {
  const html = sanitise(content);
  if (!html.includes('<h1>')) return html;
  return html.replace(/<(\/?)h([1-5])>/g, (_, slash, level) => `<${slash}h${Number(level) + 1}>`);
}
