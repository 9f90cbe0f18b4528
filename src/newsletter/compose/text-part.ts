/** Writes the plain-text part of an email from its HTML. */
import { convert, type DomNode, type FormatCallback } from 'html-to-text';
import { newsletterMailText as texts } from '#blog/messages/newsletter-mail.ts';

/** Maximum line width in columns. RFC 5322 (2.1.1) recommends at most 78 characters. */
const LINE_WIDTH = 72;
/** Spaces between the columns of a table. */
const GAP = 3;
/** Maximum number of columns or rows that a cell spans. The library takes seconds for spans of over a million. */
const MOST_SPANNED = 20;
/** Maximum nesting depth. Deeper elements are left out, because each list and quote indents its lines further. */
const DEEPEST = 32;
/** Inserted after each wide character, so that the library counts two columns for it and can break the line there. */
const FILLER = '\ufdd0';
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/**
 * Returns an email's HTML as text. Numbers the links and lists them at the end, but writes out a link that is alone in
 * its paragraph.
 */
export function textOf(html: string): string {
  const links = new Map<string, number>();
  const link: FormatCallback = (element, walk, builder) => {
    const { href = '' } = element.attribs;
    walk(element.children, builder);
    if (!href || href.replace(/^mailto:|\/$/g, '') === wordsIn(element).trim().replace(/\/$/, '')) return;
    if (element.parent?.name === 'p' && element.parent.children.length === 1) {
      if (!/:\s*$/.test(wordsIn(element))) builder.addInline(':');
      builder.addLineBreak();
      builder.addInline(href);
    } else {
      links.set(href, links.get(href) ?? links.size + 1);
      builder.addInline(` [${links.get(href)}]`);
    }
  };
  const text = convert(html.replace(WIDE, `$&${FILLER}`), {
    wordwrap: LINE_WIDTH,
    whitespaceCharacters: ' \t\r\n\f',
    longWordSplit: { wrapCharacters: [FILLER] },
    limits: { maxDepth: DEEPEST, ellipsis: '…' },
    formatters: { ...formatters, link },
    selectors,
  });
  const notes = [...links].map(([href, number]) => `[${number}] ${href}`).join('\n');
  return [text, notes]
    .filter(Boolean)
    .join('\n\n')
    .replaceAll(FILLER, '')
    .replace(/(?<! ) +$/gm, '');
}

const wordsIn = ({ data, children = [] }: DomNode): string => data ?? children.map(wordsIn).join('');
const rowsOf = ({ name, children = [] }: DomNode): DomNode[][] =>
  name === 'tr' ? [children.filter(({ type }) => type === 'tag')] : children.flatMap(rowsOf);

const block =
  (change: (text: string) => string): FormatCallback =>
  (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2, isPre: element.name === 'pre' });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2, blockTransform: change });
  };
const underlined = (mark: string) =>
  block((title) => `${title}\n${mark.repeat(Math.max(...title.split('\n').map(({ length }) => length)))}`);

const formatters: Readonly<Record<string, FormatCallback>> = {
  title: underlined('='),
  heading: underlined('-'),
  plain: block((text) => text),
  code: block((text) => text.trimEnd().replace(/^/gm, '    ')),
  footnotes: block((text) => text.replace(/^ (\d+)\. /gm, '[^$1] ')),
  picture({ attribs: { alt } }, _, builder) {
    builder.addInline(`[${alt ? texts.pictureOf({ description: alt }) : texts.picture}]`);
  },
  table(element, walk, builder) {
    const rows = rowsOf(element);
    for (const { attribs } of rows.flat())
      for (const name of ['colspan', 'rowspan']) attribs[name] = Math.min(MOST_SPANNED, attribs[name] ?? 1);
    const columns = Math.max(1, ...rows.map((cells) => cells.length));
    const maxColumnWidth = Math.max(1, Math.floor((LINE_WIDTH + GAP) / columns) - GAP);
    const captions = element.children.filter(({ name }) => name === 'caption');
    const options = { maxColumnWidth, colSpacing: GAP, uppercaseHeaderCells: false };
    walk(captions, builder);
    builder.options.formatters.dataTable?.(element, walk, builder, options);
  },
};

const around = (selector: string, prefix: string, suffix = '') => ({
  selector,
  format: 'inlineSurround',
  options: { prefix, suffix },
});
/** Formatters by CSS selector, in addition to those built into `html-to-text`. */
const selectors = [
  ...['a.plain', 'pre > code', 'sup.note > a'].map((selector) => ({ selector, format: 'inline' })),
  ...['caption', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'plain' })),
  ...[around('code', '`', '`'), around('sub', '_'), around('sup', '^'), around('sup.note', '[^', ']')],
  { selector: 'a', format: 'link' },
  { selector: 'div.notes', format: 'footnotes' },
  { selector: 'h1', format: 'title' },
  { selector: 'h2', format: 'heading' },
  { selector: 'img', format: 'picture' },
  { selector: 'pre', format: 'code' },
  { selector: 'table', format: 'table' },
  { selector: 'ul', options: { itemPrefix: '- ' } },
];
