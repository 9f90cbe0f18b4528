import type { Element, ElementContent, RootContent } from 'hast';
import type {
  AlignType,
  BlockContent,
  DefinitionContent,
  FootnoteDefinition,
  Html,
  ListItem,
  RootContent as MarkdownContent,
  PhrasingContent,
  TableCell,
  TableRow,
} from 'mdast';
import { textIn, writeHtml } from '#blog/content/tree.ts';
import { isElement } from '../html/figures.ts';
import type { OwnForm } from '../markdown/own-text.ts';

type Form = Pick<OwnForm, 'isCompact' | 'hasMathematics'> & {
  readonly hasNotes: boolean;
};

const NO_MARKDOWN = new Error('Markdown has no form for this element.');

export function markdownOf(element: Element, form: Form): MarkdownContent[] | undefined {
  try {
    return isNotes(element) ? notesOf(element, form) : [blockOf(element, form)];
  } catch (error) {
    if (error === NO_MARKDOWN) return undefined;
    throw error;
  }
}

/** Returns an HTML block. Escapes line breaks before empty lines, which would end the block (CommonMark 4.6). */
export const rawBlock = (nodes: readonly RootContent[]): Html => ({
  type: 'html',
  value: writeHtml({ type: 'root', children: [...nodes] }).replace(/\n(?=[ \t]*(?:\n|$))/g, '&#10;'),
});

const isNotes = ({ tagName, properties }: Element): boolean => tagName === 'section' && 'dataFootnotes' in properties;
export const mentionsNotes = (html: string): boolean => /data-footnote(?:s|-ref)=/.test(html);

function blockOf(element: Element, form: Form): BlockContent {
  const { tagName, properties, children } = element;
  if (/^h[1-6]$/.test(tagName))
    return { type: 'heading', depth: Number(tagName[1]) as 1, children: lineOf(children, form) };
  switch (tagName) {
    case 'p':
      return { type: 'paragraph', children: lineOf(children, form) };
    case 'hr':
      return { type: 'thematicBreak' };
    case 'blockquote':
      return { type: 'blockquote', children: blocksOf(children, form) };
    case 'pre':
      return codeOf(element, form);
    case 'ol':
    case 'ul': {
      const items = elementsOf(children);
      const spread = items.some(({ children }) => children.some((child) => isElement(child, 'p')));
      const start = tagName === 'ol' ? Number(properties.start ?? 1) : undefined;
      if (start !== undefined && start < 0) throw NO_MARKDOWN;
      return {
        type: 'list',
        ordered: tagName === 'ol',
        start,
        spread,
        children: items.map((item) => itemOf(item, spread, form)),
      };
    }
    case 'table':
      return tableOf(element, form);
  }
  throw NO_MARKDOWN;
}

/** Returns the child elements. @throws NO_MARKDOWN for text between them, except for line breaks */
function elementsOf(children: readonly ElementContent[]): Element[] {
  return children.flatMap((node) => {
    if (node.type === 'element') return [node];
    if (node.type === 'text' && /^\n*$/.test(node.value)) return [];
    throw NO_MARKDOWN;
  });
}

const blocksOf = (children: readonly ElementContent[], form: Form): BlockContent[] =>
  elementsOf(children).map((child) => blockOf(child, form));

const BLOCK = /^(?:p|h[1-6]|hr|blockquote|pre|[uo]l|table|figure|section)$/;

function itemOf({ properties, children }: Element, spread: boolean, form: Form): ListItem {
  if (properties.id !== undefined) throw NO_MARKDOWN;
  const first = children.findIndex((node) => node.type === 'element' && BLOCK.test(node.tagName));
  const [line, rest] = first < 0 ? [children, []] : [children.slice(0, first), children.slice(first)];
  const words = lineOf(trimmed(line), form);
  const checked = properties.dataChecked === undefined ? undefined : properties.dataChecked === 'true';
  const blocks = blocksOf(rest, form);
  return {
    type: 'listItem',
    spread,
    checked,
    children: words.length > 0 ? [{ type: 'paragraph', children: words }, ...blocks] : blocks,
  };
}

function trimmed(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node, index): ElementContent[] => {
    if (node.type !== 'text') return [node];
    let { value } = node;
    if (index === 0) value = value.replace(/^\n+/, '');
    if (index === nodes.length - 1) value = value.replace(/\n+$/, '');
    return value === '' ? [] : [{ ...node, value }];
  });
}

function codeOf({ children }: Element, { isCompact, hasMathematics }: Form): BlockContent {
  const [code, ...more] = children;
  if (!isElement(code, 'code') || more.length > 0) throw NO_MARKDOWN;
  const text = textIn(code);
  const lang = languageOf(code);
  if (lang === 'math' && hasMathematics && text.trim() !== '' && !/^\n|\n$/.test(text))
    return { type: 'math', value: text };
  if (!isCompact && !text.endsWith('\n')) throw NO_MARKDOWN;
  return { type: 'code', lang, value: isCompact ? text : text.slice(0, -1) };
}

function languageOf({ properties }: Element): string | undefined {
  const [name] = Array.isArray(properties.className) ? properties.className : [];
  return name === undefined ? undefined : String(name).replace(/^language-/, '');
}

