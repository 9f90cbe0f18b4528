import type { Root } from 'hast';
import { elementsIn, parseHtml, textIn } from '#blog/content/tree.ts';
import { conform } from './conform.ts';
import { embedOf } from './embeds.ts';
import { build, replaceElement } from './figures.ts';
import { wordsIn } from './words.ts';

export type Findings = { readonly [Kind in 'notes' | 'losses']: string[] };

const UNTAKEN = /^(?:script|noscript|object|svg|math|form|select|textarea|canvas|template)$/;

/** Parses HTML, calls `prepare`, and converts to the stored form. @throws RangeError if it is nested too deeply */
export function readHtml(html: string, prepare?: (tree: Root, found: Findings) => void) {
  const tree = parseHtml(html);
  const losses: string[] = [];
  const told: string[] = [];
  prepare?.(tree, { notes: told, losses });
  settleFormulas(tree);
  for (const [element, parent] of elementsIn(tree)) {
    const { tagName, properties } = element;
    if (!UNTAKEN.test(tagName)) continue;
    const source = [properties.src, properties.data].find((each) => typeof each === 'string');
    // Pages with lazy-loaded pictures repeat them in `noscript`.
    if (tagName === 'noscript') continue;
    if (tagName === 'object' && embedOf(element)) continue;
    if (typeof source === 'string' && /^(?:https?:)?\/\//.test(source)) {
      const href = source.replace(/^\/\//, 'https://').replace(/^(https:\/\/gist\.github\.com\/.+)\.js(?=$|\?)/, '$1');
      replaceElement(parent, element, [build('a', [href], { href })]);
    } else
      losses.push(
        `<${tagName}>${tagName === 'script' ? '' : ` ${textIn(element, 60).trim()}`}: a post cannot contain this`,
      );
  }
  for (const [{ tagName, properties }] of elementsIn(tree)) {
    // Some platforms store the alternative text as the title.
    if (tagName === 'img' && !properties.alt && properties.title) properties.alt = properties.title;
  }
  const words = wordsIn(tree).map((word) => ({ word }));
  const notes = conform(tree);
  return { tree, notes: [...told, ...notes], losses, words };
}

/** Replaces MathML with the TeX in its annotation (docs/decisions/007-html-in-the-editor.md). */
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

/** Maximum characters of HTML read for a title or an excerpt. At most 300 characters of the text are stored. */
const TITLE_READ = 20_000;

export const plainTitle = (html: string): string =>
  textIn(parseHtml(html.slice(0, TITLE_READ)))
    .replace(/\s+/g, ' ')
    .trim();
