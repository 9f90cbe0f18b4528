/** Renders drafts exported without HTML: Lexical (Ghost 5 and later) and Mobiledoc 0.3 (Ghost 2 to 4). */

import { z } from 'zod';
import { writeHtml } from '#blog/content/tree.ts';
import { readMarkdown } from '../markdown/markdown.ts';
import { escapedAttribute } from '../mend-markup.ts';

type Fields = Readonly<Record<string, unknown>>;

const escaped = (value: unknown): string => escapedAttribute(String(value ?? ''));
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((each): each is Fields => typeof each === 'object' && each !== null) : [];

const pictured = (address: unknown, alt: unknown = ''): string =>
  text(address) ? `<figure><img src="${escaped(address)}" alt="${escaped(alt)}"></figure>` : '';

const linked = (address: unknown, words: unknown): string =>
  text(address) ? `<p><a href="${escaped(address)}">${escaped(text(words) || address)}</a></p>` : '';

export const markdownHtml = (markdown: string): string => writeHtml(readMarkdown(markdown).tree);

const paragraph = (html: unknown): string => text(html) && `<p>${text(html)}</p>`;

const code = (given: Fields): string => {
  const language = text(given.language).replace(/[^\w+#.-]/g, '');
  return `<pre><code${language && ` class="language-${language}"`}>${escaped(given.code)}</code></pre>${paragraph(given.caption)}`;
};
const media = (given: Fields): string =>
  linked(given.src, given.title || given.fileTitle || given.fileName) +
  paragraph(given.caption) +
  paragraph(given.fileCaption);
const inner = ({ html }: Fields): string => text(html);

const CARDS: Readonly<Record<string, (given: Fields) => string>> = {
  image: ({ src, alt, caption }) =>
    `<figure><img src="${escaped(src)}" alt="${escaped(alt)}">${text(caption) && `<figcaption>${text(caption)}</figcaption>`}</figure>`,
  gallery: ({ images, caption }) =>
    list(images)
      .map(({ src, alt }) => pictured(src, alt))
      .join('') + paragraph(caption),
  html: inner,
  email: inner,
  'email-cta': inner,
  code,
  codeblock: code,
  hr: () => '<hr>',
  horizontalrule: () => '<hr>',
  paywall: () => '',
  embed: ({ url, metadata, caption }) => linked(url, (metadata as Fields | undefined)?.title) + paragraph(caption),
  bookmark(given) {
    const about = (typeof given.metadata === 'object' && given.metadata ? given.metadata : given) as Fields;
    return `${linked(given.url ?? about.url, about.title)}<p>${escaped(about.description)}</p>${paragraph(given.caption)}`;
  },
  button: ({ buttonUrl, buttonText }) => linked(buttonUrl, buttonText),
  callout: (given) => `<blockquote>${text(given.calloutEmoji)} ${text(given.calloutText)}</blockquote>`,
  toggle: ({ heading, content }) => `<p><strong>${text(heading)}</strong></p>${text(content)}`,
  header: (given) =>
    `${pictured(given.backgroundImageSrc)}<h2>${text(given.header)}</h2><p>${text(given.subheader)}</p>${linked(given.buttonUrl, given.buttonText)}`,
  product: (given) =>
    `${pictured(given.productImageSrc)}<p><strong>${text(given.productTitle)}</strong></p>${text(given.productDescription)}${linked(given.productUrl, given.productButton)}`,
  audio: media,
  video: media,
  file: media,
};

function cardOrCode(name: string, given: Fields, losses: string[]): string {
  const known = Object.hasOwn(CARDS, name) ? CARDS[name]?.(given) : undefined;
  if (known !== undefined) return known;
  losses.push(`unknown card “${name}”, kept as code`);
  return `<pre><code class="language-json">${escaped(JSON.stringify(given, null, 1))}</code></pre>`;
}

const FORMATS = ['strong', 'em', 'del', 'u', 'code', 'sub', 'sup', 'mark'] as const;

/** Renders a Lexical document as HTML. @throws SyntaxError for invalid JSON */
export function lexicalHtml(json: string, losses: string[]): string {
  const parsed: unknown = JSON.parse(json);
  const root = (parsed as { root?: Fields } | null)?.root;
  return list(root?.children)
    .map((node) => lexicalNode(node, losses))
    .join('\n');
}

const ELEMENTS: Readonly<Record<string, (node: Fields) => string>> = {
  paragraph: () => 'p',
  heading: ({ tag }) => /^h[1-6]$/.exec(text(tag))?.[0] ?? 'h2',
  quote: () => 'blockquote',
  aside: () => 'blockquote',
  list: ({ listType }) => (listType === 'number' ? 'ol' : 'ul'),
  listitem: () => 'li',
};

function lexicalNode(node: Fields, losses: string[]): string {
  const type = text(node.type);
  const children = () =>
    list(node.children)
      .map((child) => lexicalNode(child, losses))
      .join('');
  if (/^(?:(?:extended-)?text|tab)$/.test(type)) {
    const format = typeof node.format === 'number' ? node.format : 0;
    return FORMATS.reduce(
      (html, tag, bit) => (format & (1 << bit) ? `<${tag}>${html}</${tag}>` : html),
      escaped(node.text),
    );
  }
  if (type === 'linebreak') return '<br>';
  if (/^(?:auto)?link$/.test(type)) return `<a href="${escaped(node.url)}">${children()}</a>`;
  if (type === 'markdown') return markdownHtml(text(node.markdown));
  const name = type.replace(/^extended-/, '');
  const tag = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name]?.(node) : undefined;
  return tag ? `<${tag}>${children()}</${tag}>` : cardOrCode(type, node, losses);
}

const mobiledoc = z.object({
  atoms: z.array(z.array(z.unknown())).default([]),
  cards: z.array(z.array(z.unknown())).default([]),
  markups: z.array(z.array(z.unknown())).default([]),
  sections: z.array(z.array(z.unknown())).default([]),
});

/** Renders a Mobiledoc document as HTML. @throws SyntaxError for invalid JSON, Error for JSON that is not Mobiledoc */
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