function tableOf({ children }: Element, form: Form): BlockContent {
  const [head, body, ...more] = elementsOf(children);
  if (head?.tagName !== 'thead' || more.length > 0 || (body && body.tagName !== 'tbody')) throw NO_MARKDOWN;
  const rows = [...elementsOf(head.children), ...(body ? elementsOf(body.children) : [])];
  const aligns = elementsOf(rows[0]?.children ?? []).map(({ properties }) => properties.align as AlignType | undefined);
  return {
    type: 'table',
    align: aligns.map((align) => align ?? null),
    children: rows.map((row, index): TableRow => {
      const cells = elementsOf(row.children);
      if (cells.length !== aligns.length) throw NO_MARKDOWN;
      return {
        type: 'tableRow',
        children: cells.map((cell): TableCell => {
          const { tagName, properties } = cell;
          if (tagName !== (index === 0 ? 'th' : 'td') || properties.colSpan || properties.rowSpan) throw NO_MARKDOWN;
          return { type: 'tableCell', children: lineOf(cell.children, form, true) };
        }),
      };
    }),
  };
}

function lineOf(nodes: readonly ElementContent[], form: Form, isCell = false): PhrasingContent[] {
  const line: PhrasingContent[] = [];
  let isBehindBreak = false;
  for (const node of nodes) {
    if (node.type === 'text') {
      const value = isBehindBreak ? node.value.replace(/^\n/, '') : node.value;
      if (isCell && value.includes('\n')) throw NO_MARKDOWN;
      if (value !== '') line.push({ type: 'text', value });
    } else if (node.type === 'element') line.push(...spanOf(node, form, isCell));
    else throw NO_MARKDOWN;
    isBehindBreak = isElement(node, 'br') && !form.isCompact && !isCell;
  }
  return line;
}

function spanOf(element: Element, form: Form, isCell: boolean): PhrasingContent[] {
  const { tagName, properties, children } = element;
  const inner = () => lineOf(children, form, isCell);
  switch (tagName) {
    case 'strong':
      return [{ type: 'strong', children: inner() }];
    case 'em':
      return [{ type: 'emphasis', children: inner() }];
    case 'del':
      return [{ type: 'delete', children: inner() }];
    case 'code': {
      if (children.some(({ type }) => type !== 'text')) break;
      const value = textIn(element);
      if (languageOf(element) === 'math' && form.hasMathematics) return [{ type: 'inlineMath', value }];
      if (properties.className !== undefined || value === '') break;
      return [{ type: 'inlineCode', value }];
    }
    case 'a': {
      const { href, title, ...others } = properties;
      if (typeof href !== 'string' || Object.keys(others).length > 0) break;
      return [{ type: 'link', url: href, title: title === undefined ? null : String(title), children: inner() }];
    }
    case 'img': {
      const { src, alt, title, ...others } = properties;
      if (typeof src !== 'string' || alt === undefined || Object.keys(others).length > 0) break;
      return [{ type: 'image', url: src, alt: String(alt), title: title === undefined ? null : String(title) }];
    }
    case 'br':
      return isCell ? [{ type: 'html', value: '<br>' }] : [{ type: 'break' }];
    case 'sup': {
      const [reference] = children;
      if (form.hasNotes && reference?.type === 'element' && 'dataFootnoteRef' in reference.properties) {
        const name = noteName(String(reference.properties.href).slice(1));
        return [{ type: 'footnoteReference', identifier: name, label: name }];
      }
    }
  }
  if (BLOCK.test(tagName)) throw NO_MARKDOWN;
  const whole = writeHtml({ type: 'root', children: [{ ...element, children: [] }] });
  const end = `</${tagName}>`;
  if (!whole.endsWith(end)) return [{ type: 'html', value: whole }];
  return [{ type: 'html', value: whole.slice(0, -end.length) }, ...inner(), { type: 'html', value: end }];
}

function noteName(id: string): string {
  const name = /^fn-(.+)$/.exec(id)?.[1];
  if (name === undefined) throw NO_MARKDOWN;
  return name;
}

function notesOf({ children }: Element, form: Form): FootnoteDefinition[] {
  const [list, ...more] = elementsOf(children);
  if (!form.hasNotes || list?.tagName !== 'ol' || more.length > 0) throw NO_MARKDOWN;
  return elementsOf(list.children).map((item) => {
    const name = noteName(String(item.properties.id));
    const blocks: DefinitionContent[] | BlockContent[] = blocksOf(withoutWaysBack(item.children), form);
    return { type: 'footnoteDefinition', identifier: name, label: name, children: blocks };
  });
}

/** Removes the links from a footnote back to the text, because the Markdown reader adds these links. */
function withoutWaysBack(children: readonly ElementContent[]): ElementContent[] {
  const at = children.findLastIndex((node) => node.type === 'element');
  const last = children[at];
  if (last?.type !== 'element') return [...children];
  const isWayBack = (node: ElementContent | undefined) =>
    node?.type === 'element' && 'dataFootnoteBackref' in node.properties;
  const inner = [...last.children];
  while (isWayBack(inner.at(-1))) {
    inner.pop();
    const before = inner.at(-1);
    if (before?.type === 'text' && before.value.endsWith(' '))
      inner[inner.length - 1] = { ...before, value: before.value.slice(0, -1) };
    while (inner.at(-1)?.type === 'text' && textIn(inner.at(-1) as ElementContent) === '') inner.pop();
  }
  return children.map((node, index) => (index === at ? { ...last, children: inner } : node));
}
