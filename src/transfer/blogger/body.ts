import type { Element, ElementContent, Root } from 'hast';
import { elementsIn, textIn } from '#blog/content/tree.ts';
import { decoded } from '../addresses.ts';
import { splitAtBreaks } from '../html/breaks.ts';
import { hasClass, plainFigures, replaceElement } from '../html/figures.ts';
import { pictureAt, type SiteFile } from '../old-site.ts';

export function prepareBody(tree: Root): void {
  for (const [element, parent] of elementsIn(tree)) {
    if (element.tagName === 'table' && hasClass(element, /^tr-caption-container$/))
      replaceElement(parent, element, plainFigures(element, isPictureLink, captionOf(element)));
    else if (element.tagName === 'a' && isPictureLink(String(element.properties.href ?? '')) && isPictureAlone(element))
      replaceElement(parent, element, element.children);
  }
  splitAtBreaks(tree);
}

function captionOf(table: Element): ElementContent[] {
  return elementsIn(table)
    .filter(([cell]) => cell.tagName === 'td' && hasClass(cell, /^tr-caption$/))
    .flatMap(([cell]) => cell.children);
}

const isPictureAlone = (link: Element): boolean =>
  textIn(link).trim() === '' && elementsIn(link).filter(([{ tagName }]) => tagName === 'img').length === 1;

const HOST = /^(?:\d\.bp\.blogspot\.com|(?:blogger|lh\d+)\.(?:googleusercontent|ggpht)\.com|bp\d\.blogger\.com)$/;
/** Both match the size in a scaled copy's URL, such as `/s320/`, `/s1600-h/`, `/w640-h480/` or a final `=s320`. */
const SIZE = /\/(?:[swh]\d+[\w-]*)(?=\/[^/]*$)/;
const SIZE_AT_END = /=[swh]\d+[\w-]*$/;

const isPictureLink = (href: string): boolean => URL.canParse(href) && HOST.test(new URL(href).hostname);

export function originalAt(url: URL): SiteFile | undefined {
  if (!HOST.test(url.hostname)) return undefined;
  const { pathname } = url;
  const original = SIZE.test(pathname) ? pathname.replace(SIZE, '/s0') : pathname.replace(SIZE_AT_END, '=s0');
  const [folder = '', name = ''] = pathname
    .replace(SIZE, '')
    .replace(SIZE_AT_END, '')
    .split(/\/(?=[^/]*$)/);
  return pictureAt(`${folder}/${decoded(name) || 'picture'}`, new URL(original, url).href, url);
}
