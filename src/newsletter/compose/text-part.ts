/** Writes the text part of a mail: the same content as the HTML part, for programs and people who prefer plain text. */
import type { Element, ElementContent, Nodes } from 'hast';
import { isHeading } from '#blog/content/headings.ts';
import { textIn } from '#blog/content/tree.ts';
import { newsletterMailText } from '#blog/messages/newsletter-mail.ts';
import { columnsOf, LINE_WIDTH, wrap } from './wrap.ts';

export interface TextPart {
  /** Appends a block of a sanitised text. Links get numbers, which `links` explains. */
  add(block: Element): void;
  /** Returns the text so far, with the numbered links below it. */
  read(): string;
}

/** Columns of the narrowest lines: deeper lists and quotes are not indented further. */
const NARROWEST = 24;
const CODE_INDENT = '    ';
const BLOCK = /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|table|hr|figure|figcaption|section|div|caption)$/;
/** Columns of a table that are counted; more than these never fit on a line. */
const MOST_SPANNED = 20;

export const isBlock = (node: Nodes): node is Element => node.type === 'element' && BLOCK.test(node.tagName);

export function createTextPart(): TextPart {
  const links = new Map<string, number>();
  const blocks: string[][] = [];

  function inline(node: Nodes): string {
    if (node.type === 'text') return node.value.replace(/\s+/g, ' ');
    if (!('children' in node)) return '';
    if (node.type !== 'element') return inlines(node.children);
    const { tagName, properties } = node;
    if (tagName === 'br') return '\n';
    if (tagName === 'img') {
      const description = String(properties.alt ?? '').trim();
      return `[${description ? newsletterMailText.pictureOf({ description }) : newsletterMailText.picture}]`;
    }
    const words = inlines(node.children);
    if (tagName === 'a') return link(words, properties);
    if (tagName === 'code') return `\`${words}\``;
    if (tagName === 'sub') return `_${scripted(words)}`;
    if (tagName === 'sup') return /^\[\^/.test(words) ? words : `^${scripted(words)}`;
    return words;
  }

  const inlines = (nodes: readonly Nodes[]): string => nodes.map(inline).join('');

  function link(words: string, properties: Element['properties']): string {
    if ('dataFootnoteRef' in properties) return `[^${words.trim()}]`;
    const href = typeof properties.href === 'string' ? properties.href : '';
    if (href === '' || href.replace(/^mailto:|\/$/g, '') === words.trim().replace(/\/$/, '')) return words;
    const number = links.get(href) ?? links.size + 1;
    links.set(href, number);
    return `${words} [${number}]`;
  }

  /** Returns the lines of a block. */
  function lines(element: Element, width: number): string[] {
    const { tagName, children } = element;
    const inner = Math.max(NARROWEST, width);
    if (isHeading(element)) {
      const title = wrap(inlines(children).trim(), inner);
      return tagName === 'h2' ? underlined(title, '-') : title;
    }
    switch (tagName) {
      case 'pre':
        return textIn(element)
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => (CODE_INDENT + line).trimEnd());
      case 'hr':
        return ['* * *'];
      case 'ul':
      case 'ol':
        return list(element, inner);
      case 'blockquote':
        return width > NARROWEST ? indented(container(children, inner - 2), '> ', '> ') : container(children, inner);
      case 'table':
        return table(element, inner);
      default:
        return container(children, inner);
    }
  }

  /** Returns the lines of blocks and of the words between them, with an empty line between two of them. */
  function container(children: readonly Nodes[], width: number, isTight = false): string[] {
    return runsOf(children)
      .map((run) => (isBlock(run[0] as Nodes) ? lines(run[0] as Element, width) : trimmed(wrap(inlines(run), width))))
      .filter((part) => part.length > 0)
      .flatMap((part, at) => (at > 0 && !isTight ? ['', ...part] : part));
  }

  function list(element: Element, width: number): string[] {
    const start = Number(element.properties.start ?? 1);
    const items = element.children.filter((child) => child.type === 'element');
    const isTight = !items.some(({ children }) => children.some((child) => isBlock(child) && child.tagName === 'p'));
    return items.flatMap((item, at) => {
      const note = /^fn-(.+)/.exec(String(item.properties.id ?? ''))?.[1];
      const done = { true: '[x] ', false: '[ ] ' }[String(item.properties.dataChecked)] ?? '';
      const mark = note ? `[^${note}] ` : element.tagName === 'ol' ? `${start + at}. ` : `- ${done}`;
      const text = indented(
        container(item.children, width - mark.length, isTight),
        mark,
        width > NARROWEST ? ' '.repeat(mark.length) : '',
      );
      return at > 0 && !isTight ? ['', ...text] : text;
    });
  }

  function table(element: Element, width: number): string[] {
    const caption = element.children.find((child) => child.type === 'element' && child.tagName === 'caption');
    const above = caption ? [...wrap(inline(caption).trim(), width), ''] : [];
    const rows = rowsOf(element).map((row) =>
      row.flatMap((cell) => [
        inline(cell).replace(/\s+/g, ' ').trim(),
        ...Array<string>(Math.min(MOST_SPANNED, Number(cell.properties.colSpan ?? 1)) - 1).fill(''),
      ]),
    );
    const sizes = widest(rows.map((row) => row.map(columnsOf)));
    const [head = [], ...others] = rows;
    const hasHead = rowsOf(element)[0]?.every(({ tagName }) => tagName === 'th') ?? false;
    if (sizes.reduce((sum, size) => sum + size, 3 * (sizes.length - 1)) <= width) {
      const written = rows.map((row) =>
        sizes
          .map((size, at) => padded(row[at] ?? '', size))
          .join(' | ')
          .trimEnd(),
      );
      if (hasHead) written.splice(1, 0, sizes.map((size) => '-'.repeat(size)).join('-+-'));
      return [...above, ...written];
    }
    const records = (hasHead ? others : rows).map((row) =>
      row.flatMap((cell, at) => (cell ? wrap(hasHead && head[at] ? `${head[at]}: ${cell}` : cell, width) : [])),
    );
    return [...above, ...records.flatMap((record, at) => (at > 0 ? ['', ...record] : record))];
  }

  return {
    add(block) {
      blocks.push(lines(block, LINE_WIDTH));
    },
    read() {
      const notes = [...links].map(([href, number]) => `[${number}] ${href}`);
      return [...blocks, notes]
        .filter((part) => part.length > 0)
        .map((part) => part.join('\n'))
        .join('\n\n');
    },
  };
}

