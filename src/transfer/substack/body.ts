/** Converts Substack's pictures, players and widgets, whose data is JSON in `data-attrs`. */

import type { Element, ElementContent, Root } from 'hast';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { build, hasClass, isElement, linkTo, plainFigures, replaceElement } from '../html/figures.ts';
import type { Findings } from '../html/read-html.ts';
import { jsonOf } from '../read-json.ts';

export function prepareBody(tree: Root, found: Findings): void {
  settle(tree, found);
  settleFootnotes(tree);
}

function settle(parent: Root | Element, found: Findings): void {
  parent.children = (parent.children as ElementContent[]).flatMap((node) => {
    if (node.type !== 'element') return [node];
    const nodes = replacementOf(node, found);
    if (!nodes) settle(node, found);
    return nodes ?? [node];
  }) as typeof parent.children;
}

type Attributes = Readonly<Record<string, unknown>>;

function attributesOf({ properties }: Element): Attributes {
  const read = jsonOf(String(properties.dataAttrs ?? ''));
  return typeof read === 'object' && read !== null ? (read as Attributes) : {};
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const WIDGET =
  /^(?:subscription-widget|subscription-widget-wrap(?:-editor)?|subscribe-widget|install-substack-app-embed|community-chat|directMessage|captioned-button-wrap|paywall-jump|header-anchor-parent|image-link-expand)$/;

function replacementOf(element: Element, found: Findings): ElementContent[] | undefined {
  const given = attributesOf(element);
  const inner = () => textIn(element).replace(/\s+/g, ' ').trim();
  if (hasClass(element, WIDGET)) {
    if (inner()) found.notes.push(`left out a Substack widget: ${inner().slice(0, 200)}`);
    return [];
  }
  if (hasClass(element, /^captioned-image-container$/)) return plainFigures(withOriginals(element), isPictureLink);
  if (element.tagName === 'img') {
    withOriginal(element);
    return undefined;
  }
  if (hasClass(element, /^image-gallery-embed$/)) return galleryOf(given, found);
  if (hasClass(element, /^poll-embed$/)) {
    found.losses.push('a poll: its question and answers are not in the export');
    return [];
  }
  if (hasClass(element, /^latex-rendered$/)) {
    const formula = text(given.persistentExpression);
    return formula ? [build('pre', [build('code', [formula], { className: ['language-math'] })])] : undefined;
  }
  if (hasClass(element, /^(?:tweet|twitter-embed)$/)) return [quoteOf(given, found, element)];
  if (hasClass(element, /^button-wrapper$/) && /%%|\/subscribe\b|action=share/.test(text(given.url))) {
    found.notes.push(`left out a Substack button: ${text(given.text) || inner()}`);
    return [];
  }
  if (element.tagName === 'a' && /%%\w+%%/.test(String(element.properties.href ?? ''))) return element.children;
  return 'dataAttrs' in element.properties ? linkOf(element, given, found) : undefined;
}

function linkOf(element: Element, given: Attributes, found: Findings): ElementContent[] | undefined {
  const holds = elementsIn(element).some(([{ tagName }]) => /^(?:img|iframe|a|audio|video)$/.test(tagName));
  if (holds || element.tagName === 'iframe' || element.tagName === 'a' || textIn(element).trim() !== '')
    return undefined;
  const film = text(given.videoId);
  const kind = String(element.properties.dataComponentName ?? element.properties.className ?? element.tagName);
  const address =
    film && /^[\w-]+$/.test(film) && /youtube/i.test(kind)
      ? `https://www.youtube.com/watch?v=${film}`
      : film && /vimeo/i.test(kind)
        ? `https://vimeo.com/${film}`
        : [given.url, given.href, given.canonical_url, given.src, given.embed_url]
            .map(text)
            .find((each) => /^https?:\/\//.test(each));
  if (address) return [linkTo(address, text(given.title) || address)];
  if (Object.keys(given).length > 0) found.losses.push(`${kind}: its content is not in the export`);
  return undefined;
}

function quoteOf(given: Attributes, found: Findings, element?: Element): Element {
  const words = text(given.full_text);
  const inner = element && words === '' && textIn(element).trim() !== '' ? element.children : [build('p', [words])];
  const [username, address] = [text(given.username), text(given.url)];
  const name = text(given.name) || (username && `@${username}`);
  const author = address ? [linkTo(address, name || address)] : name ? [build('p', [name])] : [];
  return build('blockquote', [...inner, ...shownBy(given), ...quotedIn(given, found), ...author]);
}

function shownBy({ photos, video_url, expanded_url }: Attributes): ElementContent[] {
  const pictures = (Array.isArray(photos) ? photos : []).flatMap((photo: Attributes | null) => {
    const src = text(photo?.img_url);
    return src ? [build('p', [build('img', [], { src, alt: text(photo?.alt_text) })])] : [];
  });
  const page = (expanded_url ?? {}) as Attributes;
  const links = [
    [text(video_url), ''],
    [text(page.url), text(page.title)],
  ] as const;
  return [...pictures, ...links.flatMap(([href, title]) => (href ? [linkTo(href, title || href)] : []))];
}

function quotedIn({ quoted_tweet }: Attributes, found: Findings): ElementContent[] {
  const quoted = (quoted_tweet ?? {}) as Attributes;
  if (Object.keys(quoted).length === 0) return [];
  // The quoted post may quote another post, but the export does not contain that other post.
  if (text(quoted.full_text) || text(quoted.url)) return [quoteOf({ ...quoted, quoted_tweet: undefined }, found)];
  found.losses.push('a quoted post from another network: its text is not in the export');
  return [];
}

function galleryOf(given: Attributes, found: Findings): ElementContent[] {
  const gallery = (given.gallery ?? {}) as Attributes;
  const images = Array.isArray(gallery.images) ? (gallery.images as readonly Attributes[]) : [];
  if (images.length === 0) found.losses.push('a gallery without pictures');
  const caption = text(gallery.caption);
  return images.map((image, index) => {
    const shown = build('img', [], { src: text(image?.src), alt: text(image?.alt) || text(gallery.alt) });
    return build('figure', [
      shown,
      ...(caption && index === images.length - 1 ? [build('figcaption', [caption])] : []),
    ]);
  });
}

function withOriginals(element: Element): Element {
  for (const [image] of elementsIn(element)) if (image.tagName === 'img') withOriginal(image);
  return element;
}

function withOriginal(image: Element): void {
  const given = attributesOf(image);
  const { properties } = image;
  if (/^https?:\/\//.test(text(given.src))) properties.src = text(given.src);
  if (!text(properties.alt) && text(given.alt)) properties.alt = text(given.alt);
  if (!text(properties.title) && text(given.title)) properties.title = text(given.title);
}

const isPictureLink = (href: string): boolean =>
  /^https?:\/\/(?:(?:cdn\.)?substack(?:cdn)?\.com\/image\/|(?:substack-post-media|bucketeer-[\w-]+)\.s3\.amazonaws\.com\/)/.test(
    href,
  );

function settleFootnotes(tree: Root): void {
  const notes: Element[] = [];
  for (const [element, parent] of elementsIn(tree)) {
    const number = /^#footnote-(\d+)/.exec(String(element.properties.href ?? ''))?.[1];
    if (number && hasClass(element, /^footnote-anchor$/)) {
      const link = build('a', [number], { href: `#fn-${number}`, id: `fnref-${number}`, dataFootnoteRef: true });
      replaceElement(parent, element, [build('sup', [link])]);
    } else if (hasClass(element, /^footnote$/)) {
      notes.push(noteOf(element, String(notes.length + 1)));
      replaceElement(parent, element, []);
    }
  }
  if (notes.length > 0) tree.children.push(build('section', [build('ol', notes)], { dataFootnotes: true }));
}

function noteOf(footnote: Element, place: string): Element {
  const inner = elementsIn(footnote);
  const mark = inner.find(([element]) => hasClass(element, /^footnote-number$/));
  const number = /^footnote-(\d+)/.exec(String(mark?.[0].properties.id ?? ''))?.[1] ?? place;
  if (mark) replaceElement(mark[1], mark[0], []);
  const content = inner.find(([element]) => hasClass(element, /^footnote-content$/))?.[0] ?? footnote;
  const back = build('a', ['↩'], { href: `#fnref-${number}`, dataFootnoteBackref: true });
  const last = content.children.findLast((child) => isElement(child, 'p'));
  if (last) last.children.push({ type: 'text', value: ' ' }, back);
  else content.children = [build('p', [...content.children, ' ', back])];
  return build('li', content.children, { id: `fn-${number}` });
}
