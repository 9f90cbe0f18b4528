/** Converts HTML to the stored form (docs/content.md) without losing a word, by replacing unsupported elements. */

import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import { ALLOWED, DROPPED, SYNONYMS } from '#blog/content/allowlist.ts';
import { sanitise } from '#blog/content/sanitise.ts';
import { elementsIn, textIn, writeHtml } from '#blog/content/tree.ts';
import { decoded } from '../addresses.ts';
import { EMBEDS, embedOf } from './embeds.ts';
import { build, isElement } from './figures.ts';

export const storedHtml = (tree: Root): string => sanitise(writeHtml(tree)).trim();

const BLOCKS = new Set(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul'.split(
    ' ',
  ),
);
/** Elements that contain only text in the editor. Blocks inside them become separate lines of text. */
const LINES = new Set(['td', 'th', 'caption', 'figcaption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p']);

const isBlock = (node: ElementContent): node is Element => node.type === 'element' && BLOCKS.has(node.tagName);
const isList = (node: ElementContent): node is Element => node.type === 'element' && /^[uo]l$/.test(node.tagName);

/** Converts the tree in place and returns notes for the operator. */
export function conform(tree: Root): string[] {
  const notes: string[] = [];
  settleEmbeds(tree, notes);
  tree.children = flow(tree.children as ElementContent[]) as RootContent[];
  numberFootnotes(tree);
  return notes;
}

/** Replaces embeds with links. Removes `data:` files, which can be neither shown nor linked. */
function settleEmbeds(parent: Root | Element, notes: string[]): void {
  parent.children = (parent.children as ElementContent[]).flatMap((node) => {
    if (node.type !== 'element') return [node];
    const embed = EMBEDS.includes(node.tagName) ? embedOf(node) : undefined;
    if (!embed) {
      const wasEmpty = node.children.every(isBlank);
      const isLink = node.tagName === 'a' && elementsIn(node).some(([each]) => EMBEDS.includes(each.tagName));
      settleEmbeds(node, notes);
      if (isLink && elementsIn(node).some(([{ tagName }]) => tagName === 'a')) {
        notes.push(`removed a link around an embed: ${node.properties.href}`);
        return node.children;
      }
      if (node.tagName === 'p' && !wasEmpty && node.children.every(isBlank)) return [];
      return node.tagName === 'iframe' ? [] : EMBEDS.includes(node.tagName) ? node.children : [node];
    }
    const { href, title } = embed;
    if (/^data:/i.test(href)) {
      notes.push(`left out a file embedded in the text: ${/^[^;,]*/.exec(href)?.[0]} (${inKilobytes(href)})`);
      return [];
    }
    notes.push(`replaced an embed with a link: ${href}`);
    return [paragraph([build('a', [title], { href })])];
  }) as typeof parent.children;
}

const inKilobytes = (data: string): string => `${Math.round((data.length * 3) / 4 / 1000)} kB`;

function flow(children: readonly ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let line: ElementContent[] = [];
  const endLine = () => {
    if (line.some((node) => !isBlank(node))) result.push(paragraph(line));
    else result.push(...line.filter((node) => node.type === 'text').map(newline));
    line = [];
  };
  for (const child of children.flatMap(conformed)) {
    if (isBlock(child)) {
      endLine();
      if (child.tagName === 'figcaption') addCaption(child, result);
      else result.push(child);
    } else line.push(child);
  }
  endLine();
  return result;
}

function addCaption(caption: Element, above: ElementContent[]): void {
  const at = above.findLastIndex((node) => !isBlank(node));
  const before = above[at];
  const [image, ...more] = isElement(before, 'p') ? before.children.filter((node) => !isBlank(node)) : [];
  if (isElement(image, 'img') && more.length === 0)
    above.splice(at, above.length - at, build('figure', [image, caption]));
  else above.push(paragraph(caption.children));
}

function flowOrLine(children: readonly ElementContent[]): ElementContent[] {
  const inner = children.flatMap(conformed);
  return inner.some((node) => isBlock(node) && !isList(node)) ? flow(children) : inner;
}