export const underlined = (title: readonly string[], mark: string): string[] => [
  ...title,
  mark.repeat(Math.min(LINE_WIDTH, Math.max(1, ...title.map(columnsOf)))),
];

/** Returns each block by itself, and neighbouring text and inline elements together. */
export function runsOf<Child extends Nodes>(children: readonly Child[]): Child[][] {
  const runs: Child[][] = [];
  for (const child of children) {
    const last = runs.at(-1);
    if (isBlock(child) || !last || isBlock(last[0] as Nodes)) runs.push([child]);
    else last.push(child);
  }
  return runs.filter((run) => run.some((node) => node.type !== 'text' || node.value.trim() !== ''));
}

export const rowsOf = (table: Element): Element[][] =>
  elementsOf(table.children).flatMap((part) =>
    part.tagName === 'tr' ? [elementsOf(part.children)] : part.tagName === 'caption' ? [] : rowsOf(part),
  );

/** Returns the largest number of each column. */
export function widest(rows: readonly (readonly number[])[]): number[] {
  const sizes: number[] = [];
  for (const row of rows)
    row.forEach((size, at) => {
      sizes[at] = Math.max(sizes[at] ?? 0, size);
    });
  return sizes;
}

const elementsOf = (children: readonly ElementContent[]): Element[] =>
  children.filter((child) => child.type === 'element');
const scripted = (words: string): string => ([...words].length > 1 ? `(${words})` : words);
const padded = (text: string, size: number): string => text + ' '.repeat(Math.max(0, size - columnsOf(text)));
const trimmed = (lines: readonly string[]): string[] => lines.join('\n').trim().split('\n');
const indented = (lines: readonly string[], first: string, others: string): string[] =>
  lines.map((line, at) => ((at === 0 ? first : others) + line).trimEnd());
