import type { Html, Nodes, Root } from 'mdast';
import { DROPPED } from '#blog/content/allowlist.ts';

const VOID = /^(?:area|base|br|col|embed|hr|img|image|input|link|meta|param|source|track|wbr)$/i;
const BRACES = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/.source;
const ATTRIBUTES = `(?:\\s+[^\\s"'<>/={}]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|${BRACES}|[^\\s"'=<>\`{}]+(?=[\\s>])))?)*`;
const BRACED = new RegExp(`\\s[^\\s=]+\\s*=\\s*${BRACES}`, 'g');
const TAG = new RegExp(`<(/?)([A-Za-z][\\w.:-]*)(${ATTRIBUTES})\\s*(/?)>`, 'g');

const VERBATIM = new RegExp(`<(script|style|textarea|pre)(${ATTRIBUTES})\\s*/>`, 'gi');

/** Closes self-closing elements such as `<pre />`, which Markdown would leave open until the end of the text. */
export const closeVerbatim = (text: string): string => text.replace(VERBATIM, '<$1$2></$1>');

const SHOWN = /^(?:video|audio|iframe|embed|image|img|figure|details|summary|table|blockquote)$/i;

/** Returns true for the name of a component, such as `Callout` or `Tabs.Item`, but not for HTML such as `TABLE`. */
export const isComponent = (name: string): boolean =>
  (/^[A-Z].*[a-z]/.test(name) || name.includes('.')) && !SHOWN.test(name);

export const isUnread = (name: string): boolean => /^(?:script|style)$/i.test(name);

/**
 * Closes elements such as `<video />`, which an HTML parser would leave open.
 * @returns the names of all components, in order
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
