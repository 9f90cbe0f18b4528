/** HTML of another platform as a tree of the stored form, with all that it could not carry over. */

import type { Root } from 'hast';
import { elementsIn, parseHtml, textIn } from '#blog/content/tree.ts';
import type { SourceWord } from '../document.ts';
import { conform } from './conform.ts';
import { embedOf } from './embeds.ts';
import { wordsIn } from './words.ts';

export interface ReadHtml {
  readonly tree: Root;
  /** What the operator should know, in words. */
  readonly notes: readonly string[];
  /** What was not taken, in words. */
  readonly losses: readonly string[];
  /** What the post has to hold. */
  readonly words: readonly SourceWord[];
}

/** Where a format's own step tells what it took out. */
export type Findings = { readonly [Kind in 'notes' | 'losses']: string[] };

const UNTAKEN = /^(?:script|noscript|object|svg|math|form|select|textarea|canvas|template)$/;

/**
 * @param prepare brings what is peculiar to a format to plain HTML, and names what it takes out
 * @throws RangeError where it has too many levels.
 */
export function readHtml(html: string, prepare?: (tree: Root, found: Findings) => void): ReadHtml {
  const tree = parseHtml(html);
  const losses: string[] = [];
  const told: string[] = [];
  prepare?.(tree, { notes: told, losses });
  settleFormulas(tree);
  for (const [element, parent] of elementsIn(tree)) {
    const { tagName, properties } = element;
    if (!UNTAKEN.test(tagName)) continue;
    const source = [properties.src, properties.data].find((each) => typeof each === 'string');
    // Pictures that load late stand in `noscript` once more.
    if (tagName === 'noscript') continue;
    // It becomes a link with all others that are embedded.
    if (tagName === 'object' && embedOf(element)) continue;
    if (typeof source === 'string' && /^(?:https?:)?\/\//.test(source)) {
      const href = source.replace(/^\/\//, 'https://').replace(/^(https:\/\/gist\.github\.com\/.+)\.js(?=$|\?)/, '$1');
      const link = {
        type: 'element',
        tagName: 'a',
        properties: { href },
        children: [{ type: 'text', value: href }],
      } as const;
      const children = parent.children as Root['children'];
      children.splice(children.indexOf(element), 1, { ...link, children: [...link.children] });
    } else
      losses.push(
        `<${tagName}>${tagName === 'script' ? '' : ` ${textIn(element, 60).trim()}`}: it has no place in a text`,
      );
  }
  for (const [{ tagName, properties }] of elementsIn(tree)) {
    // Platforms ask for one text, and some store it as the title alone.
    if (tagName === 'img' && !properties.alt && properties.title) properties.alt = properties.title;
  }
  const words = wordsIn(tree).map((word) => ({ word }));
  const notes = conform(tree);
  return { tree, notes: [...told, ...notes], losses, words };
}

/** MathML that says what it was made of is that formula (docs/decisions/007-html-in-the-editor.md). */
function settleFormulas(tree: Root): void {
  for (const [element] of elementsIn(tree)) {
    if (element.tagName !== 'math') continue;
    const source = elementsIn(element).find(
      ([{ tagName, properties }]) => tagName === 'annotation' && properties.encoding === 'application/x-tex',
    );
    const tex = (
      source ? textIn(source[0]) : String(element.properties.alttext ?? element.properties.altText ?? '')
    ).trim();
    if (!tex) continue;
    const children = [{ type: 'text' as const, value: tex }];
    Object.assign(element, { tagName: 'code', properties: { className: ['language-math'] }, children });
  }
}

/** Characters of HTML that are read of a title or an excerpt: no post keeps more than 300 of its text. */
const TITLE_READ = 20_000;

/** Text of a title, which platforms write as HTML. */
export const plainTitle = (html: string): string =>
  textIn(parseHtml(html.slice(0, TITLE_READ)))
    .replace(/\s+/g, ' ')
    .trim();
