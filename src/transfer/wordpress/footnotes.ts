/** Adds footnotes of the block editor, which stores references in the text, and the notes as JSON in a custom field. */

import type { Root } from 'hast';
import { z } from 'zod';
import { elementsIn, parseHtml } from '#blog/content/tree.ts';
import { build, replaceElement } from '../html/figures.ts';
import type { Findings } from '../html/read-html.ts';
import { jsonOf } from '../read-json.ts';

const notes = z.array(z.object({ id: z.string(), content: z.string() }));

export function addFootnotes(tree: Root, json: string, found: Findings): void {
  if (json.trim() === '') return;
  const read = notes.safeParse(jsonOf(json));
  if (!read.success) {
    found.losses.push('its footnotes, because they cannot be read');
    return;
  }
  const numbers = new Map(read.data.map(({ id }, index) => [id, index + 1]));
  for (const [mark, parent] of elementsIn(tree)) {
    const number = mark.tagName === 'sup' && numbers.get(String(mark.properties.dataFn ?? ''));
    if (!number) continue;
    const link = build('a', [String(number)], { href: `#fn-${number}`, id: `fnref-${number}`, dataFootnoteRef: true });
    replaceElement(parent, mark, [build('sup', [link])]);
  }
  const items = read.data.map(({ content }, index) => {
    const back = build('a', ['↩'], { href: `#fnref-${index + 1}`, dataFootnoteBackref: true });
    const inner = parseHtml(content).children.filter((node) => node.type === 'element' || node.type === 'text');
    return build('li', [build('p', [...inner, ' ', back])], { id: `fn-${index + 1}` });
  });
  tree.children.push(build('section', [build('ol', items)], { dataFootnotes: true }));
}
