import { elementsIn, parseHtml, writeHtml } from './tree.ts';

const NAMING = ['src', 'srcSet', 'dataFallback', 'href'] as const;

/** Replaces any of `endpoints` with `to` in the storage URLs of pictures and links, but not in visible text. */
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
