/** Reads the documentation's pages and checks every link between them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';
import type { Heading, Image, Link, Nodes } from 'mdast';
import { headingSlug } from '#blog/content/headings.ts';
import { OperatorError } from '#blog/errors.ts';
import { markdownParser } from '#transfer/markdown/markdown.ts';
import type { Chapter } from './contents.ts';

export interface DocsPage {
  /** Path in the project, such as `docs/operating.md`. */
  readonly file: string;
  readonly slug: string;
  readonly title: string;
  /** The rest of the sentence that begins with “This page” in the first paragraph; empty if there is none. */
  readonly purpose: string;
  readonly text: string;
  readonly links: readonly DocsLink[];
}

/** A link or a picture, except for links to other sites. */
export interface DocsLink {
  readonly node: Link | Image;
  /** Path of the target in the project. */
  readonly place: string;
  /** Begins with `#`; empty if the link names no part of the page. */
  readonly fragment: string;
}

interface ReadPage extends DocsPage {
  readonly anchors: ReadonlySet<string>;
}

/** Returns the pages in the order of the chapters. @throws OperatorError naming each page and link that is wrong */
export function readPages(root: string, chapters: readonly Chapter[]): DocsPage[] {
  const files = chapters.flatMap((chapter) => chapter.files.flatMap((file) => filesOf(root, file)));
  const missing = files.filter((file) => !existsSync(join(root, file)));
  const unlisted = pagesIn(root, 'docs').filter((file) => !files.includes(file));
  stopAt([
    ...missing.map((file) => `scripts/docs/contents.ts lists ${file}, which does not exist.`),
    ...unlisted.map((file) => `${file} is in no chapter. Add it to scripts/docs/contents.ts.`),
  ]);
  const pages = new Map(files.map((file) => [file, readPage(root, file)]));
  stopAt([...pages.values()].flatMap((page) => page.links.flatMap((link) => faultOf(root, page, link, pages))));
  return [...pages.values()];
}

/** Returns the files to which a chapter's entry refers. */
export const filesOf = (root: string, entry: string): string[] =>
  entry.endsWith('/') ? pagesIn(root, entry) : [entry];

const pagesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name));

function readPage(root: string, file: string): ReadPage {
  const text = readFileSync(join(root, file), 'utf8');
  const tree = markdownParser.parse(text);
  const headings = nodesIn(tree).filter((node): node is Heading => node.type === 'heading');
  const [first] = tree.children;
  if (first?.type !== 'heading' || first.depth !== 1) stopAt([`${file} must begin with its title: # Title`]);
  return {
    ...{ file, text },
    slug: file === 'SECURITY.md' ? 'security-policy' : basename(file, '.md').toLowerCase(),
    title: headings[0] ? wordsOf(headings[0]) : '',
    purpose: tree.children[1] ? (/\bThis page (.+?\.)(?:\s|$)/s.exec(wordsOf(tree.children[1]))?.[1] ?? '') : '',
    anchors: anchorsOf(headings),
    links: nodesIn(tree).flatMap((node) => linkOf(node, file)),
  };
}

/** Returns the fragments of a page's headings. Repeated headings are numbered. */
function anchorsOf(headings: readonly Heading[]): Set<string> {
  const anchors = new Set<string>();
  const times = new Map<string, number>();
  for (const heading of headings) {
    const slug = headingSlug(wordsOf(heading));
    const n = times.get(slug) ?? 0;
    times.set(slug, n + 1);
    anchors.add(n === 0 ? `#${slug}` : `#${slug}-${n}`);
  }
  return anchors;
}

function linkOf(node: Nodes, file: string): DocsLink[] {
  if (node.type !== 'link' && node.type !== 'image') return [];
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(node.url)) return [];
  const [path = '', part] = node.url.split('#', 2);
  const place = path === '' ? file : normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '');
  return [{ node, place, fragment: part ? `#${part}` : '' }];
}

function faultOf(
  root: string,
  { file }: DocsPage,
  { node, place, fragment }: DocsLink,
  pages: ReadonlyMap<string, ReadPage>,
): string[] {
  const at = `${file}:${node.position?.start.line}`;
  const isInside = !place.startsWith('..') && existsSync(join(root, place));
  if (!isInside) return [`${at} links to ${node.url}, but there is no ${place}.`];
  const page = pages.get(place);
  if (fragment && page && !page.anchors.has(fragment))
    return [`${at} links to ${node.url}, but ${place} has no heading ${fragment}.`];
  return [];
}

export const isFolder = (root: string, place: string): boolean => statSync(join(root, place)).isDirectory();

const nodesIn = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])];

const wordsOf = (node: Nodes): string =>
  nodesIn(node)
    .map((each) => (each.type === 'text' || each.type === 'inlineCode' ? each.value : ''))
    .join('');

function stopAt(faults: readonly string[]): void {
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
}
