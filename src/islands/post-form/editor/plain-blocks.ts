/**
 * Most blocks of most texts are written as plainly as can be. These are read from their HTML as it stands, without an
 * element, a parser or a serializer; `stored.ts` takes them so where they are written again to the letter. A long text
 * is read in a third of the time. Reader and writer stand side by side, because each has to undo the other.
 */

import { Fragment, type Mark, type Node, type Schema } from '@milkdown/kit/prose/model';
import { nested } from './stored-html.ts';
import { numbered } from './stored-rules.ts';

const TEXTS: Record<string, readonly [name: string, end: string, level?: number]> = {
  '<p>': ['paragraph', '</p>'],
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`<h${level}>`, ['heading', `</h${level}>`, level]])),
};
const LISTS: Record<string, string> = { '<ul>': 'bullet_list', '<ol>': 'ordered_list' };
const MARKS: Record<string, string> = {
  '<em>': 'emphasis',
  '<strong>': 'strong',
  '<del>': 'strike_through',
  '<u>': 'underline',
  '<sub>': 'subscript',
  '<sup>': 'superscript',
  '<mark>': 'highlight',
  '<code>': 'inlineCode',
};
/** White space that a browser does not show as it stands, and a sign that no text has, take a parser. */
const ODD_SPACE = /[\0\t\r\n\f]| {2}/;

/** What is not plain. */
class Odd extends Error {}
const ODD = new Odd();

export interface PlainBlock {
  readonly node: Node;
  /** As it is written again: what stands in the text, but for a space that ends a line. */
  readonly html: string;
  /** Where in the text it ends. */
  readonly end: number;
}

/** The block that begins at `from`, if it is a plain one; undefined where it takes a parser to say. */
export function readPlain(schema: Schema, html: string, from = 0): PlainBlock | undefined {
  try {
    const reader = new Reader(schema, html, from);
    const node = reader.block();
    const written = writePlain(node);
    return reader.readFrom(from) === written ? { node, html: written, end: reader.at } : undefined;
  } catch (error) {
    // A RangeError: the schema does not have it so.
    if (error === ODD || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Reader {
  private readonly schema: Schema;
  private readonly html: string;
  /** Where in `html` it has come to. */
  at: number;
  /** Places of spaces that no browser shows. */
  private readonly skipped: number[] = [];

  constructor(schema: Schema, html: string, from: number) {
    this.schema = schema;
    this.html = html;
    this.at = from;
  }

  /** What was read of the text from there on. */
  readFrom(from: number): string {
    let html = '';
    let start = from;
    for (const place of this.skipped) {
      html += this.html.slice(start, place);
      start = place + 1;
    }
    return html + this.html.slice(start, this.at);
  }

  block(): Node {
    const tag = this.tag();
    this.at += tag.length;
    const text = TEXTS[tag];
    if (text) {
      const [name, end, level] = text;
      const line = this.line();
      this.need(end);
      return this.schema.node(name, level ? { level } : null, line);
    }
    if (tag === '<blockquote>')
      return this.schema.node(
        'blockquote',
        null,
        this.until('</blockquote>', () => this.block()),
      );
    if (tag === '<hr>') return this.schema.node('hr');
    if (tag === '<pre>') return this.code();
    if (tag === '<table>') return this.table();
    return this.list(tag);
  }

  /** Words and then blocks, or blocks alone, or nothing at all, up to the end of an item or cell. */
  private flow(end: string): Node[] {
    const tag = this.tag();
    const words = tag in TEXTS || tag in LISTS || /^<(?:blockquote|hr|pre|table)>/.test(tag) ? [] : [this.words(end)];
    return [...words, ...this.until(end, () => this.block())];
  }

  private words(end: string): Node {
    return this.schema.node('paragraph', null, this.html.startsWith(end, this.at) ? undefined : this.line());
  }

  private list(tag: string): Node {
    const start = /^<ol start="(\d+)">$/.exec(tag)?.[1];
    const name = LISTS[start ? '<ol>' : tag];
    if (!name) throw ODD;
    const order = name === 'ordered_list' ? Number(start ?? 1) : undefined;
    let number = order;
    const items = this.until(order === undefined ? '</ul>' : '</ol>', () => {
      const [, checked] = this.match(/<li(?: data-checked="(true|false)")?>/y);
      const spread = this.html.startsWith('<p>', this.at);
      const attrs = { checked: checked ? checked === 'true' : null, spread, noteId: null };
      const content = this.flow('</li>');
      return this.schema.node(
        'list_item',
        { ...numbered(number === undefined ? number : number++), ...attrs },
        content,
      );
    });
    return this.schema.node(name, order === undefined ? null : { order }, items);
  }

  private code(): Node {
    const [, language = ''] = this.match(/<code(?: class="language-([\w+#.-]+)")?>/y);
    const text = this.text();
    this.need('</code></pre>');
    if (/[\0\r]/.test(text)) throw ODD;
    return this.schema.node('code_block', { language }, text ? this.schema.text(text) : undefined);
  }

  private table(): Node {
    const rows = (name: string, end: string) =>
      this.until(end, () => {
        this.need('<tr>');
        const cells = this.until('</tr>', () => {
          const [, tag = '', alignment = null] = this.match(/<(t[dh])(?: align="(left|center|right)")?>/y);
          const type = tag === 'th' ? 'table_header' : 'table_cell';
          return this.schema.node(type, { alignment }, this.flow(`</${tag}>`));
        });
        return this.schema.node(name, null, cells);
      });
    const head = this.take('<thead>') ? rows('table_header_row', '</thead>') : [];
    const body = this.take('<tbody>') ? rows('table_row', '</tbody>') : [];
    this.need('</table>');
    return this.schema.node('table', null, [...head, ...body]);
  }

  private line(): Fragment {
    const line: Node[] = [];
    const open: { readonly end: string; readonly outside: readonly Mark[] }[] = [];
    let marks: readonly Mark[] = [];
    let space = true;
    for (;;) {
      let words = this.text();
      if (words.endsWith(' ') && open.length === 0 && this.html.startsWith('</', this.at)) {
        words = words.slice(0, -1);
        this.skipped.push(this.at - 1);
      }
      if (words) {
        if (ODD_SPACE.test(words) || (space && words.startsWith(' '))) throw ODD;
        space = words.endsWith(' ');
        line.push(this.schema.text(words, marks));
      }
      const tag = this.tag();
      const last = open.at(-1);
      const href = /^<a href="([^"\0\r]*)">$/.exec(tag)?.[1];
      const mark = href === undefined ? MARKS[tag] : 'link';
      if (mark) {
        open.push({ end: href === undefined ? `</${tag.slice(1)}` : '</a>', outside: marks });
        const attrs = href === undefined ? null : { href: plain(href), title: null };
        marks = this.schema.mark(mark, attrs).addToSet(marks);
      } else if (tag === last?.end) {
        open.pop();
        marks = last.outside;
      } else break;
      this.at += tag.length;
    }
    if (space || open.length > 0) throw ODD;
    return Fragment.fromArray(line);
  }

  /** What `each` reads, again and again, up to `end`. */
  private until(end: string, each: () => Node): Node[] {
    const nodes: Node[] = [];
    while (!this.take(end)) nodes.push(each());
    return nodes;
  }

  /** The tag that stands here; nothing where words do. */
  private tag(): string {
    return this.html[this.at] === '<' ? this.html.slice(this.at, this.html.indexOf('>', this.at) + 1) : '';
  }

  /** The words up to the next tag. */
  private text(): string {
    const end = this.html.indexOf('<', this.at);
    if (end < 0) throw ODD;
    const words = plain(this.html.slice(this.at, end));
    this.at = end;
    return words;
  }

  private take(text: string): boolean {
    const isHere = this.html.startsWith(text, this.at);
    if (isHere) this.at += text.length;
    return isHere;
  }

  private need(text: string): void {
    if (!this.take(text)) throw ODD;
  }

  private match(sticky: RegExp): RegExpExecArray {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.html);
    if (!found) throw ODD;
    this.at = sticky.lastIndex;
    return found;
  }
}

