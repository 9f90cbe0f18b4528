/** Writes formulas as a line of text with superscripts and subscripts, because mail programs drop MathML. */
import type { Element, ElementContent, Root } from 'hast';
import { FORMULA, openFormulas } from '#blog/content/mathematics.ts';
import { elementsIn, replaceIn, textIn } from '#blog/content/tree.ts';

const isFormula = ({ tagName, properties }: Element): boolean =>
  tagName === 'code' && [properties.className].flat().includes(`language-${FORMULA}`);

/**
 * Replaces the formulas of a sanitised text by elements with the property `dataFormula`: `p` for a block, `span`
 * within a line. A formula that cannot be parsed stays as its TeX source.
 */
export async function writeFormulas(tree: Root): Promise<void> {
  const found = elementsIn(tree).filter(([element]) => isFormula(element));
  if (found.length === 0) return;
  const formulas = await openFormulas();
  const parents = new Map(elementsIn(tree));
  for (const [code, parent] of found) {
    const block = parent.type === 'element' && parent.tagName === 'pre' ? parent : undefined;
    const math = formulas.show(textIn(code), block !== undefined);
    const from = block ?? code;
    const home = block ? parents.get(block) : parent;
    if (!math || !home) continue;
    replaceIn(home, from, {
      type: 'element',
      tagName: block ? 'p' : 'span',
      properties: { dataFormula: '' },
      children: written(math, true),
    });
  }
}

const text = (value: string): ElementContent => ({ type: 'text', value });
const element = (tagName: string, children: ElementContent[]): ElementContent[] =>
  textIn({ type: 'root', children }).trim() === '' && tagName !== 'br'
    ? []
    : [{ type: 'element', tagName, properties: {}, children }];
const elementsOf = ({ children }: Element): Element[] =>
  children.filter((child) => child.type === 'element').filter(({ tagName }) => tagName !== 'annotation');

/** Accents above a letter, as combining characters. */
const ACCENTS = new Map(
  '^\u0302 ˆ\u0302 ~\u0303 ˜\u0303 ¯\u0304 ‾\u0304 ˙\u0307 ¨\u0308 →\u20d7'
    .split(' ')
    .map((pair) => [pair[0], pair[1]]),
);
/** Operators without a sign, and braces that stretch. */
const INVISIBLE = /[\u2061-\u2064\u23dc-\u23df]/g;
/** Mathematical symbols that stand directly before what they apply to. */
const CLOSE = /^[∑∏∐∫∬∭∮√∂∇¬]$/;

/** @param isWhole true if nothing stands beside the element, so that the rows of a table are lines of the formula */
function written(node: Element, isWhole: boolean): ElementContent[] {
  const children = elementsOf(node);
  const [first, second, third] = children;
  const of = (child: Element | undefined) => (child ? written(child, false) : []);
  const sub = (child: Element | undefined) => element('sub', of(child));
  const sup = (child: Element | undefined) =>
    /^[′″‴]+$/.test(textIn(child ?? node)) ? of(child) : element('sup', of(child));
  const gap = CLOSE.test(textIn(first ?? node).trim()) ? [text(' ')] : [];
  switch (node.tagName) {
    case 'mphantom':
      return [];
    case 'mspace':
      return [text(' ')];
    case 'mi':
      return /^\p{L}$/u.test(textIn(node)) ? element('em', [text(textIn(node))]) : [text(textIn(node))];
    case 'mo':
      return [text(operator(node))];
    case 'mfrac':
      return node.properties.linethickness === '0px'
        ? [...of(first), text(' ¦ '), ...of(second)]
        : [...grouped(of(first)), text('/'), ...grouped(of(second))];
    case 'msqrt':
      return [text('√'), ...grouped(children.flatMap(of))];
    case 'mroot':
      return [...sup(second), text('√'), ...grouped(of(first))];
    case 'mover':
    case 'msup': {
      const accent = node.tagName === 'mover' ? ACCENTS.get(textIn(second ?? node).trim()) : undefined;
      const base = textIn(first ?? node).trim();
      if (accent && [...base].length === 1) return element('em', [text(base + accent)]);
      return [...of(first), ...(accent ? [] : sup(second))];
    }
    case 'msub':
    case 'munder':
      return [...of(first), ...sub(second), ...gap];
    case 'msubsup':
    case 'munderover':
      return [...of(first), ...sub(second), ...sup(third), ...gap];
    case 'mtable': {
      const rows = children.map((row) => joined(elementsOf(row).map(of), [text(' ')]));
      return joined(rows, isWhole ? element('br', []) : [text('; ')]);
    }
    default:
      if (!first) return [text(textIn(node))];
      return children.flatMap((child) => written(child, isWhole && children.length === 1));
  }
}

function operator({ properties, children }: Element): string {
  const sign = textIn({ type: 'root', children }).replace(INVISIBLE, '');
  if (properties.form === 'prefix' || CLOSE.test(sign) || properties.fence === 'true') return sign;
  if (sign === ',' || sign === ';') return `${sign} `;
  return /^[\p{Sm}\u2190-\u22ff:]+$/u.test(sign) && sign !== '/' ? ` ${sign} ` : sign;
}

/** Adds brackets around more than a number or a letter, so that a fraction on one line keeps its meaning. */
function grouped(parts: ElementContent[]): ElementContent[] {
  const whole = textIn({ type: 'root', children: parts });
  return /^(?:[\p{N}.]+|\p{L}\p{M}*)$/u.test(whole.trim()) ? parts : [text('('), ...parts, text(')')];
}

const joined = (parts: ElementContent[][], between: ElementContent[]): ElementContent[] =>
  parts.filter((part) => part.length > 0).flatMap((part, at) => (at > 0 ? [...between, ...part] : part));
