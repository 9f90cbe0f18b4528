/** Turns blocks of a sanitised text into HTML that mail programs show: known elements with inline styles, no classes of the page. */
import type { Element, ElementContent, Parents } from 'hast';
import { feedHtml } from '#blog/content/feed-html.ts';
import { nameHeadings } from '#blog/content/headings.ts';
import { elementsIn, parseHtml, textIn, writeHtml } from '#blog/content/tree.ts';
import { choicesFor } from '#blog/images.ts';
import { type MailStyles, TEXT_WIDTH } from './styles.ts';

const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

export type Direction = 'ltr' | 'rtl';
/** Returns the direction of the first letter. */
export const directionOf = (text: string): Direction => (RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr');
export const startOf = (direction: Direction): 'left' | 'right' => (direction === 'rtl' ? 'right' : 'left');

const BLOCK = /^(?:p|h[1-6]|ul|ol|blockquote|pre|table|hr|figure|section)$/;

/** Returns the text's top-level blocks with absolute URLs. @param page absolute URL of the post */
export function blocksOf(content: string, page: string): Element[] {
  const tree = parseHtml(feedHtml(content, page));
  const elements = elementsIn(tree);
  nameHeadings(elements.map(([element]) => element));
  // Footnotes have no way back: mail programs rarely follow links within a mail.
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
const CLASSES: Readonly<Record<string, string>> = { figcaption: 'soft', section: 'notes' };

/** Characters of a block that are read for its direction. */
const BEGINNING = 2000;

/** Returns a block as HTML. @param direction the text's @param origin of the site, whose pictures are made smaller */
export function blockHtml(block: Element, styles: MailStyles, direction: Direction, origin: string): string {
  const copy = structuredClone(block);
  const words = copy.tagName === 'pre' ? '' : textIn(copy, BEGINNING);
  const own = directionOf(words);
  const isOther = own !== direction && /\p{L}/u.test(words);
  const start = startOf(isOther ? own : direction);
  const byElement = styles.elements(start);
  for (const [element, parent] of [[copy, undefined] as const, ...elementsIn(copy)]) {
    const { tagName, properties } = element;
    const style = styleOf(element, parent as Element | undefined);
    element.properties = Object.fromEntries(Object.entries(properties).filter(([name]) => KEPT.includes(name)));
    if (style) element.properties.style = style;
    if (CLASSES[tagName]) element.properties.className = [CLASSES[tagName]];
    if ('dataFootnoteRef' in properties && isSup(parent)) parent.properties.className = ['note'];
    element.tagName = RENAMED[tagName] ?? tagName;
  }
  if (isOther) {
    copy.properties.dir = own;
    copy.properties.style = `${copy.properties.style ?? ''};text-align:${start}`.replace(/^;/, '');
  }
  return writeHtml(copy);

  function styleOf(element: Element, parent: Element | undefined): string | undefined {
    const { tagName, properties } = element;
    if (tagName === 'a') return styles.link;
    if (tagName === 'mark') return styles.mark;
    if (tagName === 'img') return sizePicture(element, origin) ? styles.picture : undefined;
    if (tagName === 'pre') element.children = [{ type: 'text', value: textIn(element) }];
    if (tagName === 'table') fitTable(element, styles);
    if (tagName === 'li' && properties.dataChecked !== undefined) return showTask(element, styles);
    if ((tagName === 'th' || tagName === 'td') && properties.style) return `${byElement[tagName]};${properties.style}`;
    if (tagName === 'th') properties.align ??= start;
    if (parent?.tagName === 'li' && byElement[tagName]) return `${byElement[tagName]};margin:0 0 6px`;
    return byElement[tagName];
  }
}

const isSup = (node: Parents | undefined): node is Element => node?.type === 'element' && node.tagName === 'sup';

/** Pixels of the site's own pictures: enough for screens of higher density. */
const PICTURE_WIDTH = 960;
/** Pixels of a picture that stands in a line of text. */
const LINE_HEIGHT = 32;

/** Sets the size of a picture and takes a smaller version of the site's own. Returns false for one within a line. */
function sizePicture({ properties }: Element, origin: string): boolean {
  const [width, height] = [Number(properties.width ?? 0), Number(properties.height ?? 0)];
  properties.alt ??= '';
  if (height > 0 && height <= LINE_HEIGHT) return false;
  const src = String(properties.src ?? '');
  const choices = src.startsWith(`${origin}/`) ? choicesFor(src.slice(origin.length), width) : undefined;
  const smaller = choices?.srcSet.split(', ').find((choice) => choice.endsWith(` ${PICTURE_WIDTH}w`));
  if (smaller) properties.src = origin + smaller.slice(0, smaller.lastIndexOf(' '));
  if (width > TEXT_WIDTH) {
    properties.width = TEXT_WIDTH;
    if (height > 0) properties.height = Math.round((height * TEXT_WIDTH) / width);
  }
  return true;
}

function showTask(item: Element, styles: MailStyles): string {
  const first = item.children.find((child) => child.type !== 'text' || child.value.trim());
  const home = first?.type === 'element' && first.tagName === 'p' ? first : item;
  home.children.unshift({ type: 'text', value: item.properties.dataChecked === 'true' ? '☑ ' : '☐ ' });
  return styles.task;
}

/** Pixels of a phone's line, of a column's padding, and of a letter, for tables of few and of many columns. */
const PHONE_LINE = 272;
const FEW = { padding: 17, letter: 7.2 };
const MANY = { padding: 11, letter: 6.5 };
const MOST_OF_FEW = 4;

/** Keeps words of a table whole up to a length that fits on a phone; longer ones may break anywhere. */
function fitTable(table: Element, styles: MailStyles): void {
  const elements = elementsIn(table).map(([element]) => element);
  const rows = elements.filter(({ tagName }) => tagName === 'tr').map(({ children }) => children.filter(isCell));
  const columns: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) columns[at] = Math.max(columns[at] ?? 0, longestWord(cell));
  const isWide = columns.length > MOST_OF_FEW;
  const { padding, letter } = isWide ? MANY : FEW;
  const room = (PHONE_LINE - columns.length * padding) / letter;
  let longest = 16;
  while (longest > 0 && columns.reduce((sum, size) => sum + Math.min(size, longest), 0) > room) longest--;
  for (const cell of rows.flat()) {
    const set = [isWide && styles.smallCell, longestWord(cell) <= longest && styles.keepWords];
    cell.properties.style = set.filter(Boolean).join(';');
  }
}

const isCell = (node: ElementContent): node is Element => node.type === 'element' && /^t[hd]$/.test(node.tagName);
const longestWord = (cell: Element): number =>
  (textIn(cell, BEGINNING).match(/[^\s-]+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
