/** Renders drafts that Ghost never rendered: Lexical (Ghost 5 and later) and Mobiledoc 0.3 (2 to 4). */

import { z } from 'zod';
import { writeHtml } from '#blog/content/tree.ts';
import { readMarkdown } from '../markdown/markdown.ts';

type Fields = Readonly<Record<string, unknown>>;

const escaped = (value: unknown): string =>
  String(value ?? '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((each): each is Fields => typeof each === 'object' && each !== null) : [];

const pictured = (address: unknown, alt: unknown = ''): string =>
  text(address) ? `<figure><img src="${escaped(address)}" alt="${escaped(alt)}"></figure>` : '';

const linked = (address: unknown, words: unknown): string =>
  text(address) ? `<p><a href="${escaped(address)}">${escaped(text(words) || address)}</a></p>` : '';

/** Renders the text of Ghost 0 and 1, and of cards. */
export const markdownHtml = (markdown: string): string => writeHtml(readMarkdown(markdown).tree);

/** Returns undefined for an unknown card. Cards are the same in both formats. */
function card(name: string, given: Fields): string | undefined {
  const caption = text(given.caption) && `<figcaption>${text(given.caption)}</figcaption>`;
  switch (name) {
    case 'image':
      return `<figure><img src="${escaped(given.src)}" alt="${escaped(given.alt)}">${caption}</figure>`;
    case 'gallery': {
      const images = list(given.images).map(({ src, alt }) => pictured(src, alt));
      return `${images.join('')}${text(given.caption) && `<p>${text(given.caption)}</p>`}`;
    }
    case 'html':
      return text(given.html);
    case 'code':
    case 'codeblock': {
      const language = text(given.language).replace(/[^\w+#.-]/g, '');
      return `<pre><code${language && ` class="language-${language}"`}>${escaped(given.code)}</code></pre>${text(given.caption) && `<p>${text(given.caption)}</p>`}`;
    }
    case 'hr':
    case 'horizontalrule':
      return '<hr>';
    case 'paywall':
      return '';
    case 'embed':
      return (
        linked(given.url, (given.metadata as Fields | undefined)?.title) +
        (text(given.caption) && `<p>${text(given.caption)}</p>`)
      );
    case 'bookmark': {
      const about = (typeof given.metadata === 'object' && given.metadata ? given.metadata : given) as Fields;
      return `${linked(given.url ?? about.url, about.title)}<p>${escaped(about.description)}</p>${text(given.caption) && `<p>${text(given.caption)}</p>`}`;
    }
    case 'button':
      return linked(given.buttonUrl, given.buttonText);
    case 'callout':
      return `<blockquote>${text(given.calloutEmoji)} ${text(given.calloutText)}</blockquote>`;
    case 'toggle':
      return `<p><strong>${text(given.heading)}</strong></p>${text(given.content)}`;
    case 'header':
      return `${pictured(given.backgroundImageSrc)}<h2>${text(given.header)}</h2><p>${text(given.subheader)}</p>${linked(given.buttonUrl, given.buttonText)}`;
    case 'product':
      return `${pictured(given.productImageSrc)}<p><strong>${text(given.productTitle)}</strong></p>${text(given.productDescription)}${linked(given.productUrl, given.productButton)}`;
    case 'audio':
    case 'video':
    case 'file':
      return (
        linked(given.src, given.title || given.fileTitle || given.fileName) +
        [given.caption, given.fileCaption].map((each) => text(each) && `<p>${text(each)}</p>`).join('')
      );
    case 'email':
    case 'email-cta':
      return text(given.html);
  }
  return undefined;
}

/** Renders an unknown card as code and reports a loss. */
function cardOrCode(name: string, given: Fields, losses: string[]): string {
  const known = card(name, given);
  if (known !== undefined) return known;
  losses.push(`the card "${name}" is not known: what it holds stands as code`);
  return `<pre><code class="language-json">${escaped(JSON.stringify(given, null, 1))}</code></pre>`;
}

const FORMATS = ['strong', 'em', 'del', 'u', 'code', 'sub', 'sup', 'mark'] as const;

/** @throws SyntaxError for invalid JSON */
export function lexicalHtml(json: string, losses: string[]): string {
  const parsed: unknown = JSON.parse(json);
  const root = (parsed as { root?: Fields } | null)?.root;
  return list(root?.children)
    .map((node) => lexicalNode(node, losses))
    .join('\n');
}

function lexicalNode(node: Fields, losses: string[]): string {
  const type = text(node.type);
  const inner = () =>
    list(node.children)
      .map((child) => lexicalNode(child, losses))
      .join('');
  switch (type) {
    case 'text':
    case 'extended-text':
    case 'tab': {
      const format = typeof node.format === 'number' ? node.format : 0;
      return FORMATS.reduce(
        (html, tag, bit) => (format & (1 << bit) ? `<${tag}>${html}</${tag}>` : html),
        escaped(node.text),
      );
    }
    case 'linebreak':
      return '<br>';
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
    case 'extended-heading': {
      const tag = /^h[1-6]$/.exec(text(node.tag))?.[0] ?? 'h2';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote>${inner()}</blockquote>`;
    case 'list': {
      const tag = node.listType === 'number' ? 'ol' : 'ul';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'listitem':
      return `<li>${inner()}</li>`;
    case 'link':
    case 'autolink':
      return `<a href="${escaped(node.url)}">${inner()}</a>`;
    case 'markdown':
      return markdownHtml(text(node.markdown));
  }
  return cardOrCode(type, node, losses);
}

const mobiledoc = z.object({
  atoms: z.array(z.array(z.unknown())).default([]),
  cards: z.array(z.array(z.unknown())).default([]),
  markups: z.array(z.array(z.unknown())).default([]),
  sections: z.array(z.array(z.unknown())).default([]),
});

/** @throws SyntaxError for invalid JSON, Error for other JSON */
export function mobiledocHtml(json: string, losses: string[]): string {
  const read = mobiledoc.safeParse(JSON.parse(json));
  if (!read.success) throw new Error('its Mobiledoc cannot be read');
  const { atoms, cards, markups, sections } = read.data;
  const marked = (markers: unknown): string => {
    const open: string[] = [];
    return (Array.isArray(markers) ? markers : [])
      .map(([kind, opening, closing, value]: [number, number[], number, unknown]) => {
        const atom = kind === 1 ? atoms[Number(value)] : undefined;
        let html = (opening ?? []).map((at) => tagOf(markups[at], open)).join('');
        html += kind === 1 ? (atom?.[0] === 'soft-return' ? '<br>' : escaped(atom?.[1])) : escaped(value);
        for (let count = closing; count > 0; count -= 1) html += `</${open.pop() ?? 'span'}>`;
        return html;
      })
      .join('');
  };
  return sections
    .map(([kind, first, second]) => {
      if (kind === 1) {
        const tag = /^(?:h[1-6]|p|blockquote)$/.exec(String(first))?.[0] ?? (first === 'aside' ? 'blockquote' : 'p');
        return `<${tag}>${marked(second)}</${tag}>`;
      }
      if (kind === 2) return `<figure><img src="${escaped(first)}" alt=""></figure>`;
      if (kind === 3) {
        const tag = first === 'ol' ? 'ol' : 'ul';
        return `<${tag}>${(Array.isArray(second) ? second : []).map((item) => `<li>${marked(item)}</li>`).join('')}</${tag}>`;
      }
      const [name, payload] = cards[Number(first)] ?? [];
      const given = (typeof payload === 'object' && payload ? payload : {}) as Fields;
      if (/^(?:card-)?markdown$/.test(String(name))) return markdownHtml(text(given.markdown));
      return cardOrCode(String(name), given, losses);
    })
    .join('\n');
}

function tagOf(markup: readonly unknown[] | undefined, open: string[]): string {
  const [name, attributes] = markup ?? [];
  const tag = /^(?:strong|b|em|i|u|s|a|code|sub|sup|mark|del)$/.exec(String(name))?.[0] ?? 'span';
  open.push(tag);
  const pairs = Array.isArray(attributes) ? attributes : [];
  const href = tag === 'a' ? pairs[pairs.indexOf('href') + 1] : undefined;
  return href === undefined ? `<${tag}>` : `<a href="${escaped(href)}">`;
}