/** A node that `Reader` gave, as stored HTML. */
function writePlain(node: Node): string {
  const { attrs, content, type } = node;
  const inside = () => content.content.map(writePlain).join('');
  switch (type.name) {
    case 'paragraph':
      return `<p>${writeLine(content)}</p>`;
    case 'heading':
      return `<h${attrs.level}>${writeLine(content)}</h${attrs.level}>`;
    case 'blockquote':
      return `<blockquote>${inside()}</blockquote>`;
    case 'bullet_list':
      return `<ul>${inside()}</ul>`;
    case 'ordered_list':
      return `<ol${attrs.order === 1 ? '' : ` start="${attrs.order}"`}>${inside()}</ol>`;
    case 'list_item':
      return `<li${attrs.checked === null ? '' : ` data-checked="${attrs.checked}"`}>${attrs.spread ? inside() : content.content.map(writeTight).join('')}</li>`;
    case 'code_block':
      return `<pre><code${attrs.language && ` class="language-${attrs.language}"`}>${escaped(node.textContent)}</code></pre>`;
    case 'hr':
      return '<hr>';
    case 'table':
      return `<table>${writeRows(content, 'table_header_row', 'thead')}${writeRows(content, 'table_row', 'tbody')}</table>`;
    case 'table_row':
    case 'table_header_row':
      return `<tr>${inside()}</tr>`;
    default: {
      const tag = type.name === 'table_header' ? 'th' : 'td';
      const words = content.childCount === 1 ? content.content.map(writeTight)[0] : inside();
      return `<${tag}${attrs.alignment ? ` align="${attrs.alignment}"` : ''}>${words}</${tag}>`;
    }
  }
}

const writeTight = (node: Node) => (node.type.name === 'paragraph' ? writeLine(node.content) : writePlain(node));

function writeRows({ content }: Fragment, name: string, tag: string): string {
  const rows = content.filter(({ type }) => type.name === name);
  return rows.length > 0 ? `<${tag}>${rows.map(writePlain).join('')}</${tag}>` : '';
}

const TAGS = Object.fromEntries(
  Object.entries({ ...MARKS, '<a>': 'link' }).map(([tag, name]) => [name, tag.slice(1, -1)]),
);

function writeLine(content: Fragment): string {
  let html = '';
  let open: readonly Mark[] = [];
  const close = (from: number) => {
    for (const mark of open.slice(from).toReversed()) html += `</${TAGS[mark.type.name]}>`;
  };
  // One mark has no order.
  const line = content.content.some(({ marks }) => marks.length > 1) ? nested(content) : content;
  for (const { text, marks } of line.content) {
    const other = marks.findIndex((mark, index) => !open[index]?.eq(mark));
    const kept = other < 0 ? marks.length : other;
    close(kept);
    for (const { type, attrs } of marks.slice(kept))
      html += `<${TAGS[type.name]}${type.name === 'link' ? ` href="${escaped(attrs.href).replaceAll('"', '&quot;')}"` : ''}>`;
    open = marks;
    html += escaped(text ?? '');
  }
  close(0);
  return html;
}

const SIGNS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const plain = (html: string) =>
  html.includes('&') ? html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => SIGNS[entity] ?? '') : html;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
