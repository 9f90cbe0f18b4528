/** Rewrites Obsidian's links, embeds, comments, marks, callouts and block ids as Markdown. Keeps the line numbers. */
import type { Nodes, Parents } from 'mdast';
import { headingSlug } from '#blog/content/headings.ts';
import { isPictureName } from '../pictures.ts';
import { hasFormulas, ownLines } from './formulas.ts';
import { formulaParser, markdownParser } from './markdown.ts';
import { addressIn, type Vault } from './obsidian-vault.ts';
import { isMarkdownName } from './sources.ts';

/** In the patterns, \0 stands for a character outside text blocks, \x01 for code, formulas or markup inside them. */
const LINK = /(?<!\\)(!?)\[\[([^[\]\n\0]+)\]\]/g;
const COMMENT = /(?<![\d\\%])%%[\s\S]*?%%/g;
const MARK = /(?<![=\\])==(?![\s=])(?:[^=\0]|=(?!=))+(?<!\s)==(?!=)/g;
/** Matches only at the end of a block. A power such as `^2` is not an id. */
const BLOCK_ID = /(?<![^\s>\0])\^(?!\d{1,2}(?:\0|$))[A-Za-z\d-]{2,}(?=\0|$)/g;
const CALLOUT = /^\[!([^[\]|\n]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*/;
const SIZE = /^(?:(.*)\|)?(\d+)(?:x(\d+))?$/s;

type Edit = readonly [start: number, end: number, markdown: string];

/**
 * Returns Markdown, which `settleObsidian` completes after parsing; undefined if the folder is not marked as a vault
 * and the text has no Obsidian link.
 */
export function plainObsidian(
  body: string,
  vault: Vault,
  { mathematics, notes }: { readonly mathematics: boolean; readonly notes: string[] },
): string | undefined {
  if (!vault.isMarked && body.search(LINK) < 0) return undefined;
  const formulas = mathematics || hasFormulas(body);
  const text = formulas ? ownLines(body) : body;
  const [signs, edits]: [string[], Edit[]] = [new Array(text.length).fill('\0'), []];
  const paint = (node: Nodes, parent?: Parents): void => {
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    const source = text.slice(start, end);
    if (/^(?:paragraph|heading|tableCell)$/.test(node.type)) signs.fill('\x01', start, end);
    const isFirst = node.type === 'paragraph' && parent?.type === 'blockquote' && parent.children[0] === node;
    // Turns a callout's title into a heading, because a heading ends at the end of the line and a paragraph does not.
    if (isFirst && CALLOUT.test(source)) edits.push([start, start, '###### ']);
    // Masks HTML except for its percent signs, because an Obsidian comment may begin or end inside it.
    const isHtml = node.type === 'html' && signs[start] === '\0';
    const seen = node.type === 'text' ? source : isHtml ? source.replace(/[^%]/g, '\0') : '';
    for (let at = 0; at < seen.length; at++) signs[start + at] = seen[at] ?? '';
    if ('children' in node && !(node.type === 'link' && !source.startsWith('[')))
      for (const child of node.children) paint(child, node);
  };
  paint((formulas ? formulaParser : markdownParser).parse(text));
  const painted = signs.join('');
  if (!vault.isMarked && painted.search(LINK) < 0) return undefined;
  const add = (start: number, { length }: string, markdown: string) => edits.push([start, start + length, markdown]);
  // Keeps a comment's line breaks, and the quote marks (`>`) or indentation that follow them.
  const shown = painted.replace(COMMENT, (comment, start: number) => {
    add(start, comment, (text.slice(start, start + comment.length).match(/\n[ \t>]*/g) ?? []).join(''));
    return '\0'.repeat(comment.length);
  });
  for (const { 0: link, 1: { length } = '', index } of shown.matchAll(LINK))
    add(index, link, linkOf(text.slice(index + length + 2, index + link.length - 2), length > 0, vault, notes));
  for (const { 0: mark, index } of shown.matchAll(MARK)) {
    add(index, '==', '<mark>');
    add(index + mark.length - 2, '==', '</mark>');
  }
  for (const { 0: id, index } of shown.matchAll(BLOCK_ID)) add(index, id, '');
  let [done, at] = ['', 0];
  for (const [start, end, markdown] of edits.sort(([a], [b]) => a - b)) {
    if (start < at) continue;
    done += text.slice(at, start) + markdown;
    at = end;
  }
  return done + text.slice(at);
}

function linkOf(inner: string, isEmbed: boolean, vault: Vault, notes: string[]): string {
  const [target = '', ...given] = inner.replaceAll('\\|', '|').split('|');
  const [name = '', ...headings] = target.split('#').map((part) => part.trim());
  const path = vault.find(name);
  const words = given.join('\\|').trim();
  if (isEmbed && isPictureName(name)) return `![${words}](${path ? addressIn(path) : addressIn(name).slice(1)})`;
  const heading = headings.at(-1)?.startsWith('^') ? undefined : headings.at(-1);
  const shown = words || escaped([name, ...(heading ? headings : [])].filter(Boolean).join(' > ') || target);
  if (name === '') return heading ? `[${shown}](#${headingSlug(heading)})` : shown;
  if (path === undefined) notes.push(`removed a link, because its target was not found: ${name}`);
  else if (isEmbed) notes.push(`replaced an embed with a link: ${path}`);
  // Post pages prefix heading ids with `h-`.
  const fragment = heading && path && isMarkdownName(path) ? `#h-${headingSlug(heading)}` : '';
  return path === undefined ? shown : `[${shown}](${addressIn(path)}${fragment})`;
}

const escaped = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** Turns callout titles into bold paragraphs, and reads picture sizes from alternative texts. */
export function settleObsidian(node: Nodes): void {
  if (node.type === 'image') {
    const [, alt = '', width, height] = SIZE.exec(node.alt ?? '') ?? [];
    if (width) Object.assign(node, { alt, data: { hProperties: { width, height } } });
  }
  if (!('children' in node)) return;
  const [title] = node.children;
  const [first] = title?.type === 'heading' ? title.children : [];
  const [sign = '', kind = ''] = first?.type === 'text' ? (CALLOUT.exec(first.value) ?? []) : [];
  if (node.type === 'blockquote' && title?.type === 'heading' && first?.type === 'text' && sign) {
    const isAlone = first.value === sign && title.children.length === 1;
    first.value = isAlone ? kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase() : first.value.slice(sign.length);
    node.children[0] = { ...title, type: 'paragraph', children: [{ type: 'strong', children: title.children }] };
  }
  for (const child of node.children) settleObsidian(child);
}
