/** Converts pasted HTML from other applications into stored HTML. Loaded when the text gets the focus. */

import { LINK_SCHEMES } from '#blog/content/link-addresses.ts';
import { inertPage, withAttributes } from '../html/inert-document.ts';
import { readCode, styleOf } from './code.ts';
import { gatherFootnotes } from './footnotes.ts';
import { gatherWordLists, listDefinitions, readTasks } from './lists.ts';

export { mergeFootnotes } from './merge-footnotes.ts';

export function cleanPasted(html: string): string {
  const body = inertPage(withAttributes(html, '=', withoutReported));
  applyClasses(body, html);
  for (const element of body.querySelectorAll(NO_WORDS)) element.remove();
  // Removes the marker of opaque blocks, because only HTML copied from this editor may contain such blocks.
  for (const element of body.querySelectorAll('[data-opaque]')) element.removeAttribute('data-opaque');
  gatherFootnotes(body);
  for (const list of body.querySelectorAll('dl')) listDefinitions(list);
  for (const item of body.querySelectorAll('ol:not([start]) > li:first-child[value]'))
    item.parentElement?.setAttribute('start', item.getAttribute('value') ?? '');
  for (const element of body.querySelectorAll(SIGNS)) readSign(element);
  for (const picture of body.querySelectorAll<HTMLElement>('img[src]'))
    picture.setAttribute('src', ownAddress(picture.getAttribute('src') ?? ''));
  // Appends a number to each `file:` URL, because word processors may give different pictures the same file name.
  for (const picture of body.querySelectorAll<HTMLElement>('img[src^="file:" i]'))
    picture.setAttribute('src', `${picture.getAttribute('src')}#${++filed}`);
  gatherWordLists(body);
  readTasks(body);
  readCode(body);
  for (const table of body.querySelectorAll('table')) if (isLayout(table)) layOut(table);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) translate(element);
  for (const element of body.querySelectorAll('[data-css]')) element.removeAttribute('data-css');
  dropSpacing(body);
  if (WORD_PROCESSOR.test(html)) for (const list of body.querySelectorAll(':not(section) > :is(ul, ol)')) tighten(list);
  return body.innerHTML;
}

let filed = 0;

/** Renames styles and drops event handlers, because both would cause CSP reports. */
const withoutReported = (whole: string, name: string): string => {
  if (/^style$/i.test(name)) return `data-css${whole.slice(name.length)}`;
  return /^on[a-z]+$/i.test(name) ? '' : whole;
};

const NO_WORDS =
  'script, style, meta, link, title, template, object, iframe, svg, noscript, button, [aria-hidden="true"]:not(img), ' +
  '[data-css*="display:none"], [data-css*="display: none"], [data-css*="mso-hide:all"], img[width="1"][height="1"], ' +
  // Word's comments, page breaks and end-of-paragraph marks.
  'comment, [data-css*="mso-element:comment"], .MsoCommentReference, br[data-css*="page-break"], .EOP';

const SIGNS =
  '[data-stringify-type="paragraph-break"], math, img[alt], [role="heading"], summary, :is(h1, h2, h3, h4, h5, h6) :is(div, p)';

function readSign(element: Element): void {
  const alt = element.getAttribute('alt') ?? '';
  const level = Number(element.getAttribute('aria-level'));
  const formula = element.querySelector('annotation[encoding*="tex" i]');
  if (element.tagName === 'IMG') {
    // Some pages show emoji as pictures. Replaces such a picture with the emoji itself.
    if (/^\p{RGI_Emoji}$/v.test(alt)) element.replaceWith(alt);
  } else if (formula) {
    // Keeps a formula as TeX source, because its plain text would lose fractions and roots.
    const code = element.ownerDocument.createElement('code');
    code.textContent = formula.textContent?.trim() ?? '';
    element.replaceWith(code);
  } else if (element.tagName === 'SPAN') rename(element, 'br');
  else if (element.tagName === 'SUMMARY') rename(element, 'p');
  else if (element.role === 'heading') rename(element, `h${Math.min(Math.max(level, 1), 6)}`);
  else if (element.tagName !== 'math') element.replaceWith(...element.childNodes, ' ');
}

function ownAddress(src: string): string {
  if (!src.startsWith(`${location.origin}/v1/storage/`)) return src;
  const { pathname, searchParams } = new URL(src);
  return `${pathname.replace(/\/\w+$/, '/view')}?project=${searchParams.get('project')}`;
}

function isLayout(table: Element): boolean {
  const rows = [...table.querySelectorAll(':scope > * > tr')].map(({ children }) => [...children]);
  const hasWords = (cell: Element) => cell.textContent?.trim() || cell.querySelector('img');
  return (
    /^(presentation|none)$/.test(table.role ?? '') ||
    table.closest('[data-css*="mso-ignore:vglayout"]') !== null ||
    (rows.flat().length === 1 && !table.querySelector('p')) ||
    (table.querySelector('table') !== null && rows.every((cells) => cells.filter(hasWords).length < 2))
  );
}

function layOut(table: Element): void {
  const cells = [...table.querySelectorAll(':scope > * > tr > :is(td, th)')];
  table.replaceWith(...cells.map((cell) => rename(cell, 'div')));
}

