/** Turns blocks of sanitised content into HTML for email clients, with inline styles and without the page's classes. */
import type { Element, ElementContent } from 'hast';
import { feedHtml } from '#blog/content/feed-html.ts';
import { nameHeadings } from '#blog/content/headings.ts';
import { elementsIn, parseHtml, textIn, writeHtml } from '#blog/content/tree.ts';
import { choicesFor } from '#blog/images.ts';
import { type MailStyles, TEXT_WIDTH } from './styles.ts';

export const LEFT_TO_RIGHT = { dir: 'ltr', start: 'left' } as const;
export const RIGHT_TO_LEFT = { dir: 'rtl', start: 'right' } as const;
export type Direction = typeof LEFT_TO_RIGHT | typeof RIGHT_TO_LEFT;

/** Returns the text's writing direction, as determined by its first letter. */
export const directionOf = (text: string): Direction =>
  /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(text) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT;

const BLOCK = /^(?:p|h[1-6]|ul|ol|blockquote|pre|table|hr|figure|section)$/;

/** Returns the text's top-level blocks with absolute URLs. @param page absolute URL of the post */
export function blocksOf(content: string, page: string): Element[] {
  const tree = parseHtml(feedHtml(content, page));
  const elements = elementsIn(tree);
  nameHeadings(elements.map(([element]) => element));
  // Removes footnotes' links back to the text, because email clients rarely follow links within an email.
  for (const [element, parent] of elements)
    if ('dataFootnoteBackref' in element.properties)
      parent.children.splice(parent.children.indexOf(element as never), 1);
  const blocks: Element[] = [];
  let paragraph: Element | undefined;
  for (const node of tree.children as ElementContent[]) {
    if (node.type === 'element' && BLOCK.test(node.tagName)) {
      blocks.push(node);
      paragraph = undefined;
    } else if (paragraph) {
      paragraph.children.push(node);
    } else if (node.type !== 'text' || node.value.trim() !== '') {
      paragraph = { type: 'element', tagName: 'p', properties: {}, children: [node] };
      blocks.push(paragraph);
    }
  }
  return blocks;
}

const KEPT = ['href', 'src', 'alt', 'width', 'height', 'start', 'colSpan', 'rowSpan', 'align'];
const RENAMED: Readonly<Record<string, string>> = { figure: 'div', section: 'div', figcaption: 'p', mark: 'span' };
const CLASSES: Readonly<Record<string, string[]>> = { figcaption: ['soft'], section: ['notes'] };

/**
 * Maximum number of characters that are read from a block to find its direction, or from a cell to find its longest
 * word.
 */
const BEGINNING = 2000;

/** Returns a block as HTML. `direction` is the post's. Uses smaller versions of pictures from the site's `origin`. */
export function blockHtml(block: Element, styles: MailStyles, direction: Direction, origin: string): string {
  const copy = structuredClone(block);
  const words = copy.tagName === 'pre' ? '' : textIn(copy, BEGINNING);
  const own = /\p{L}/u.test(words) ? directionOf(words) : direction;
  const byElement = styles.elements(own.start);
  for (const [element, parent] of elementsIn({ type: 'root', children: [copy] })) {
    const { tagName, properties } = element;
    const parentName = parent.type === 'element' ? parent.tagName : '';
    const isOther = element === copy && own !== direction;
    // Code reads from left to right in any text.
    const isCode = own.dir === 'rtl' && (tagName === 'pre' || tagName === 'code');
    if (tagName === 'pre') element.children = [{ type: 'text', value: textIn(element) }];
    if (tagName === 'img') sizePicture(element, styles, origin);
    if (tagName === 'table') fitTable(element, styles);
    if (tagName === 'th') properties.align ??= own.start;
    if (properties.dataChecked !== undefined) showTask(element);
    const style = [
      properties.dataChecked === undefined ? byElement[tagName] : styles.task,
      properties.style,
      parentName === 'li' && BLOCK.test(tagName) && 'margin:0 0 6px',
      isOther && `text-align:${own.start}`,
      isCode && tagName === 'pre' && 'text-align:left',
    ];
    if ('dataFootnoteRef' in properties && parent.type === 'element' && parentName === 'sup') {
      parent.properties.className = ['note'];
      parent.properties.style = `${parent.properties.style};${styles.note}`;
    }
    element.tagName = RENAMED[tagName] ?? tagName;
    element.properties = {
      ...Object.fromEntries(Object.entries(properties).filter(([name]) => KEPT.includes(name))),
      style: style.filter(Boolean).join(';') || undefined,
      className: CLASSES[tagName],
      dir: isCode ? 'ltr' : isOther ? own.dir : undefined,
    };
  }
  return writeHtml(copy);
}

