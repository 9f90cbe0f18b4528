import type { Element, Nodes, Parents } from 'hast';
import { choicesFor, secureAddress } from '../images.ts';
import { contentText } from '../messages/pages.ts';
import { highlight, languageName, loadLanguages } from './code/highlight.ts';
import { textLanguageOf } from './code/language.ts';
import type { TextLanguage } from './code/languages.ts';
import { type Heading, isHeading, LONGEST_NAME, nameHeadings } from './headings.ts';
import { FORMULA, type Formulas, openFormulas } from './mathematics.ts';
import { excerpt, textOfSanitised } from './text.ts';
import { elementsIn, linesIn, readStored, replaceIn, textIn, writeHtml } from './tree.ts';
import { countWords, readingMinutes } from './words.ts';

export interface RenderedContent {
  readonly description: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly words: number;
  readonly minutes: number;
  readonly language: TextLanguage | undefined;
}

/** Maximum number of characters of highlighted code per document, to limit the rendering time. */
const COLOURED_IN_ALL = 100_000;
/** CPU milliseconds per document for code in languages whose grammar is compiled. */
const BUDGET = 1000;
/** CPU milliseconds per document for code in languages whose grammar must be compiled first. */
const BUDGET_WITH_NEW_LANGUAGES = 2000;
const DESCRIPTION = 160;
const LANGUAGES_IN_ALL = 20;

/**
 * Renders a post's text: headings get ids, anchors and a level below the title; code is highlighted with classes;
 * tables and code are scrollable and focusable; formulas become MathML; pictures load lazily; external links get a
 * `rel`; footnotes get labels.
 */
export async function renderContent(html: string, { siteUrl }: { siteUrl?: string } = {}): Promise<RenderedContent> {
  const { html: sanitised, tree } = readStored(html);
  const elements = elementsIn(tree);
  const text = linesIn(tree);
  const words = countWords(text);
  const headings = nameHeadings(elements.map(([element]) => element));
  const names = new Map([
    ...headings.map(({ id, text }) => [dashed(text), id] as const),
    ...headings.map(({ id }) => [id.slice(2), id] as const),
  ]);
  const language = textLanguageOf(text);
  const rightToLeft = RIGHT_TO_LEFT.test(text) ? holding(RIGHT_TO_LEFT, tree) : new Set<Nodes>();
  const lettered = language?.isRightToLeft ? holding(LETTER, tree) : new Set<Nodes>();
  await colourCode(elements.map(([element]) => element));
  const formulas = elements.some(([element]) => isFormula(element)) ? await openFormulas() : undefined;
  const beside = new Map<Parents, boolean>();
  const isAmongWords = (parent: Parents): boolean => {
    const known = beside.get(parent) ?? hasWords(parent);
    beside.set(parent, known);
    return known;
  };
  for (const [element, parent] of elements) {
    const isDirected =
      speaksForItself(element, parent) &&
      (rightToLeft.has(element) || (lettered.has(element) && !IN_ORDER.has(element.tagName)));
    let directed = element;
    if (isHeading(element)) directed = addAnchor(element, parent);
    else if (element.tagName === 'pre') {
      if (!formulas || !showFormulaBlock(element, parent, formulas)) wrapCode(element, parent);
    } else if (formulas && isFormula(element)) showFormula(element, parent, formulas);
    else if (element.tagName === 'table') wrapTable(element, parent);
    else if (element.tagName === 'img') tuneImage(element, isAmongWords(parent), siteUrl);
    else if (element.tagName === 'a') tuneLink(element, names, siteUrl);
    else if (element.tagName === 'li') showCheck(element);
    else if (element.tagName === 'ol') makeRoom(element);
    else if (element.tagName === 'tr') nameHeaders(element);
    else if (element.tagName === 'th' || element.tagName === 'td') alignCell(element);
    else if (element.tagName === 'section')
      Object.assign(element.properties, { className: ['footnotes'], ariaLabel: contentText.footnotes });
    if (isDirected) directed.properties.dir = 'auto';
  }
  return {
    description: excerpt(sanitised, DESCRIPTION, textOfSanitised),
    html: writeHtml(tree),
    headings,
    words,
    minutes: readingMinutes(words),
    language,
  };
}