function definitions({ children }: Element): ElementContent[] {
  const items: Element[] = [];
  const others: ElementContent[] = [];
  let hasMeaning = true;
  for (const part of children.flatMap((each) => (isElement(each, 'div') ? each.children : [each]))) {
    if (!isElement(part, 'dt') && !isElement(part, 'dd')) {
      if (!isBlank(part)) others.push(part);
      continue;
    }
    const isTerm = part.tagName === 'dt';
    const last = items.at(-1);
    const item = last && !(isTerm && hasMeaning) ? last : build('li', []);
    if (item !== last) items.push(item);
    hasMeaning = !isTerm;
    const first = part.children.find((each) => !isBlank(each));
    const isLine = isTerm || !(first && isBlock(first));
    if (item.children.length > 0 && isLine) item.children.push(build('br', []));
    item.children.push(...(isTerm ? [build('strong', lineOf(part.children))] : withoutBlankEnds(part.children)));
  }
  const list = build('ul', items);
  return [...(items.length > 0 ? conformed(list) : []), ...flow(others)];
}

const withoutBlankEnds = (children: readonly ElementContent[]): ElementContent[] => {
  const first = children.findIndex((each) => !isBlank(each));
  return first < 0 ? [] : children.slice(first, children.findLastIndex((each) => !isBlank(each)) + 1);
};

function conformed(node: ElementContent): ElementContent[] {
  if (node.type === 'text') return [node];
  if (node.type !== 'element') return [];
  const tag = SYNONYMS[node.tagName] ?? node.tagName;
  if (DROPPED.includes(tag)) return [];
  const element: Element = { ...node, tagName: tag };
  if (tag === 'pre') return [codeBlock(element)];
  if (tag === 'input') return [element];
  if (tag === 'summary' || tag === 'dt') return [paragraph([build('strong', lineOf(node.children))])];
  if (tag === 'dl') return definitions(element);
  if (tag === 'section' && 'dataFootnotes' in node.properties) return [footnotes(element)];
  if (tag === 'li') return [{ ...element, children: flowOrLine(node.children) }];
  if (tag === 'figure') return [figure(element)];
  if (tag === 'blockquote') return [{ ...element, children: flow(node.children) }];
  if (LINES.has(tag)) return withContent(aligned({ ...element, children: lineOf(node.children) }));
  if (/^[uo]l$/.test(tag)) return [listOf(element)];
  if (tag in ALLOWED && tag !== 'section') return withWords({ ...element, children: node.children.flatMap(conformed) });
  if (BLOCKS.has(tag)) return [...flow(node.children), newline()];
  return node.children.flatMap(conformed);
}

function lineOf(children: readonly ElementContent[]): ElementContent[] {
  const line: ElementContent[] = [];
  for (const child of children.flatMap(conformed)) {
    if (!isBlock(child)) line.push(child);
    else {
      if (line.some((node) => !isBlank(node))) line.push(build('br', []));
      line.push(...unblocked(child));
    }
  }
  return line;
}

function unblocked(block: Element): ElementContent[] {
  if (block.tagName === 'hr') return [];
  const isSpaced = /^(?:[uo]l|table|tbody|thead|tr)$/.test(block.tagName);
  const inner = block.children.filter((node) => !(isSpaced && node.type === 'text' && isBlank(node)));
  return inner.flatMap((node, index) => {
    if (node.type !== 'element') return [node];
    if (BLOCKS.has(node.tagName) || /^(?:li|tr|thead|tbody|tfoot)$/.test(node.tagName))
      return [...(index > 0 ? [build('br', [])] : []), ...unblocked(node)];
    if (/^t[dh]$/.test(node.tagName)) return [...unblocked(node), { type: 'text', value: ' ' }];
    return [node];
  });
}

function listOf(list: Element): Element {
  const children: ElementContent[] = [];
  let loose: Element | undefined;
  for (const child of list.children.flatMap(conformed)) {
    const isItem = isElement(child, 'li');
    if (isItem) loose = undefined;
    if (isItem || (!loose && isBlank(child))) children.push(child);
    else {
      const before = isList(child) ? children.findLast((each) => each.type === 'element') : undefined;
      if (before) before.children.push(child);
      else if (loose) loose.children.push(child);
      else {
        loose = build('li', [child]);
        children.push(loose);
      }
    }
  }
  return { ...list, children };
}

function figure(element: Element): Element {
  const { true: captions = [], false: others = [] } = Object.groupBy(
    element.children,
    (child) => `${isElement(child, 'figcaption')}`,
  );
  return { ...element, children: [...flowOrLine(others), ...captions.flatMap(conformed)] };
}