/** Width in pixels of the files that emails load for the site's own pictures, enough for high-density screens. */
export const PICTURE_WIDTH = 960;
/** Maximum height in pixels of a picture that counts as part of a line of text. */
const LINE_HEIGHT = 32;

/**
 * Fits a picture to the width of the text, and uses a smaller version of the site's own pictures. Skips pictures that
 * are part of a line of text.
 */
function sizePicture({ properties }: Element, styles: MailStyles, origin: string): void {
  const [width, height] = [Number(properties.width ?? 0), Number(properties.height ?? 0)];
  properties.alt ??= '';
  if (height > 0 && height <= LINE_HEIGHT) return;
  properties.style = styles.picture;
  const src = String(properties.src ?? '');
  const choices = src.startsWith(`${origin}/`) ? choicesFor(src.slice(origin.length), width) : undefined;
  const smaller = choices?.srcSet.split(', ').find((choice) => choice.endsWith(` ${PICTURE_WIDTH}w`));
  if (smaller) properties.src = origin + smaller.slice(0, smaller.lastIndexOf(' '));
  if (width > TEXT_WIDTH) {
    properties.width = TEXT_WIDTH;
    if (height > 0) properties.height = Math.round((height * TEXT_WIDTH) / width);
  }
}

function showTask(item: Element): void {
  const first = item.children.find((child) => child.type !== 'text' || child.value.trim());
  const home = first?.type === 'element' && first.tagName === 'p' ? first : item;
  home.children.unshift({ type: 'text', value: item.properties.dataChecked === 'true' ? '☑ ' : '☐ ' });
}

/**
 * Width in pixels of a line on a phone. `FEW` and `MANY` are the widths in pixels of a cell's padding and of an average
 * letter, in tables with up to `MOST_OF_FEW` columns and in tables with more.
 */
const PHONE_LINE = 272;
const FEW = { padding: 17, letter: 7.2 };
const MANY = { padding: 11, letter: 6.5 };
const MOST_OF_FEW = 4;
/** Maximum length, in letters, of a word that is kept unbroken in a table cell. */
const LONGEST_WHOLE = 16;

/**
 * Keeps words in a table unbroken, up to the greatest length at which the table still fits on a phone. In cells with
 * longer words, lines may break within words.
 */
function fitTable(table: Element, styles: MailStyles): void {
  const cells: { readonly cell: Element; readonly longest: number }[] = [];
  const columns: number[] = [];
  for (const [row] of elementsIn(table)) {
    if (row.tagName !== 'tr') continue;
    for (const [at, cell] of row.children.filter(isCell).entries()) {
      const longest = Math.max(lettersIn(cell), ...codeIn(cell).map((code) => lettersIn(code) * CODE_LETTER));
      cells.push({ cell, longest });
      columns[at] = Math.max(columns[at] ?? 0, longest);
    }
  }
  const isWide = columns.length > MOST_OF_FEW;
  const { padding, letter } = isWide ? MANY : FEW;
  const room = (PHONE_LINE - columns.length * padding) / letter;
  let whole = LONGEST_WHOLE;
  while (whole > 0 && columns.reduce((sum, size) => sum + Math.min(size, whole), 0) > room) whole--;
  for (const { cell, longest } of cells) {
    const style = [isWide && styles.smallCell, longest <= whole && styles.keepWords];
    cell.properties.style = style.filter(Boolean).join(';');
  }
}

/** Widths of a capital letter and of a letter in code, relative to a lower-case letter in text. */
const CAPITAL = 1.35;
const CODE_LETTER = 1.3;

/** Returns the width of the longest word, measured in lower-case letters. */
function lettersIn(node: Element): number {
  const words = textIn(node, BEGINNING).match(/[^\s-]+/g) ?? [];
  return Math.max(0, ...words.map((word) => word.length + (CAPITAL - 1) * (word.match(/\p{Lu}/gu)?.length ?? 0)));
}

const codeIn = (cell: Element): Element[] =>
  elementsIn(cell).flatMap(([element]) => (element.tagName === 'code' ? [element] : []));

const isCell = (node: ElementContent): node is Element => node.type === 'element' && /^t[hd]$/.test(node.tagName);
