/** Finds formulas between dollar signs, but only in files that clearly contain TeX, so that prices remain text. */

import type { Nodes, Root } from 'mdast';
import remarkMath from 'remark-math';
import type { Processor } from 'unified';
import { outsideCode } from './shortcodes.ts';

/** Matches TeX commands, superscripts and subscripts, which do not occur in shell variables, prices and templates. */
const SIGN = /\\[A-Za-z]{2,}|\\[{}|,;]|\^|_\{|(?<![A-Za-z0-9_])[A-Za-z]_[A-Za-z0-9](?![A-Za-z0-9_])/;
const BLOCK = /(?<![\\$])\$\$(?!\$)([^$]+)\$\$(?!\$)/g;
const INLINE = /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\]|\\.)*?)(?<![\s\\])\$(?![\w$])/g;

export function hasFormulas(markdown: string): boolean {
  let isFound = false;
  outsideCode(markdown, (text) => {
    isFound ||= [BLOCK, INLINE].some((pattern) =>
      Array.from(text.matchAll(pattern)).some(([, tex = '']) => SIGN.test(tex)),
    );
    return text;
  });
  return isFound;
}

/** Puts the opening and closing `$$` of a block on separate lines, as the parser requires. */
export const ownLines = (markdown: string): string =>
  outsideCode(markdown, (text) =>
    text.replace(
      /^([ \t]*)\$\$(?!\$)[ \t]*((?:[^$\n]|\n(?![ \t]*\n))+?)[ \t]*\$\$[ \t]*$/gm,
      (whole, indent: string, tex: string) => {
        const lines = ['$$$$', ...tex.trim().split('\n'), '$$$$'].map((line) => indent + line.trim());
        return tex.trim() === '' ? whole : lines.join('\n');
      },
    ),
  );

type Tokenize = (
  this: { now(): unknown; sliceSerialize(token: { start: unknown; end: unknown }): string },
  effects: unknown,
  ok: (code: number | null) => unknown,
  nok: (code: number | null) => unknown,
) => unknown;

/** Narrows `remark-math` to pandoc's rule: no space just inside `$…$`, no digit after it. A block must be closed. */
export function remarkFormulas(this: Processor): void {
  remarkMath.call(this as never);
  const { micromarkExtensions = [] } = this.data() as {
    micromarkExtensions?: Record<'flow' | 'text', Record<number, { tokenize: Tokenize }>>[];
  };
  const dollars = micromarkExtensions.at(-1);
  const [flow, text] = [dollars?.flow[DOLLAR], dollars?.text[DOLLAR]];
  if (text)
    narrow(text, (tex, next) => /^\$+(?:\S|\S[\s\S]*\S)\$+$/.test(tex) && !(next !== null && next >= 48 && next <= 57));
  if (flow) narrow(flow, (tex) => /\n[ \t>]*\$\$+[ \t]*$/.test(tex));
}

const DOLLAR = 36;

function narrow(construct: { tokenize: Tokenize }, isFormula: (tex: string, next: number | null) => boolean): void {
  const { tokenize } = construct;
  construct.tokenize = function (effects, ok, nok) {
    const start = this.now();
    return tokenize.call(
      this,
      effects,
      (code) => (isFormula(this.sliceSerialize({ start, end: this.now() }), code) ? ok(code) : nok(code)),
      nok,
    );
  };
}

export function settleFormulas(tree: Root): void {
  const visit = (node: Nodes): void => {
    if (node.type === 'math' && node.meta) {
      const value = node.value ? `${node.meta}\n${node.value}` : node.meta;
      const [code] = (node.data?.hChildren ?? []) as { children?: { value?: string }[] }[];
      if (code?.children?.[0]) code.children[0].value = value;
      Object.assign(node, { value, meta: null });
    }
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(tree);
}