function withContent(line: Element): ElementContent[] {
  if (!/^h[1-6]$/.test(line.tagName) || textIn(line).trim() !== '') return [line];
  return line.children.some((child) => !isBlank(child)) ? [paragraph(line.children)] : [];
}

function withWords(element: Element): ElementContent[] {
  const inline = /^(?:a|strong|em|del|u|sub|sup|mark|code)$/.test(element.tagName);
  if (inline && element.children.length === 0) return [];
  const holdsBlocks = element.children.some(isBlock);
  if (inline && holdsBlocks && element.tagName === 'code') return [codeBlock({ ...element, tagName: 'pre' })];
  if (inline && holdsBlocks) {
    return element.children.map((child) =>
      child.type === 'element' && LINES.has(child.tagName)
        ? { ...child, children: [{ ...element, children: child.children }] }
        : child,
    );
  }
  return [element];
}

function codeBlock(pre: Element): Element {
  const code = pre.children.find((child) => isElement(child, 'code'));
  const classes = [code, pre].flatMap((each) => (each?.properties.className as string[] | undefined) ?? []);
  const named =
    classes.map(String).find((name) => /^(?:language|lang)-/.test(name)) ??
    (typeof pre.properties.lang === 'string' ? `language-${pre.properties.lang}` : undefined);
  // Drops options after the language: rustdoc writes `rust,ignore`, Hugo `go {linenos=…}`, Zola `toml, linenos`.
  const language = named
    ?.replace(/^(?:language|lang)-/, '')
    .split(/[\s,{:]/)[0]
    ?.toLowerCase();
  const text = preText(pre);
  return build('pre', [build('code', [text], language ? { className: [`language-${language}`] } : {})]);
}

function preText(node: Nodes): string {
  if (node.type === 'element' && node.tagName === 'br') return '\n';
  if (node.type === 'element' && /^(?:p|div)$/.test(node.tagName)) return `${node.children.map(preText).join('')}\n`;
  return 'children' in node ? node.children.map(preText).join('') : textIn(node);
}

function footnotes(section: Element): Element {
  const rest = section.children.filter((child) => !(child.type === 'element' && /^h[1-6]$/.test(child.tagName)));
  return { ...section, children: rest.flatMap(conformed) };
}

/** Renumbers footnotes in order, because ids from the source may not fit the stored form. */
function numberFootnotes(tree: Root): void {
  const numbers = new Map<string, number>();
  const elements = elementsIn(tree).map(([element]) => element);
  for (const { tagName, properties } of elements) {
    const name = tagName === 'li' ? /^(?:user-content-)?fn-(.+)$/.exec(String(properties.id ?? ''))?.[1] : undefined;
    if (name !== undefined) numbers.set(name, numbers.size + 1);
  }
  const renamed = (value: unknown): string | undefined => {
    const [, kind, name = ''] =
      /^#?(?:user-content-)?(fn|fnref)-(.+)$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (!kind) return undefined;
    const [, base = name, again = ''] = numbers.has(name) ? [] : (/^(.+?)(-\d+)$/.exec(name) ?? []);
    const number = numbers.get(base) ?? numbers.get(decoded(base));
    return number === undefined ? undefined : `${kind}-${number}${again}`;
  };
  for (const { properties } of elements) {
    const id = renamed(properties.id);
    if (id) properties.id = id;
    const href = String(properties.href ?? '').startsWith('#') && renamed(properties.href);
    if (href) properties.href = `#${href}`;
  }
}

function aligned(element: Element): Element {
  const align = /text-align:\s*(left|center|right)/i.exec(String(element.properties.style ?? ''))?.[1];
  return align ? { ...element, properties: { ...element.properties, align: align.toLowerCase() } } : element;
}

const isBlank = (node: ElementContent): boolean =>
  node.type === 'comment' || (node.type === 'text' && node.value.trim() === '');

const newline = (): ElementContent => ({ type: 'text', value: '\n' });

function paragraph(children: ElementContent[]): Element {
  return build('p', trimmed(withoutBlankEnds(children)));
}

function trimmed(children: ElementContent[]): ElementContent[] {
  return children.map((node, index) => {
    if (node.type !== 'text') return node;
    let { value } = node;
    if (index === 0) value = value.trimStart();
    if (index === children.length - 1) value = value.trimEnd();
    return { ...node, value };
  });
}
