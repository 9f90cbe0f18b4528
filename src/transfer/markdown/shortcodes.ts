/** Expands the template calls of Hugo, Zola and Jekyll in Markdown, outside code. */

import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { escapedAttribute } from '../mend-markup.ts';

export function expandShortcodes(markdown: string) {
  const unknown = new Set<string>();
  const fenced = changeBetween(rangesOf(FENCE, markdown), markdown, (text) => text.replace(HIGHLIGHT, asFence));
  return { markdown: outsideCode(fenced, (text) => expandText(text, unknown)), unknown: [...unknown] };
}

/** Matches fenced code; an unclosed fence extends to the end of the text (CommonMark 4.5). */
const FENCE = /^( {0,3}(?:> ?)*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1 {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))/gm;
const CODE = new RegExp(`${FENCE.source}|(\`+)(?!\`)[^\\n]*?[^\`\\n]\\3(?!\`)`, 'gm');
const INDENTED = /^(?: {4}|\t)/m;
const parser = unified().use(remarkParse).freeze();

/** Applies `change` to all text outside code. Uses a parser if lines are indented, to tell code from text in a list. */
export function outsideCode(markdown: string, change: (text: string) => string): string {
  const blocks = INDENTED.test(markdown) ? blocksIn(parser.parse(markdown)) : [];
  const ranges = [...blocks, ...rangesOf(CODE, markdown)].sort(([a], [b]) => a - b);
  return changeBetween(ranges, markdown, change);
}

type Range = readonly [start: number, end: number];

const rangesOf = (pattern: RegExp, text: string): Range[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => [index, index + found.length]);

/** Applies `change` to the text between the ranges, which are sorted and may overlap. */
function changeBetween(ranges: readonly Range[], text: string, change: (text: string) => string): string {
  let [done, at] = ['', 0];
  for (const [start, end] of ranges) {
    if (start < at) continue;
    done += change(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return done + change(text.slice(at));
}

function blocksIn(node: Nodes): Range[] {
  const { position } = node;
  if (node.type === 'code') return position ? [[position.start.offset ?? 0, position.end.offset ?? 0]] : [];
  return 'children' in node ? node.children.flatMap(blocksIn) : [];
}

const HIGHLIGHT =
  /^[ \t]*\{[{%][<%-]?\s*highlight\s+"?([\w+#-]*)[^}\n]*\}[ \t]*\n([\s\S]*?)\n?[ \t]*\{[{%][<%-]?\s*(?:\/|end)highlight\s*[>%-]?[}%]\}/gm;

function asFence(_: string, language: string, code: string): string {
  const fence = '`'.repeat(Math.max(3, ...Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return `${fence}${language}\n${code}\n${fence}`;
}

function expandText(text: string, unknown: Set<string>): string {
  return (
    text
      // Removes Jekyll's attribute lists, such as `{: .class #id}`.
      .replace(/^\{:[^}\n]*\}[ \t]*$/gm, '')
      .replace(/\{%-?\s*comment\b[\s\S]*?endcomment\s*-?%\}/g, '')
      .replace(/\{%-?\s*(?:end)?raw\s*-?%\}/g, '')
      .replace(/\{\{\s*(?:site\.(?:baseurl|url)|page\.\w+)\s*\}\}/g, '')
      .replace(/\{%-?\s*(?:post_url|link)\s+(\S+?)\s*-?%\}/g, (_, target: string) => fileName(target))
      .replace(/\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s>%]+)"?\s*[>%]\}\}/g, (_, target: string) => target)
      .replace(/\{\{\s*["'](https?:[^"']+|\/[^"']*)["']\s*\|[^}]*\}\}/g, (_, address: string) => address)
      // Hugo: {{< name args >}}, Zola: {{ name(args) }}; Zola's blocks and Jekyll's tags: {% name args %}.
      .replace(/\{\{[<%]\s*(\/?)([\w-]+)([\s\S]*?)\/?[>%]\}\}/g, (whole, end: string, name: string, rest: string) =>
        call(whole, name, rest, end !== '', unknown),
      )
      .replace(/\{\{\s*([\w:]+)\(([^)]*)\)\s*\}\}/g, (whole, name: string, rest: string) =>
        call(whole, name, rest, false, unknown),
      )
      .replace(/\{%-?\s*([\w:]+)\s*([\s\S]*?)-?%\}/g, (whole, name: string, rest: string) =>
        call(whole, name, rest, name.startsWith('end'), unknown),
      )
  );
}

function call(whole: string, name: string, rest: string, isEnd: boolean, unknown: Set<string>): string {
  const given = argumentsOf(rest);
  if (isEnd) return '';
  const [id = '', source = ''] = [given.id ?? given[0], given.src ?? given[0]];
  switch (name) {
    case 'figure':
    case 'image':
    case 'img':
    case 'resize_image':
      return figure(given.src ?? given.path ?? given.url ?? source, given);
    case 'youtube':
      return link(`https://www.youtube.com/watch?v=${id}`);
    case 'vimeo':
      return link(`https://vimeo.com/${id}`);
    case 'gist':
      return link(`https://gist.github.com/${[given[0] ?? given.user, given[1]].filter(Boolean).join('/')}`);
    case 'tweet':
    case 'x':
      return link(`https://x.com/${given.user ?? given[0]}/status/${given.id ?? given[1] ?? ''}`);
  }
  unknown.add(whole.length > 60 ? `${whole.slice(0, 60)}…` : whole);
  return '';
}

function figure(src: string, given: Record<string, string>): string {
  const caption = given.caption ?? given.title ?? '';
  const image = `<img src="${escapedAttribute(src)}" alt="${escapedAttribute(given.alt ?? caption)}">`;
  return `\n<figure>${image}${caption && `<figcaption>${escapedAttribute(caption)}</figcaption>`}</figure>\n\n`;
}

const link = (address: string): string => `<${address}>`;

const fileName = (target: string): string =>
  `/${target.replace(/^\/?_posts\//, '').replace(/^(\d{4})-(\d{2})-(\d{2})-(.+?)(?:\.\w+)?$/, '$1/$2/$3/$4')}`;

function argumentsOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  let place = 0;
  for (const [, key, double, single, bare] of text.matchAll(
    /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s,"'=]+))/g,
  )) {
    found[key ?? String(place++)] = double ?? single ?? bare ?? '';
  }
  return found;
}
