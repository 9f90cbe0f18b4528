/** The one gate that all stored HTML passes before it is shown: only what `allowlist.ts` names is left. */

import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { ALLOWED, BLOCKS, DROPPED, FOOTNOTE_ID, LANGUAGE_CLASS, SYNONYMS } from './allowlist.ts';
import { LINK_SCHEMES } from './link-addresses.ts';
import { isMostlyMarkup } from './markup-limit.ts';

/**
 * Safe HTML with the same words. Applying it twice changes nothing more. No style, no script, no event handler, no
 * frame; links are relative or have one of `LINK_SCHEMES`; pictures held in the address itself (`data:`) are dropped.
 */
export function sanitise(html: string): string {
  if (isMostlyMarkup(html)) return asWords(html);
  // Taking an element away can bring two others together that may not be nested, which the next reading repairs.
  // What is stored has been through here: one pass finds nothing to do.
  let clean = html;
  for (let pass = 0, before = ''; before !== clean && pass < 10; pass++) {
    before = clean;
    clean = cleaned(clean);
    // Words alone are written in one way.
    if (!clean.includes('<')) break;
  }
  return clean;
}

/** A sign before a blank or a digit opens nothing. */
const TAG = /<[a-z/!?][^<>]*>/gi;

/** What lies between tags, as the library would write it: quick, whatever the text is made of. */
export function asWords(html: string): string {
  return html
    .replace(TAG, ' ')
    .replace(/&(?!(?:amp|lt|gt|quot);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('&quot;', '"');
}

/** Elements in each other, as many as browsers take: of what lies deeper the words alone are kept. */
const DEEPEST_KEPT = 500;
/** In a long text fewer: whoever writes a tree as text copies at each element all that is in it. */
const LONG = 100_000;
const DEEPEST_KEPT_IN_LONG = 100;
/** Elements in each other that are read: the time for each grows with those around it. No text has as many. */
const DEEPEST_READ = 5000;

class TooDeep extends Error {}

/** Throws `TooDeep`. */
function read(html: string): string {
  let depth = 0;
  return sanitizeHtml(html, {
    ...options,
    nestingLimit: html.length > LONG ? DEEPEST_KEPT_IN_LONG : DEEPEST_KEPT,
    onOpenTag() {
      if (++depth > DEEPEST_READ) throw new TooDeep();
    },
    onCloseTag() {
      depth--;
    },
  });
}

function readable(html: string): string {
  try {
    return read(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return read(html.replace(TAG, ' ').replaceAll('<', '&lt;'));
  }
}

function cleaned(html: string): string {
  // The library writes one canonical form, in which `<` and `>` occur in tags alone: that makes these replacements sound.
  return readable(html)
    .replace(/ \/>/g, '>')
    .replace(/<li>(\s*(?:<p>\s*)?)<input type="checkbox"( checked="")?>[ \t]*/g, (_, lead, checked) => {
      return `<li data-checked="${checked ? 'true' : 'false'}">${lead.trimStart()}`;
    })
    .replace(/<input[^>]*>/g, '')
    .replace(/<\/?div>/g, '\n');
}

const attributeRules: Record<string, (value: string, tag: string) => string | undefined> = {
  class: (value) => value.split(/\s+/).find((name) => LANGUAGE_CLASS.test(name)),
  id: (value) => footnoteId(value),
  href: (value) => (value.startsWith('#') ? `#${footnoteId(value.slice(1)) ?? value.slice(1)}` : webAddress(value)),
  src: webAddress,
  start: (value) => (value === '1' ? undefined : integer(value, -1_000_000, 1_000_000)),
  width: (value) => integer(value.replace(/px$/, ''), 1, 10_000),
  height: (value) => integer(value.replace(/px$/, ''), 1, 10_000),
  colspan: (value) => integer(value, 2, 1000),
  rowspan: (value) => integer(value, 2, 1000),
  align: (value) => (/^(left|center|right)$/i.test(value) ? value.toLowerCase() : undefined),
  'data-checked': (value) => (value === 'true' || value === 'false' ? value : undefined),
  'data-footnotes': () => '',
  'data-footnote-ref': () => '',
  'data-footnote-backref': () => '',
};

/**
 * True for an attribute that a text in its stored form may have, value and all. Whether an address leads to a scheme
 * that is allowed is not asked.
 */
export function isKept(tag: string, name: string, value: string): boolean {
  if (!ALLOWED[tag]?.includes(name) || (value === '' && !MAY_BE_EMPTY.includes(name))) return false;
  const rule = attributeRules[name];
  return rule === undefined || rule(value, tag) === value;
}

/** `//host/path` takes the scheme of the page that shows it; stored content has no page, so it gets the safe one. */
function webAddress(value: string): string {
  return value.trim().replace(/^\/\//, 'https://');
}

function footnoteId(value: string): string | undefined {
  // The prefix that GitHub and remark put before ids.
  const id = value.replace(/^user-content-/, '');
  return FOOTNOTE_ID.test(id) ? id : undefined;
}

function integer(value: string, least: number, most: number): string | undefined {
  const number = /^-?\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  return number >= least && number <= most ? String(number) : undefined;
}

function transform(tagName: string, attribs: Attributes): { tagName: string; attribs: Attributes } {
  const tag = SYNONYMS[tagName] ?? tagName;
  if (tag === 'input') {
    // `exclusiveFilter` drops an input without a type.
    const kept = attribs.type === 'checkbox' ? { type: 'checkbox', ...('checked' in attribs && { checked: '' }) } : {};
    return { tagName: tag, attribs: kept };
  }
  if (BLOCKS.includes(tag) && !(tag === 'section' && 'data-footnotes' in attribs))
    return { tagName: 'div', attribs: {} };
  const kept: Attributes = {};
  for (const name of ALLOWED[tag] ?? []) {
    const value =
      attribs[name] === undefined
        ? undefined
        : (attributeRules[name]?.(attribs[name], tag) ?? attributeText(name, attribs[name]));
    if (value !== undefined) kept[name] = value;
  }
  return { tagName: tag, attribs: kept };
}

/** Words (alt, title) stay as they are; an attribute with a rule that refused its value goes. */
const attributeText = (name: string, value: string) => (name in attributeRules ? undefined : value);

const MAY_BE_EMPTY = ['alt', 'data-footnotes', 'data-footnote-ref', 'data-footnote-backref'];

// The types of the library do not know `allowedEmptyAttributes` yet.
const options: IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...Object.keys(ALLOWED), 'div', 'input'],
  allowedAttributes: { ...mutable(ALLOWED), input: ['type', 'checked'] },
  allowedSchemes: [...LINK_SCHEMES],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedEmptyAttributes: [...MAY_BE_EMPTY, 'checked'],
  nonTextTags: [...DROPPED],
  transformTags: { '*': transform },
  exclusiveFilter: ({ tag, attribs }) => (tag === 'img' && !attribs.src) || (tag === 'input' && !attribs.type),
  parseStyleAttributes: false,
};

function mutable(rules: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(rules).map(([tag, names]) => [tag, [...names]]));
}
