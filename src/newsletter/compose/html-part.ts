/** Turns blocks of a sanitised text into HTML that mail programs show: known elements with inline styles, no classes of the page. */
import type { Element, ElementContent } from 'hast';
import { feedHtml } from '#blog/content/feed-html.ts';
import { nameHeadings } from '#blog/content/headings.ts';
import { elementsIn, parseHtml, textIn, writeHtml } from '#blog/content/tree.ts';
import { choicesFor } from '#blog/images.ts';
import { type MailStyles, TEXT_WIDTH } from './styles.ts';
import { isBlock, rowsOf, runsOf, widest } from './text-part.ts';

const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

export type Direction = 'ltr' | 'rtl';
/** Returns the direction of the first letter. */
export const directionOf = (text: string): Direction => (RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr');
export const startOf = (direction: Direction): 'left' | 'right' => (direction === 'rtl' ? 'right' : 'left');

/** Returns the text's top-level blocks with absolute URLs. @param page absolute URL of the post */
export function blocksOf(content: string, page: string): Element[] {
  const tree = parseHtml(feedHtml(content, page));
  const elements = elementsIn(tree);
  nameHeadings(elements.map(([element]) => element));
  // Footnotes have no way back: mail programs rarely follow links within a mail.
  for (const [element, parent] of elements)
    if ('dataFootnoteBackref' in element.properties)
      parent.children.splice(parent.children.indexOf(element as never), 1);
  return runsOf(tree.children as ElementContent[]).map((run) => {
    const [first] = run;
    return first && isBlock(first) ? first : { type: 'element', tagName: 'p', properties: {}, children: run };
  });
}

const KEPT = ['href', 'src', 'alt', 'width', 'height', 'start', 'colSpan', 'rowSpan', 'align'];
const RENAMED: Readonly<Record<string, string>> = {
  figure: 'div',
  section: 'div',
  figcaption: 'p',
  mark: 'span',
};
const CLASSES: Readonly<Record<string, string>> = { figcaption: 'soft', section: 'notes' };

/** Characters of a block that are read for its direction. */
const BEGINNING = 2000;

/** Returns a block as HTML. @param direction the text's @param origin of the site, whose pictures are made smaller */
export function blockHtml(block: Element, styles: MailStyles, direction: Direction, origin: string): string {
  const copy = structuredClone(block);
  const words = copy.tagName === 'pre' ? '' : textIn(copy, BEGINNING);
  const own = directionOf(words);
  const isOther = own !== direction && /\p{L}/u.test(words);
  const shown = isOther ? own : direction;
  const byElement = styles.elements(startOf(shown));
  for (const [element, parent] of [[copy, undefined] as const, ...elementsIn(copy)]) {
    const { tagName, properties } = element;
    const style = styleOf(element, parent as Element | undefined);
    element.properties = Object.fromEntries(Object.entries(properties).filter(([name]) => KEPT.includes(name)));
    if (style) element.properties.style = style;
    if (CLASSES[tagName]) element.properties.className = [CLASSES[tagName]];
    element.tagName = RENAMED[tagName] ?? tagName;
  }
  if (isOther) {
    copy.properties.dir = own;
    copy.properties.style = `${copy.properties.style ?? ''};text-align:${startOf(own)}`.replace(/^;/, '');
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
    if (tagName === 'th') properties.align ??= startOf(shown);
    if (parent?.tagName === 'li' && byElement[tagName]) return `${byElement[tagName]};margin:0 0 6px`;
    return byElement[tagName];
  }
}

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
  const first = item.children.find(
    (child) => child.type === 'element' || (child.type === 'text' && child.value.trim()),
  );
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
  const rows = rowsOf(table);
  const words = new Map(rows.flat().map((cell) => [cell, longestWord(textIn(cell, BEGINNING))]));
  const columns = widest(rows.map((row) => row.map((cell) => words.get(cell) ?? 0)));
  const isWide = columns.length > MOST_OF_FEW;
  const { padding, letter } = isWide ? MANY : FEW;
  const room = (PHONE_LINE - columns.length * padding) / letter;
  let longest = 16;
  while (longest > 0 && columns.reduce((sum, size) => sum + Math.min(size, longest), 0) > room) longest--;
  for (const [cell, length] of words) {
    const style = [...(isWide ? [styles.smallCell] : []), ...(length <= longest ? [styles.keepWords] : [])];
    if (style.length > 0) cell.properties.style = style.join(';');
  }
}

const longestWord = (text: string): number =>
  text.split(/[\s-]+/).reduce((longest, { length }) => Math.max(longest, length), 0);
