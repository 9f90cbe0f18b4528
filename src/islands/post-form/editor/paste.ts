/** HTML from elsewhere (word processors, web pages) in the words of our document, before the editor reads it. */

import { inertPage } from './stored-rules.ts';

/** Clean HTML. What our own editor copied passes as it is. */
export function cleanPasted(html: string): string {
  if (/\bdata-pm-slice=/.test(html)) return html;
  // Renamed, because the page's policy takes style attributes out of anything that is parsed.
  const body = inertPage(html.replace(/\sstyle\s*=/gi, ' data-css='));
  applyClasses(body, html);
  for (const element of body.querySelectorAll(NO_WORDS)) element.remove();
  // Only our own editor's copies say what it keeps.
  for (const element of body.querySelectorAll('[data-opaque]')) element.removeAttribute('data-opaque');
  // Their programs use the same names again for other pictures.
  for (const picture of body.querySelectorAll<HTMLElement>('img[src^="file:" i]'))
    picture.setAttribute('src', `${picture.getAttribute('src')}#${++filed}`);
  gatherWordLists(body);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) translate(element);
  for (const element of body.querySelectorAll('[data-css]')) element.removeAttribute('data-css');
  dropSpacing(body);
  if (WORD_PROCESSOR.test(html)) for (const list of body.querySelectorAll('ul, ol')) tighten(list);
  return body.innerHTML;
}

/** Pictures named by files of other programs so far. */
let filed = 0;

/** What has no words, or words that nobody saw. */
const NO_WORDS =
  'script, style, meta, link, title, template, object, iframe, svg, noscript, button, [aria-hidden="true"], ' +
  '[data-css*="display:none"], [data-css*="display: none"], [data-css*="mso-hide:all"], img[width="1"][height="1"]';

/** Spreadsheets say by class what is bold: their style sheet comes with the text. */
function applyClasses(body: HTMLElement, html: string): void {
  const sheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)].map(([, css]) => css).join('\n');
  for (const [, name, css] of sheets.matchAll(/\.([\w-]+)\s*\{([^}]*)\}/g)) {
    if (!/font-weight|font-style|text-decoration|text-align/.test(css ?? '')) continue;
    for (const element of body.getElementsByClassName(name ?? '')) {
      (element as HTMLElement).dataset.css = `${css};${(element as HTMLElement).dataset.css ?? ''}`;
    }
  }
}

/** Empty paragraphs and breaks between blocks: the room that other programs make by them is ours to make. */
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

/** They put every item into a paragraph; only a list with an item of several paragraphs means it. */
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
  // Google Docs wraps all it copies in a <b> that is not bold.
  if (tagName === 'B' && styleOf(css, 'font-weight', /^(normal|400)/)) unwrap(element);
  else if (tagName === 'A' && !SAFE_ADDRESS.test(element.getAttribute('href') ?? '')) unwrap(element);
  else if (tagName === 'INPUT') readCheckbox(element as HTMLInputElement);
  else if (tagName === 'PRE') readLanguage(element);
  else if (tagName === 'TD' || tagName === 'TH') readCell(element, css);
  else if (/\bMso(Intense)?Quote/.test(element.className)) wrapAround(element, 'blockquote');
  else if (/\bMsoTitle\b/.test(element.className)) rename(element, 'h1');
  else if (name) rename(element, name);
  else if (tagName === 'SPAN' || tagName === 'FONT') readStyle(element, css);
}

/** A property of its own name: Word has others that end like it. */
const styleOf = (css: string, property: string, value: RegExp): boolean => {
  const [, found] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(css) ?? [];
  return found !== undefined && value.test(found);
};
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

/** Spreadsheets style the cell itself, word processors its paragraphs. What is on the left stands there anyway. */
function readCell(cell: HTMLElement, css: string): void {
  const inside = [...cell.querySelectorAll<HTMLElement>(':scope > p, :scope > div')];
  const sides = [alignmentOf(cell, css), ...inside.map((each) => alignmentOf(each, each.dataset.css ?? ''))];
  const side = sides.find((each) => each === 'right' || each === 'center');
  if (side) cell.setAttribute('align', side);
  else cell.removeAttribute('align');
  if (inside.length > 0 || !cell.textContent?.trim()) return;
  if (cell.tagName === 'TD' && styleOf(css, 'font-weight', BOLD)) wrapInside(cell, 'strong');
  if (styleOf(css, 'font-style', /^italic/)) wrapInside(cell, 'em');
}

function alignmentOf(element: HTMLElement, css: string): string {
  const [, side] = /(?:^|;)\s*text-align\s*:\s*(\w+)/i.exec(css) ?? [];
  return (side ?? element.getAttribute('align') ?? '').toLowerCase();
}

/** Each highlighter has its own way to name the language. */
function readLanguage(pre: HTMLElement): void {
  const code = pre.querySelector('code');
  const classes = [code, pre, pre.parentElement].map((each) => each?.getAttribute('class') ?? '').join(' ');
  const [, language] = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]+)/.exec(classes) ?? [];
  const plain = pre.ownerDocument.createElement('code');
  plain.textContent = pre.textContent;
  if (language) plain.className = `language-${language}`;
  pre.replaceChildren(plain);
}

/** What the sanitiser lets stand: the web, mail, and addresses of this site. */
const SAFE_ADDRESS = /^\s*(https?:|mailto:|[^a-z]|[a-z][^:]*([/?#]|$))/i;

const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, hr, figure, section, article';

/** A task of GitHub and others: the box becomes the item's state. */
function readCheckbox(input: HTMLInputElement): void {
  const item = input.closest('li');
  if (input.type === 'checkbox' && item) item.dataset.checked = String(input.hasAttribute('checked'));
  input.remove();
}

/** Word writes list items as paragraphs whose style names list and level, their marks as text. */
function gatherWordLists(body: HTMLElement): void {
  let stack: HTMLElement[] = [];
  let last: Element | null = null;
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p[data-css*="mso-list:"]')]) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(paragraph.dataset.css ?? '')?.[1] ?? 1);
    const marker = paragraph.querySelector<HTMLElement>(
      '[data-css*="mso-list:Ignore"], [data-css*="mso-list: Ignore"]',
    );
    const ordered = /^[\s(]*(\d+|[a-z]{1,4})[.)]/i.test(marker?.textContent ?? '');
    marker?.remove();
    if (paragraph.previousElementSibling !== last || !last) stack = [];
    while (stack.length > level) stack.pop();
    while (stack.length < level) {
      const list = body.ownerDocument.createElement(ordered ? 'ol' : 'ul');
      const above = stack.at(-1);
      if (above) (above.lastElementChild ?? above.appendChild(body.ownerDocument.createElement('li'))).append(list);
      else paragraph.before(list);
      stack.push(list);
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    stack.at(-1)?.append(item);
    paragraph.remove();
    last = stack[0] ?? null;
  }
}

function rename(element: HTMLElement, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
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
