/** Sanitises stored HTML before it is shown. Only elements and attributes listed in `allowlist.ts` remain. */

import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { ALLOWED, BLOCKS, DROPPED, FOOTNOTE_ID, LANGUAGE_CLASS, SYNONYMS } from './allowlist.ts';
import { LINK_SCHEMES } from './link-addresses.ts';
import { isMostlyMarkup } from './markup-limit.ts';

/**
 * Returns safe HTML; sanitising it again changes nothing. Removes styles, scripts, event handlers, frames and `data:`
 * pictures. Links are relative or use one of `LINK_SCHEMES`.
 */
export function sanitise(html: string): string {
  if (isMostlyMarkup(html)) return asWords(html);
  // Removing an element can leave two others in a forbidden nesting, which the next pass repairs. HTML that is already
  // sanitised needs only one pass.
  let clean = html;
  for (let pass = 0, before = ''; before !== clean && pass < 10; pass++) {
    before = clean;
    clean = cleaned(clean);
    if (!clean.includes('<')) break;
  }
  return clean;
}

const TAG = /<[a-z/!?][^<>]*>/gi;

/** Removes the tags and returns the text, escaped as `sanitize-html` does. Takes linear time for any input. */
export function asWords(html: string): string {
  return html
    .replace(TAG, ' ')
    .replace(/&(?!(?:amp|lt|gt|quot);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('&quot;', '"');
}

/** Maximum nesting depth, similar to the limit in browsers. For deeper elements, only the text is kept. */
const DEEPEST_KEPT = 500;
/** HTML longer than this (in characters) has a lower maximum depth, as serialising copies the content at each level. */
const LONG = 100_000;
const DEEPEST_KEPT_IN_LONG = 100;
/** Maximum depth for parsing. Deeper HTML loses all tags before parsing, as the time per element grows with depth. */
const DEEPEST_READ = 5000;

const TOO_DEEP = new Error('The HTML is nested too deeply.');

function read(html: string): string {
  let depth = 0;
  return sanitizeHtml(html, {
    ...options,
    nestingLimit: html.length > LONG ? DEEPEST_KEPT_IN_LONG : DEEPEST_KEPT,
    onOpenTag() {
      if (++depth > DEEPEST_READ) throw TOO_DEEP;
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
    if (error !== TOO_DEEP) throw error;
    return read(html.replace(TAG, ' ').replaceAll('<', '&lt;'));
  }
}

function cleaned(html: string): string {
  // `sanitize-html` escapes `<` and `>` outside tags, so these replacements match tags only.
  return readable(html)
    .replace(/ \/>/g, '>')
    .replace(/<li>(\s*(?:<p>\s*)?)<input type="checkbox"( checked="")?>[ \t]*/g, (_, lead, checked) => {
      return `<li data-checked="${checked ? 'true' : 'false'}">${lead.trimStart()}`;
    })
    .replace(/<input[^>]*>/g, '')
    .replace(/<\/?div>/g, '\n');
}

const attributeRules: Record<string, (value: string) => string | undefined> = {
  class: (value) => value.split(/\s+/).find((name) => LANGUAGE_CLASS.test(name)),
  id: footnoteId,
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

/** Adds `https:` to `//host/path`, because a URL in stored content has no page whose scheme it could inherit. */
function webAddress(value: string): string {
  return value.trim().replace(/^\/\//, 'https://');
}

function footnoteId(value: string): string | undefined {
  // GitHub and remark add this prefix to ids.
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
    const kept = attribs.type === 'checkbox' ? { type: 'checkbox', ...('checked' in attribs && { checked: '' }) } : {};
    return { tagName: tag, attribs: kept };
  }
  if (BLOCKS.includes(tag) && !(tag === 'section' && 'data-footnotes' in attribs))
    return { tagName: 'div', attribs: {} };
  const kept: Attributes = {};
  for (const name of ALLOWED[tag] ?? []) {
    const given = attribs[name];
    const rule = attributeRules[name];
    const value = given !== undefined && rule ? rule(given) : given;
    if (value !== undefined) kept[name] = value;
  }
  return { tagName: tag, attribs: kept };
}

const options: IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...Object.keys(ALLOWED), 'div', 'input'],
  allowedAttributes: { ...ALLOWED, input: ['type', 'checked'] },
  allowedSchemes: [...LINK_SCHEMES],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedEmptyAttributes: ['alt', 'checked', 'data-footnotes', 'data-footnote-ref', 'data-footnote-backref'],
  nonTextTags: [...DROPPED],
  transformTags: { '*': transform },
  exclusiveFilter: ({ tag, attribs }) => (tag === 'img' && !attribs.src) || (tag === 'input' && !attribs.type),
  parseStyleAttributes: false,
};
