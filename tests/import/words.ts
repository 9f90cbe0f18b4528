/**
 * Compares the words of Markdown files with the words of the posts they became; the import promises `0 words lost`.
 *
 *   npm run words -- DIR REPORT SITE
 *
 * DIR is the imported folder, REPORT the file that `npm run import -- … --report FILE` wrote, SITE the address of the
 * running site. The words are read from the public pages; drafts are not compared. The sources are parsed by the
 * Markdown library alone, without the code of the import.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Nodes } from 'hast';
import type { Nodes as Markdown } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { missingFrom, WORD } from '../../src/transfer/html/words.ts';
import type { Result } from '../../src/transfer/write/write.ts';

/** Elements whose text is not visible on the original page. */
const UNREAD = new Set('script style template svg iframe video audio object noscript textarea'.split(' '));
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n[\s\S]*?(?<=\n)\1[ \t]*(?:\r?\n|$)/;
/** Matches template calls and kramdown attributes, which are not text. Keeps the content of `highlight` blocks. */
const TEMPLATE = /\{%[\s\S]*?%\}|\{\{[<%][\s\S]*?[%>]\}\}|^\{:[^}\n]*\}[ \t]*$|[ \t]*\{#[\w-]+\}[ \t]*$/gm;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const mdxParser = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
const toHtml = unified().use(remarkRehype, { allowDangerousHtml: true }).use(rehypeRaw).freeze();

/** Removes MDX imports, exports and expressions, and keeps the content of components. */
function plainMdx(node: Markdown): void {
  if (!('children' in node)) return;
  const isText = ({ type }: Markdown) => !/^mdx(?:jsEsm|FlowExpression|TextExpression)$/.test(type);
  Object.assign(node, { children: node.children.filter(isText) });
  for (const child of node.children) {
    if (/^mdxJsx/.test(child.type)) Object.assign(child, { data: { hName: /Flow/.test(child.type) ? 'div' : 'span' } });
    plainMdx(child);
  }
}

/** Removes self-closing tags, which an HTML parser would never close. */
function withoutSelfClosing(node: Markdown): void {
  if (node.type === 'html') node.value = node.value.replace(/<[a-z][\w.]*(?:[^<>"']|"[^"]*"|'[^']*')*\/>/gi, ' ');
  if ('children' in node) for (const child of node.children) withoutSelfClosing(child);
}

function treeOf(body: string, isMdx: boolean): Nodes {
  try {
    const tree = (isMdx ? mdxParser : parser).parse(body);
    if (isMdx) plainMdx(tree);
    withoutSelfClosing(tree);
    return toHtml.runSync(tree);
  } catch (error) {
    if (!isMdx) throw error;
    return treeOf(body, false);
  }
}

/** Returns the words a reader sees in a Markdown file, in order, without the title in its front matter. */
export function wordsOfSource(text: string, isMdx = false): string[] {
  const body = text
    .replace(/^\uFEFF/, '')
    .replace(FRONT_MATTER, '')
    .replace(/\{%\s*comment[\s\S]*?endcomment\s*%\}/g, '');
  const bare = body.includes('```') ? body : body.replace(TEMPLATE, ' ');
  return wordsOf(readText(treeOf(isMdx ? body : bare, isMdx)));
}

/** Returns the words of a post: its title and its stored or served HTML. */
export function wordsOfPost(title: string, html: string): string[] {
  const tree = unified()
    .use(rehypeRaw)
    .runSync({ type: 'root', children: [{ type: 'raw', value: html } as never] });
  return wordsOf(`${title} ${readText(tree as Nodes)}`);
}

/** Returns the words that `source` has more often than `post`. Added words (a caption, a title) do not count. */
export const lostWords = (source: readonly string[], post: readonly string[]): string[] =>
  missingFrom(
    source.map((word) => ({ word })),
    post,
  ).map(({ word }) => word);

const wordsOf = (text: string): string[] => text.normalize('NFC').match(WORD) ?? [];

function readText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  if (node.type === 'element' && (UNREAD.has(node.tagName) || node.properties.id === 'footnote-label')) return '';
  // A footnote's back references show an arrow and, from the second one on, a number; neither is in the source.
  if (node.type === 'element' && 'dataFootnoteBackref' in node.properties) return '';
  const inner = node.children.map(readText).join('');
  // Inline elements do not separate words: <b>w</b>ord.
  return node.type === 'element' && !/^(?:a|b|code|del|em|i|kbd|mark|s|small|span|strong|sub|sup|u)$/.test(node.tagName)
    ? ` ${inner} `
    : inner;
}

/** Names each post that lost words and returns the number of lost words. */
export async function compareWords(folder: string, report: string, site: string): Promise<number> {
  const lines = JSON.parse(await readFile(report, 'utf8')) as Pick<Result, 'path' | 'slug'>[];
  let [compared, words, lost] = [0, 0, 0];
  for (const { path, slug } of lines) {
    if (!slug) continue;
    const response = await fetch(`${site}/post/${slug}`);
    if (response.status === 404) continue;
    if (!response.ok) throw new Error(`/post/${slug} answered ${response.status}`);
    const source = wordsOfSource(await readFile(join(folder, path), 'utf8'), path.endsWith('.mdx'));
    const missing = lostWords(source, wordsOfPost('', await response.text()));
    compared++;
    words += source.length;
    lost += missing.length;
    if (missing.length > 0)
      console.log(`${path} -> /post/${slug}: ${missing.length} lost: ${missing.slice(0, 12).join(' ')}`);
  }
  console.log(`${compared} posts compared, ${words} words, ${lost} words lost`);
  return lost;
}
