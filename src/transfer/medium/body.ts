import type { Element, Root } from 'hast';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { build, classesOf, hasClass, plainFigures, replaceElement } from '../html/figures.ts';
import type { Findings } from '../html/read-html.ts';

export function prepareBody(tree: Root, title: string, found: Findings): void {
  dropFirst(tree, title);
  for (const [element, parent] of elementsIn(tree)) {
    const { tagName, properties } = element;
    if (tagName === 'figure') {
      const nodes = plainFigures(original(element), isPictureLink);
      if (nodes.length === 0) found.losses.push('an embed: its content is not in the export');
      replaceElement(parent, element, nodes);
    } else if (hasClass(element, /^graf--subtitle$/)) element.tagName = 'p';
    // Medium's two levels of headings are h3 and h4.
    else if (hasClass(element, /^graf--/) && /^h[34]$/.test(tagName)) element.tagName = tagName === 'h3' ? 'h2' : 'h3';
    else if (tagName === 'pre') {
      const language = properties.dataCodeBlockLang;
      if (typeof language === 'string' && language !== '') properties.lang = language;
    } else if (hasClass(element, /^graf--mixtapeEmbed$/)) replaceElement(parent, element, [cardOf(element)]);
  }
}

function dropFirst(tree: Root, title: string): void {
  const elements = elementsIn(tree);
  const divider = elements.find(([element]) => element.tagName === 'hr');
  const isAbove = ([element]: (typeof elements)[number]) =>
    element.tagName === 'img' || (classesOf(element).includes('graf') && textIn(element).trim() !== '');
  if (divider && elements.findIndex(isAbove) > elements.indexOf(divider)) replaceElement(divider[1], divider[0], []);
  const wanted = squeezed(title);
  const heading = elements.find(([element]) => hasClass(element, /^graf--(?:title|h[2-4])$/));
  if (heading && squeezed(textIn(heading[0])) === wanted) replaceElement(heading[1], heading[0], []);
}

const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s…]+/g, '')
    .toLowerCase();

function original(figure: Element): Element {
  for (const [{ tagName, properties }] of elementsIn(figure)) {
    const id = properties.dataImageId;
    if (tagName === 'img' && typeof id === 'string' && id !== '' && !String(properties.src ?? '').endsWith(id))
      properties.src = `https://cdn-images-1.medium.com/max/800/${id}`;
  }
  return figure;
}

const isPictureLink = (href: string): boolean => /^https?:\/\/(?:cdn-images-\d|miro)\.medium\.com\//.test(href);

function cardOf(card: Element): Element {
  const links = elementsIn(card).filter(([{ tagName }, parent]) => tagName === 'a' && parent.type !== 'root');
  const named = links.find(([link]) => textIn(link).trim() !== '')?.[0];
  const href = (named ?? links[0]?.[0])?.properties.href;
  if (!named || typeof href !== 'string') return build('p', card.children);
  const rest = card.children.filter((child) => child !== named);
  return build('p', [build('a', named.children, { href }), ...rest.filter((child) => textIn(child).trim() !== '')]);
}