function applyClasses(body: HTMLElement, html: string): void {
  const sheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)].map(([, css]) => css).join('\n');
  for (const [, name, css] of sheets.matchAll(/\.([\w-]+)\s*\{([^}]*)\}/g)) {
    if (!/font-weight|font-style|text-decoration|text-align/.test(css ?? '')) continue;
    for (const element of body.getElementsByClassName(name ?? '')) {
      (element as HTMLElement).dataset.css = `${css};${(element as HTMLElement).dataset.css ?? ''}`;
    }
  }
}

function dropSpacing(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll('p')) {
    if (!paragraph.textContent?.trim() && !paragraph.querySelector('img')) paragraph.remove();
  }
  for (const line of body.querySelectorAll('br')) {
    const beside = [line.previousElementSibling, line.nextElementSibling];
    const alone = !besideWords(line.previousSibling) && !besideWords(line.nextSibling);
    if (alone && beside.some((element) => element?.matches(BLOCKS))) line.remove();
  }
}

const besideWords = (node: ChildNode | null): boolean =>
  node !== null && (node instanceof Element ? !node.matches(BLOCKS) : Boolean(node.textContent?.trim()));

const WORD_PROCESSOR = /docs-internal-guid|<meta[^>]*name="?generator/i;

/** Unwraps a list's paragraphs unless an item has several, because word processors put one in every item. */
function tighten(list: Element): void {
  const items = [...list.children].map((item) => [...item.children].filter(({ tagName }) => tagName === 'P'));
  if (items.every((paragraphs) => paragraphs.length < 2))
    for (const [only] of items) if (only) unwrap(only as HTMLElement);
}

const NAMES: Record<string, string> = {
  B: 'strong',
  I: 'em',
  S: 'del',
  STRIKE: 'del',
  INS: 'u',
  KBD: 'code',
  SAMP: 'code',
  TT: 'code',
};

function translate(element: HTMLElement): void {
  const css = element.dataset.css ?? '';
  const { tagName } = element;
  const name = tagName === 'DIV' && !element.querySelector(BLOCKS) ? 'p' : NAMES[tagName];
  // Google Docs wraps a copy in a <b> that is not bold.
  if (tagName === 'B' && styleOf(css, 'font-weight', /^(normal|400)/)) unwrap(element);
  else if (tagName === 'A' && !SAFE_ADDRESS.test(element.getAttribute('href') ?? '')) unwrap(element);
  else if (tagName === 'TD' || tagName === 'TH') readCell(element, css);
  else if (/\bMso(Intense)?Quote/.test(element.className)) wrapAround(element, 'blockquote');
  else if (/\bMsoTitle\b/.test(element.className)) rename(element, 'h1');
  else if (name) rename(element, name);
  else if (tagName === 'SPAN' || tagName === 'FONT') readStyle(element, css);
}

const BOLD = /^(bold|[6-9]00)/;

function readStyle(element: HTMLElement, css: string): void {
  if (styleOf(css, 'font-weight', BOLD)) wrapInside(element, 'strong');
  if (styleOf(css, 'font-style', /^italic/)) wrapInside(element, 'em');
  const linked = element.closest('a') || element.querySelector('a');
  if (styleOf(css, 'text-decoration(?:-line)?', /underline/) && !linked) wrapInside(element, 'u');
  if (styleOf(css, 'text-decoration(?:-line)?', /line-through/)) wrapInside(element, 'del');
  if (styleOf(css, 'vertical-align', /^super/)) wrapInside(element, 'sup');
  if (styleOf(css, 'vertical-align', /^sub/)) wrapInside(element, 'sub');
}

/** Converts a cell's styles to `align` and marks. Spreadsheets style the cell, word processors its paragraphs. */
function readCell(cell: HTMLElement, css: string): void {
  const inside = [...cell.querySelectorAll<HTMLElement>('p, div')];
  const sides = [alignmentOf(cell, css), ...inside.map((each) => alignmentOf(each, each.dataset.css ?? ''))];
  const side = sides.find((each) => each === 'right' || each === 'center');
  if (side) cell.setAttribute('align', side);
  else cell.removeAttribute('align');
  if (inside.length > 0 || !cell.textContent?.trim()) return;
  if (cell.tagName === 'TD' && styleOf(css, 'font-weight', BOLD)) wrapInside(cell, 'strong');
  if (styleOf(css, 'font-style', /^italic/)) wrapInside(cell, 'em');
  if (styleOf(css, 'text-decoration', /line-through/)) wrapInside(cell, 'del');
}

function alignmentOf(element: HTMLElement, css: string): string {
  const [, side] = /(?:^|;)\s*text-align\s*:\s*(\w+)/i.exec(css) ?? [];
  return (side ?? element.getAttribute('align') ?? '').toLowerCase();
}

/** Matches paths, and URLs with a scheme that the sanitiser allows. Excludes Word's bookmarks (`#_…`). */
const SAFE_ADDRESS = new RegExp(`^\\s*(?!#_)((?:${LINK_SCHEMES.join('|')}):|[^a-z]|[a-z][^:]*([/?#]|$))`, 'i');

const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, hr, figure, section, article';

function rename(element: Element, name: string): Element {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function wrapAround(element: HTMLElement, name: string): void {
  const wrapper = element.ownerDocument.createElement(name);
  element.replaceWith(wrapper);
  wrapper.append(element);
}

function wrapInside(element: HTMLElement, name: string): void {
  const wrapper = element.ownerDocument.createElement(name);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

function unwrap(element: HTMLElement): void {
  element.replaceWith(...element.childNodes);
}
