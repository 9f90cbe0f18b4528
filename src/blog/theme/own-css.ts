/**
 * Sanitises an owner's style sheet, so that it loads nothing from other sites. It is served as a separate file, so it
 * cannot close a `<style>` element of a page.
 */
import type { CssNode } from 'css-tree';
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import walk from 'css-tree/walker';

const MAX_CHARACTERS = 32 * 1024;
/** Maximum nesting of brackets, because deeper nesting would exhaust the parser's stack. */
const MAX_DEPTH = 32;

const AT_RULES =
  /^(?:container|counter-style|font-face|keyframes|layer|media|page|property|scope|starting-style|supports|view-transition)$/i;
/** Matches functions that load a URL, even from a variable, and names with escapes, which may hide such functions. */
const LOADING = /^(?:-\w+-)?(?:image|image-set|src|url)$|\\/i;
/** Matches a path on this site, a fragment of the page, or a picture as a `data:` URL. */
const OWN_ADDRESS =
  /^(?:\/(?![/\\])[^\\\p{Cc}]*|#[^\p{Cc}]*|data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,][^\p{Cc}]*)$/u;

/** Returns the style sheet without forbidden rules and declarations; empty if too long or too deeply nested. */
export function ownCss(given: string): string {
  const text = withoutEndTags(given);
  if (text.length > MAX_CHARACTERS || depthOf(text) > MAX_DEPTH) return '';
  // Overwrites the parser's buffer, because the parser reads past the text and can hang on a bracket that an earlier
  // text left there.
  parse(','.repeat(text.length + 1), { context: 'value' });
  const sheet = parse(text, { parseCustomProperty: true });
  walk(sheet, (node, item, list) => {
    if (!list || !isUnusable(node)) return undefined;
    list.remove(item);
    return walk.skip;
  });
  return withoutEndTags(generate(sheet));
}

/**
 * Escapes `</`, which would end a `<style>` element if a page ever inlined the sheet. Also called before parsing, so
 * that the text checked is the text that browsers parse.
 */
const withoutEndTags = (css: string): string => css.replaceAll('</', '<\\/');

/** Returns true for forbidden rules and declarations, and for `Raw` nodes: text that the parser did not understand. */
function isUnusable(node: CssNode): boolean {
  switch (node.type) {
    case 'Atrule':
      return !AT_RULES.test(node.name) || (node.prelude !== null && isUnsafe(node.prelude));
    case 'Rule':
      return isUnsafe(node.prelude);
    case 'Declaration':
      return isUnsafe(node.value);
    default:
      return node.type === 'Raw' && !/^[\s;]*$/.test(node.value);
  }
}

const isUnsafe = (tree: CssNode): boolean =>
  walk.find(tree, (node) => {
    if (node.type === 'Url') return !OWN_ADDRESS.test(node.value);
    if (node.type === 'Function') return LOADING.test(node.name);
    return node.type === 'Raw' && node.value.trim() !== '';
  }) !== null;

const { Function: CALL, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket } = tokenTypes;
const { RightParenthesis, RightSquareBracket, RightCurlyBracket } = tokenTypes;
const OPENING = new Set([CALL, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket]);
const CLOSING = new Set([RightParenthesis, RightSquareBracket, RightCurlyBracket]);

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  tokenize(text, (type) => {
    if (OPENING.has(type)) deepest = Math.max(deepest, ++depth);
    else if (CLOSING.has(type)) depth = Math.max(0, depth - 1);
  });
  return deepest;
}
