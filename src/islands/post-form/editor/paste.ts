/** HTML from elsewhere (word processors, web pages) in the words of our document, before the editor reads it. */

import { inertBody } from './stored-rules.ts';

/** Clean HTML. What our own editor copied passes as it is. */
export function cleanPasted(html: string): string {
  if (/\bdata-pm-slice=/.test(html)) return html;
  // Renamed, because the page's policy takes style attributes out of anything that is parsed.
  const body = inertBody(html.replace(/\sstyle\s*=/gi, ' data-css='));
  for (const element of body.querySelectorAll(
    'script, style, meta, link, title, template, object, iframe, svg, noscript',
  ))
    element.remove();
  gatherWordLists(body);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) translate(element);
  for (const element of body.querySelectorAll('[data-css]')) element.removeAttribute('data-css');
  return body.innerHTML;
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
  if (tagName === 'B' && /font-weight:\s*(normal|400)/.test(css)) unwrap(element);
  else if (tagName === 'A' && !SAFE_ADDRESS.test(element.getAttribute('href') ?? '')) unwrap(element);
  else if (tagName === 'INPUT') readCheckbox(element as HTMLInputElement);
  else if (name) rename(element, name);
  else if (tagName === 'SPAN' || tagName === 'FONT') readStyle(element, css);
}

function readStyle(element: HTMLElement, css: string): void {
  if (/font-weight:\s*(bold|[6-9]00)/.test(css)) wrapInside(element, 'strong');
  if (/font-style:\s*italic/.test(css)) wrapInside(element, 'em');
  const linked = element.closest('a') || element.querySelector('a');
  if (/text-decoration[^;]*underline/.test(css) && !linked) wrapInside(element, 'u');
  if (/text-decoration[^;]*line-through/.test(css)) wrapInside(element, 'del');
  if (/vertical-align:\s*super/.test(css)) wrapInside(element, 'sup');
  if (/vertical-align:\s*sub/.test(css)) wrapInside(element, 'sub');
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

function wrapInside(element: HTMLElement, name: string): void {
  const wrapper = element.ownerDocument.createElement(name);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

function unwrap(element: HTMLElement): void {
  element.replaceWith(...element.childNodes);
}
