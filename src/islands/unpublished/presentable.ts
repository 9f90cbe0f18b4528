/** Apart from the rest because the sanitiser weighs more than the page: it is loaded when there is a post to show. */

import { sanitise } from '#blog/content/sanitise.ts';

/** The stored text, safe to show. A text with an h1 of its own moves down a level as a whole, as on a public page. */
export function presentable(content: string): string {
  const html = sanitise(content);
  if (!html.includes('<h1>')) return html;
  return html.replace(/<(\/?)h([1-5])>/g, (_, slash, level) => `<${slash}h${Number(level) + 1}>`);
}
