/** A module of its own, because the sanitiser weighs more than the page and is needed only for a post. */

import { sanitise } from '#blog/content/sanitise.ts';

/** Returns the sanitised text. If it has an h1, all headings move down a level, as on a public page. */
export function presentable(content: string): string {
  const html = sanitise(content);
  if (!html.includes('<h1>')) return html;
  return html.replace(/<(\/?)h([1-5])>/g, (_, slash, level) => `<${slash}h${Number(level) + 1}>`);
}