const DIRECTED = new Set(['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'figcaption']);
/** Containers that take the direction of their first block. The direction decides where bullets and borders appear. */
const AROUND = new Set(['ul', 'ol', 'li', 'blockquote', 'td', 'th']);

/**
 * Returns true if the element may get its own `dir`. A container's first block may not, because the container's
 * `dir=auto` ignores text in elements with a `dir`.
 */
function speaksForItself(element: Element, parent: Parents): boolean {
  if (!DIRECTED.has(element.tagName) && !AROUND.has(element.tagName)) return false;
  const around = parent.type === 'element' && AROUND.has(parent.tagName);
  return !around || firstElementIn(parent) !== element;
}

const IN_ORDER = new Set(['li', 'td', 'th']);
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER = /\p{L}/u;

function holding(letter: RegExp, tree: Nodes): Set<Nodes> {
  const found = new Set<Nodes>();
  const visit = (node: Nodes): boolean => {
    let holds = node.type === 'text' && letter.test(node.value);
    if ('children' in node) for (const child of node.children) if (visit(child)) holds = true;
    if (holds) found.add(node);
    return holds;
  };
  visit(tree);
  return found;
}

async function colourCode(elements: readonly Element[]): Promise<void> {
  const blocks = elements.flatMap((element) => {
    const code = element.tagName === 'pre' ? firstElementIn(element) : undefined;
    const language = code && languageOf(code);
    return code && language ? [{ code, language }] : [];
  });
  const languages = new Set([...new Set(blocks.map(({ language }) => language))].slice(0, LANGUAGES_IN_ALL));
  await loadLanguages(languages);
  const budget = { left: BUDGET, forNewLanguages: BUDGET_WITH_NEW_LANGUAGES };
  let left = COLOURED_IN_ALL;
  for (const { code, language } of blocks) {
    if (!languages.has(language)) continue;
    const text = textIn(code);
    left -= text.length;
    if (left < 0) return;
    code.children = await highlight(text, language, budget);
  }
}

const firstElementIn = ({ children }: Element): Element | undefined =>
  children.find((child) => child.type === 'element');

function languageOf(code: Element): string | undefined {
  const classes = code.properties.className;
  const name = Array.isArray(classes) ? classes.map(String).find((name) => name.startsWith('language-')) : undefined;
  return name?.slice('language-'.length);
}

/** Wraps the heading and its anchor in a block, so that the anchor is not part of the heading's accessible name. */
function addAnchor(heading: Element, parent: Parents): Element {
  const text = textIn(heading, LONGEST_NAME).trim();
  const anchor = build('a', {
    className: ['heading-anchor'],
    href: `#${heading.properties.id}`,
    ariaLabel: contentText.linkTo({ heading: text }),
  });
  const block = build('div', { className: ['heading', `heading-${heading.tagName}`] }, [heading, anchor]);
  replaceIn(parent, heading, block);
  return block;
}

const isFormula = (element: Element): boolean => element.tagName === 'code' && languageOf(element) === FORMULA;

const LONG_FORMULA = 40;

function showFormulaBlock(pre: Element, parent: Parents, formulas: Formulas): boolean {
  const code = firstElementIn(pre);
  const math = code && isFormula(code) ? formulas.show(textIn(code), true) : undefined;
  if (!math) return false;
  replaceIn(parent, pre, build('div', { className: ['math-block'], ...scrollable(contentText.formula) }, [math]));
  return true;
}

function showFormula(code: Element, parent: Parents, formulas: Formulas): void {
  if (parent.type === 'element' && parent.tagName === 'pre') return;
  const tex = textIn(code);
  const math = formulas.show(tex, false);
  if (!math) return;
  const isLong = tex.length > LONG_FORMULA;
  const long = { className: ['math-long'], ...scrollable(contentText.formula) };
  replaceIn(parent, code, isLong ? build('span', long, [math]) : math);
}

/** Uses the role `group`, because screen readers would list every `region` as a landmark of the page. */
const scrollable = (ariaLabel: string) => ({ tabIndex: 0, role: 'group', ariaLabel });

function wrapCode(pre: Element, parent: Parents): void {
  const code = firstElementIn(pre);
  const language = code && languageOf(code);
  const dataLanguage = language && languageName(language);
  const label = dataLanguage ? contentText.codeIn({ language: dataLanguage }) : contentText.code;
  Object.assign(pre.properties, scrollable(label));
  replaceIn(parent, pre, build('div', { className: ['code-block'], ...(dataLanguage && { dataLanguage }) }, [pre]));
}

function wrapTable(table: Element, parent: Parents): void {
  const caption = table.children.find((child) => child.type === 'element' && child.tagName === 'caption');
  const label = caption ? contentText.tableOf({ caption: textIn(caption, LONGEST_NAME).trim() }) : contentText.table;
  replaceIn(parent, table, build('div', { className: ['table-scroll'], ...scrollable(label) }, [table]));
}

/** Sets `scope=col` on headers if the row contains only headers, otherwise `scope=row`. Empty headers become cells. */
function nameHeaders(row: Element): void {
  const cells = row.children.filter((child) => child.type === 'element');
  const scope = cells.every(({ tagName }) => tagName === 'th') ? 'col' : 'row';
  for (const cell of cells) {
    if (cell.tagName !== 'th') continue;
    if (isEmpty(cell)) cell.tagName = 'td';
    else cell.properties.scope = scope;
  }
}

const isEmpty = ({ children }: Element): boolean =>
  children.every((child) => child.type === 'text' && child.value.trim() === '');

/** Replaces `align`, which is obsolete in HTML, with a data attribute, because the CSP allows no inline styles. */
function alignCell({ properties }: Element): void {
  if (!properties.align) return;
  properties.dataAlign = properties.align;
  delete properties.align;
}

const LINE = 32;

const hasWords = ({ children }: Parents): boolean =>
  children.some((child) => child.type === 'text' && child.value.trim() !== '');

function tuneImage({ properties }: Element, isAmongWords: boolean, siteUrl: string | undefined): void {
  const height = Number(properties.height ?? 0);
  if (isAmongWords && height > 0 && height <= LINE) properties.className = ['in-line'];
  if (typeof properties.src === 'string') properties.src = secureAddress(properties.src, siteUrl);
  Object.assign(properties, { alt: properties.alt ?? '', loading: 'lazy', decoding: 'async' });
  const choices = choicesFor(String(properties.src ?? ''), Number(properties.width ?? 0));
  if (choices) {
    Object.assign(properties, { srcSet: choices.srcSet, sizes: IN_TEXT, dataFallback: choices.fallback });
  }
}

/**
 * Value of `sizes`: the text is as wide as the screen minus its margins, but at most `--container-measure`
 * (tokens.css).
 */
const IN_TEXT = '(min-width:52rem) 47rem,92vw';

function tuneLink(link: Element, names: ReadonlyMap<string, string>, siteUrl: string | undefined): void {
  const { properties } = link;
  const href = typeof properties.href === 'string' ? properties.href : '';
  if ('dataFootnoteBackref' in properties) {
    properties.ariaLabel = contentText.backTo({ mark: href.replace('#fnref-', '') });
  } else if ('dataFootnoteRef' in properties) {
    properties.ariaLabel = contentText.footnote({ mark: textIn(link, LONGEST_NAME) });
  } else if (href.startsWith('#')) {
    properties.href = `#${names.get(decoded(href.slice(1)).toLowerCase()) ?? href.slice(1)}`;
  } else if (/^https?:/i.test(href) && !(siteUrl && `${href}/`.startsWith(`${siteUrl}/`))) {
    properties.rel = ['noopener', 'ugc'];
  }
}

/** Returns a heading's id as other tools write it (`What's new?` → `what-s-new`), so that links in pasted text work. */
const dashed = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function showCheck(item: Element): void {
  const { dataChecked } = item.properties;
  if (dataChecked === undefined) return;
  const checked = dataChecked === 'true';
  item.properties.className = ['task'];
  const ariaLabel = checked ? contentText.done : contentText.toDo;
  const box = build('input', { type: 'checkbox', disabled: true, checked, ariaLabel });
  const first = item.children.find((child) => child.type === 'element' || child.type === 'text');
  const home = first?.type === 'element' && first.tagName === 'p' ? first : item;
  home.children.unshift(box, { type: 'text', value: ' ' });
}

function makeRoom(list: Element): void {
  const items = list.children.filter((child) => child.type === 'element').length;
  if (Number(list.properties.start ?? 1) + items > 100) list.properties.className = ['wide'];
}

function build(tagName: string, properties: Element['properties'], children: Element[] = []): Element {
  return { type: 'element', tagName, properties, children };
}
