/**
 * Sanitises an owner's style sheet: what remains loads nothing from other sites. It is served as a file of its own, so
 * it cannot end a page's element.
 */
import type { CssNode } from 'css-tree';
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import walk from 'css-tree/walker';

const MAX_CHARACTERS = 32 * 1024;
/** Deeper nesting would exhaust the parser's stack. */
const MAX_DEPTH = 32;

const AT_RULES =
  /^(?:container|counter-style|font-face|keyframes|layer|media|page|property|scope|starting-style|supports|view-transition)$/i;
/** Functions that take an address as a string, which may come from a variable. A backslash may hide their names. */
const LOADING = /^(?:-\w+-)?(?:image|image-set|src|url)$|\\/i;
/** A path on this site, a part of the page, or a picture in the sheet itself. */
const OWN_ADDRESS =
  /^(?:\/(?![/\\])[^\\\p{Cc}]*|#[^\p{Cc}]*|data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,][^\p{Cc}]*)$/u;

export interface OwnCss {
  readonly css: string;
  /** What was left out: a line of the given text, and the name of a rule or property. */
  readonly removed: readonly { readonly line: number; readonly name: string }[];
}

export function ownCss(text: string): OwnCss {
  if (text.length > MAX_CHARACTERS || depthOf(text) > MAX_DEPTH) return { css: '', removed: [{ line: 1, name: '*' }] };
  const removed: OwnCss['removed'][number][] = [];
  const sheet = parse(text, { positions: true, parseCustomProperty: true });
  walk(sheet, (node, item, list) => {
    const name = list ? unusable(node) : undefined;
    if (name === undefined) return undefined;
    list.remove(item);
    removed.push({ line: node.loc?.start.line ?? 1, name });
    return walk.skip;
  });
  return { css: generate(sheet).replaceAll('</', '<\\/'), removed };
}

/** Returns the name of a rule or declaration that must not be served. `Raw` is text that the parser did not understand. */
function unusable(node: CssNode): string | undefined {
  switch (node.type) {
    case 'Atrule':
      return AT_RULES.test(node.name) && !(node.prelude && isUnsafe(node.prelude)) ? undefined : `@${node.name}`;
    case 'Rule':
      return isUnsafe(node.prelude) ? generate(node.prelude) : undefined;
    case 'Declaration':
      return isUnsafe(node.value) ? node.property : undefined;
    case 'Raw':
      return /^[\s;]*$/.test(node.value) ? undefined : node.value.trim().slice(0, 40);
    default:
      return undefined;
  }
}

const isUnsafe = (tree: CssNode): boolean =>
  walk.find(tree, (node) => {
    if (node.type === 'Url') return !OWN_ADDRESS.test(node.value);
    if (node.type === 'Function') return LOADING.test(node.name);
    return node.type === 'Raw' && node.value.trim() !== '';
  }) !== null;

/** Returns the greatest number of blocks, brackets and functions within each other. */
function depthOf(text: string): number {
  const { Function: fn, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket } = tokenTypes;
  const { RightParenthesis, RightSquareBracket, RightCurlyBracket } = tokenTypes;
  const opening: readonly number[] = [fn, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket];
  const closing: readonly number[] = [RightParenthesis, RightSquareBracket, RightCurlyBracket];
  let depth = 0;
  let deepest = 0;
  tokenize(text, (type) => {
    if (opening.includes(type)) deepest = Math.max(deepest, ++depth);
    else if (closing.includes(type)) depth = Math.max(0, depth - 1);
  });
  return deepest;
}
