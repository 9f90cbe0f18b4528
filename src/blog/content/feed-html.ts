import { secureAddress } from '../images.ts';
import { elementsIn, readStored, writeHtml } from './tree.ts';

const ADDRESSES = ['href', 'src'] as const;

/** Returns sanitised HTML with its URLs resolved against `page`, the absolute URL of the post. */
export function feedHtml(html: string, page: string): string {
  const { tree } = readStored(html);
  for (const [{ properties }] of elementsIn(tree)) {
    for (const name of ADDRESSES) {
      const address = properties[name];
      if (typeof address !== 'string' || !URL.canParse(address, page)) continue;
      const { href } = new URL(address, page);
      properties[name] = name === 'src' ? secureAddress(href, new URL(page).origin) : href;
    }
  }
  return writeHtml(tree);
}
