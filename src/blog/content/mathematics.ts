/** Renders TeX formulas as MathML, which browsers lay out without scripts, fonts or styles. */

import type { Element, ElementContent } from 'hast';
import type temml from 'temml';
import { elementsIn, parseHtml, textIn } from './tree.ts';

export const FORMULA = 'math';

/** Maximum characters per formula and CPU milliseconds per document. Beyond these, formulas are shown as TeX source. */
const LONGEST = 5000;
const BUDGET = 500;
/** Limits for macro expansions and `\rule` boxes, which could otherwise use up all memory. */
const MOST_EXPANSIONS = 300;
const LARGEST_RULE = [20, 50] as [number, number];

const ELEMENTS = new Set(
  'math semantics annotation mrow mi mn mo mtext ms mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mpadded mphantom mstyle merror menclose'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'display displayStyle scriptLevel stretchy fence form separator symmetric largeop movableLimits accent accentUnder lspace rspace minsize maxsize width height depth voffset linethickness mathVariant columnSpan rowSpan encoding dir notation'
    .toLowerCase()
    .split(' '),
);
const CLASS = /^(?:tml-(?:left|right|tag|jot|small-jot|sml-pad|med-pad|lrg-pad)|mathcal|mathscr)$/;

export interface Formulas {
  /** Returns MathML. Returns undefined if `tex` is invalid or exceeds a limit; the page then shows the TeX source. */
  show(tex: string, isBlock: boolean): Element | undefined;
}

export async function openFormulas(): Promise<Formulas> {
  const { default: library } = await import('temml');
  let left = BUDGET;
  return {
    show(tex, isBlock) {
      if (tex.length > LONGEST || left <= 0) return undefined;
      const before = process.threadCpuUsage();
      try {
        return made(library, tex, isBlock);
      } catch {
        // Temml throws on invalid formulas, and deeply nested ones overflow the stack.
        return undefined;
      } finally {
        const { user, system } = process.threadCpuUsage(before);
        left -= (user + system) / 1000;
      }
    },
  };
}

function made(library: typeof temml, tex: string, isBlock: boolean): Element | undefined {
  const html = library.renderToString(tex, {
    displayMode: isBlock,
    annotate: true,
    throwOnError: true,
    trust: false,
    maxExpand: MOST_EXPANSIONS,
    maxSize: LARGEST_RULE,
    macros: {},
  });
  const tree = parseHtml(html);
  const [math] = tree.children;
  if (math?.type !== 'element' || math.tagName !== 'math') return undefined;
  for (const element of [math, ...elementsIn(math).map(([each]) => each)]) clean(element);
  return math;
}

function clean(element: Element): void {
  const { properties } = element;
  const isBoxed = /border:\s*1px/.test(String(properties.style ?? ''));
  const classes = [properties.className].flat().filter((name) => CLASS.test(String(name)));
  if (isBoxed) classes.push('math-boxed');
  element.properties = Object.fromEntries(
    Object.entries(properties).filter(([name]) => ATTRIBUTES.has(name.toLowerCase())),
  );
  if (classes.length > 0) element.properties.className = classes as string[];
  element.children = element.children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || ELEMENTS.has(child.tagName)) return [child];
    const text = textIn(child);
    return text === '' ? [] : [{ type: 'text', value: text }];
  });
}
