/** The addresses of pictures in a rendered text. */
import { elementsIn, parseHtml } from './tree.ts';
import { writeHtml } from './write-html.ts';

/** Of pictures, and of links that lead to one. `srcset` and the fallback are lists, whose addresses have no spaces. */
const NAMING = ['src', 'srcSet', 'dataFallback', 'href'] as const;

/** `html` with each storage address of one of `endpoints` at `to` instead, where a picture or a link names it; text is left alone. */
export function movePictures(html: string, endpoints: readonly string[], to: string): string {
  const tree = parseHtml(html);
  const moved = (address: string) => {
    const from = endpoints.find((endpoint) => address.startsWith(`${endpoint}/storage/`));
    return from === undefined ? address : to + address.slice(from.length);
  };
  for (const [{ tagName, properties }] of elementsIn(tree)) {
    if (tagName !== 'img' && tagName !== 'a') continue;
    for (const name of NAMING) {
      const value = properties[name];
      if (typeof value === 'string') properties[name] = value.split(' ').map(moved).join(' ');
    }
  }
  return writeHtml(tree);
}
