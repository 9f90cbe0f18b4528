/**
 * Reads stored HTML as a safe tree. A text already in the form that `sanitise` writes, as almost all are, is parsed
 * directly: sanitising and parsing would return the same tree in eight times the time (decision 009). Any other text is
 * sanitised first, and so is one that a browser would rearrange.
 */
import type { Element, Parents, Properties, Root } from 'hast';
import { find, html as htmlSchema } from 'property-information';
import { ALLOWED } from './allowlist.ts';
import { isMostlyMarkup } from './markup-limit.ts';
import { isKept, sanitise } from './sanitise.ts';
import { parseHtml } from './tree.ts';
import { VOID_ELEMENTS } from './write-html.ts';

export interface Sanitised {
  readonly html: string;
  readonly tree: Root;
}

/** Returns the HTML that `sanitise` returns for any stored HTML, and its tree. */
export function readStored(html: string): Sanitised {
  const tree = readStoredForm(html);
  if (tree) return { html, tree };
  const clean = sanitise(html);
  return { html: clean, tree: parseHtml(clean) };
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const PHRASING = setOf('strong em del u sub sup mark code a img br');
const FLOW = setOf('p h1 h2 h3 h4 h5 h6 ul ol pre blockquote figure table hr section').union(PHRASING);
const ROWS = setOf('tr');
const SECTIONS = setOf('caption thead tbody tfoot');
const CELLS = setOf('th td');

/** Elements that browsers leave inside another element. Elements without an entry hold text and inline elements. */
const HELD: Readonly<Record<string, ReadonlySet<string>>> = {
  blockquote: FLOW,
  section: FLOW,
  figure: new Set([...FLOW, 'figcaption']),
  figcaption: FLOW,
  ul: setOf('li'),
  ol: setOf('li'),
  li: FLOW,
  table: SECTIONS,
  thead: ROWS,
  tbody: ROWS,
  tfoot: ROWS,
  tr: CELLS,
  th: FLOW,
  td: FLOW,
};
const WORDLESS = setOf('ul ol table thead tbody tfoot tr');
/** Deeper nesting is subject to further rules of the parser. */
const DEEPEST = 50;

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y;
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g;
const CHANGED = /[\0\f\r\ufeff]/;
const BLANK = /^[ \t\n]*$/;
const IN_WORDS = /&(?!(?:amp|lt|gt);)|>/;
const IN_VALUE = /&(?!(?:amp|lt|gt|quot);)/;
const ADDRESS: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/|(?:mailto|tel|sms):|[/#?])/,
  src: /^(?:https?:\/\/|\/)/,
};

const REFERENCES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const plain = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot);/g, (reference) => REFERENCES[reference] ?? reference) : text;

/** Returns the tree of a text in the stored form that browsers do not rearrange; undefined for any other. */
function readStoredForm(html: string): Root | undefined {
  if (CHANGED.test(html) || isMostlyMarkup(html)) return undefined;
  const root: Root = { type: 'root', children: [] };
  const open: Parents[] = [root];
  let parent: Parents = root;
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at);
    const end = next < 0 ? html.length : next;
    if (end > at) {
      const words = html.slice(at, end);
      if (!mayHoldWords(parent, words)) return undefined;
      parent.children.push({ type: 'text', value: plain(words) });
    }
    if (next < 0) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(html);
    if (!tag) return undefined;
    at = TAG.lastIndex;
    const [, slash, name = '', attributes = ''] = tag;
    if (slash) {
      if (parent.type !== 'element' || parent.tagName !== name || attributes !== '') return undefined;
      open.pop();
      parent = open.at(-1) ?? root;
      continue;
    }
    if (!mayHold(parent, name) || (name === 'a' && open.some(isLink))) return undefined;
    const element = elementOf(name, attributes);
    if (!element) return undefined;
    parent.children.push(element);
    if (VOID_ELEMENTS.has(name)) continue;
    open.push(element);
    if (open.length > DEEPEST) return undefined;
    parent = element;
  }
  return open.length === 1 ? root : undefined;
}

const isLink = (node: Parents): boolean => node.type === 'element' && node.tagName === 'a';

function mayHold(parent: Parents, name: string): boolean {
  return (parent.type === 'element' ? (HELD[parent.tagName] ?? PHRASING) : FLOW).has(name);
}

function mayHoldWords(parent: Parents, words: string): boolean {
  if (IN_WORDS.test(words)) return false;
  if (parent.type !== 'element') return true;
  if (WORDLESS.has(parent.tagName)) return BLANK.test(words);
  // A parser drops the line break at the start of a `pre`.
  return parent.tagName !== 'pre' || parent.children.length > 0 || !words.startsWith('\n');
}

function elementOf(tagName: string, attributes: string): Element | undefined {
  const names = ALLOWED[tagName] ?? [];
  const properties: Properties = {};
  let last = -1;
  for (const [, name = '', written = ''] of attributes === '' ? [] : attributes.matchAll(ATTRIBUTE)) {
    const place = names.indexOf(name);
    const value = plain(written);
    if (place <= last || IN_VALUE.test(written) || !isKept(tagName, name, value)) return undefined;
    if (ADDRESS[name]?.test(value) === false) return undefined;
    last = place;
    const { property, number, spaceSeparated } = find(htmlSchema, name);
    properties[property] = number ? Number(value) : spaceSeparated ? [value] : value;
  }
  const isWhole =
    tagName === 'img' ? properties.src !== undefined : tagName !== 'section' || properties.dataFootnotes !== undefined;
  return isWhole ? { type: 'element', tagName, properties, children: [] } : undefined;
}
