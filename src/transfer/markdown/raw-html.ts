/** HTML that is written in Markdown, made such that a parser of HTML reads it as its writer meant it. */

import type { Html, Nodes, Root } from 'mdast';
import { DROPPED } from '#blog/content/allowlist.ts';

const VOID = /^(?:area|base|br|col|embed|hr|img|image|input|link|meta|param|source|track|wbr)$/i;
/** A value of JSX, which some write in plain Markdown, too. */
const BRACES = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/.source;
const ATTRIBUTES = `(?:\\s+[^\\s"'<>/={}]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|${BRACES}|[^\\s"'=<>\`{}]+(?=[\\s>])))?)*`;
const BRACED = new RegExp(`\\s[^\\s=]+\\s*=\\s*${BRACES}`, 'g');
const TAG = new RegExp(`<(/?)([A-Za-z][\\w.:-]*)(${ATTRIBUTES})\\s*(/?)>`, 'g');

/** Elements that Markdown itself reads to their end, or to the end of the text. */
const VERBATIM = new RegExp(`<(script|style|textarea|pre)(${ATTRIBUTES})\\s*/>`, 'gi');

/** Closes the self-closing elements that Markdown would look for the end of. */
export const closeVerbatim = (text: string): string => text.replace(VERBATIM, '<$1$2></$1>');

/** What a component's name means where it is that of an element, such as `<Video>` and `<Image>`. */
const SHOWN = /^(?:video|audio|iframe|embed|image|img|figure|details|summary|table|blockquote)$/i;

/** Whether a name is a component's: `<Callout>`, `<Tabs.Item>`; `<TABLE>` is HTML. */
export const isComponent = (name: string): boolean =>
  (/^[A-Z].*[a-z]/.test(name) || name.includes('.')) && !SHOWN.test(name);

/** Scripts and styles go with all they hold, whoever wrote them. */
export const isUnread = (name: string): boolean => /^(?:script|style)$/i.test(name);

/**
 * Closes self-closing elements: to a parser of HTML `<video />` and `<title />` begin something that never ends. A
 * component gets a name that means nothing, so that its text is not read as that of a title or a list of choices.
 *
 * @returns the names of all components, in order.
 */
export function mendRawHtml(tree: Root): string[] {
  const components = new Set<string>();
  for (const node of htmlIn(tree)) {
    node.value = node.value.replace(TAG, (whole, end: string, name: string, given: string, alone: string) => {
      const attributes = given.replace(BRACED, '');
      const known = isComponent(name) && !isUnread(name);
      if (known) components.add(name);
      const tag = known && DROPPED.includes(name.toLowerCase()) ? `x-${name}` : name;
      if (end || !alone || VOID.test(tag))
        return tag === name && attributes === given ? whole : `<${end}${tag}${attributes}>`;
      return `<${tag}${attributes}></${tag}>`;
    });
  }
  return [...components];
}

export function htmlIn(node: Nodes): Html[] {
  if (node.type === 'html') return [node];
  return 'children' in node ? node.children.flatMap(htmlIn) : [];
}
