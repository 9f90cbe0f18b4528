/** Markdown to the stored HTML of a post. */

import type { Element, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { headingSlug, isHeading } from '#blog/content/headings.ts';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { conform } from '../conform.ts';
import { expandShortcodes } from './shortcodes.ts';

export interface Converted {
  /** Change it (links, pictures), then `storedHtml` it. */
  readonly tree: Root;
  /** The text of the first heading, if it is the first thing in the post. */
  readonly firstHeading: string | undefined;
  /** Template calls that were taken out because nobody knows what they stood for. */
  readonly unknown: readonly string[];
}

const reader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
  .use(rehypeRaw)
  .freeze();

/** Reads Markdown with GitHub's extensions, raw HTML and the template calls of generators. */
export function readMarkdown(markdown: string): Converted {
  const expanded = expandShortcodes(markdown);
  const tree = reader.runSync(reader.parse(expanded.markdown)) as Root;
  nameHeadings(tree);
  conform(tree);
  const first = tree.children.find((node) => node.type === 'element');
  return {
    tree,
    firstHeading: first?.type === 'element' && isHeading(first) ? textIn(first).replace(/\s+/g, ' ').trim() : undefined,
    unknown: expanded.unknown,
  };
}

/** Takes the first heading out, when it has become the post's title. */
export function dropFirstHeading(tree: Root): void {
  tree.children.splice(
    tree.children.findIndex((node) => node.type === 'element'),
    1,
  );
}

/** Headings lose the ids their writers gave them (`## Text {#id}`, `<h2 id="id">`, `<a name="id">`); links to these go by the text. */
function nameHeadings(tree: Root): void {
  const names = new Map<string, string>();
  const elements = elementsIn(tree).map(([element]) => element);
  for (const heading of elements.filter(isHeading)) {
    const given = [heading.properties.id, takeMark(heading), ...anchorsIn(heading)].filter(
      (id) => typeof id === 'string',
    );
    for (const id of given) names.set(id, headingSlug(textIn(heading)));
  }
  for (const { tagName, properties } of elements) {
    if (tagName !== 'a' || typeof properties.href !== 'string' || !properties.href.startsWith('#')) continue;
    const slug = names.get(properties.href.slice(1));
    if (slug) properties.href = `#${slug}`;
  }
}

/** Takes `{#id .class}` or `{: #id}` off the end of a heading and gives the id. */
function takeMark(heading: Element): string | undefined {
  const last = heading.children.at(-1);
  if (last?.type !== 'text') return undefined;
  const mark = /\s*\{:?\s*(?:[#.][\w-]+\s*)+\}\s*$/.exec(last.value)?.[0];
  if (mark) last.value = last.value.slice(0, -mark.length);
  return /#([\w-]+)/.exec(mark ?? '')?.[1];
}

const anchorsIn = (heading: Element): unknown[] =>
  elementsIn(heading).flatMap(([{ properties }]) => [properties.id, properties.name]);
