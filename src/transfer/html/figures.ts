import type { Element, ElementContent, Parents, RootContent } from 'hast';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { EMBEDS } from './embeds.ts';

export const classesOf = ({ properties }: Element): readonly string[] =>
  Array.isArray(properties.className) ? properties.className.map(String) : [];

export const hasClass = (element: Element, pattern: RegExp): boolean =>
  classesOf(element).some((name) => pattern.test(name));

export function build(
  tagName: string,
  children: readonly (ElementContent | string)[],
  properties: Element['properties'] = {},
): Element {
  const nodes = children.map((child) =>
    typeof child === 'string' ? ({ type: 'text', value: child } as const) : child,
  );
  return { type: 'element', tagName, properties, children: nodes };
}

export const linkTo = (href: string, words = href): Element => build('p', [build('a', [words], { href })]);

export const isElement = (node: RootContent | undefined, tagName: string): node is Element =>
  node?.type === 'element' && node.tagName === tagName;

export function replaceElement(parent: Parents, element: Element, nodes: readonly ElementContent[]): void {
  const children = parent.children as ElementContent[];
  const at = children.indexOf(element);
  if (at >= 0) children.splice(at, 1, ...nodes);
}

/** Returns one figure per picture; the last has the caption. Drops links that only open the picture (`isOwn`). */
export function plainFigures(
  figure: Element,
  isOwn: (href: string, image: Element) => boolean,
  caption = elementsIn(figure).find(([{ tagName }]) => tagName === 'figcaption')?.[0].children ?? [],
): ElementContent[] {
  const inner = elementsIn(figure);
  const images = inner.filter(([{ tagName, properties }]) => tagName === 'img' && properties.src);
  const embeds = inner.filter(([{ tagName }]) => tagName === 'script' || EMBEDS.includes(tagName));
  const captionNodes = caption.some((node) => textIn(node).trim() !== '') ? [...caption] : [];
  if (images.length === 0)
    return [...embeds.map(([embed]) => embed), ...(captionNodes.length > 0 ? [build('p', captionNodes)] : [])];
  return images.map(([image], index) => {
    const link = inner.find(
      ([element]) => element.tagName === 'a' && elementsIn(element).some(([each]) => each === image),
    )?.[0];
    const href = link?.properties.href;
    const isKept = typeof href === 'string' && href !== '' && !isOwn(href, image);
    const shown = isKept ? build('a', [image], { href }) : image;
    const isLast = index === images.length - 1;
    return build('figure', [shown, ...(isLast && captionNodes.length > 0 ? [build('figcaption', captionNodes)] : [])]);
  });
}
