/** Reads the fenced blocks of pages in `docs`, and the commands in their shell blocks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** Returns the fenced blocks of a page. @param page its file name in `docs` */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(DOCS, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** Returns a shell block's commands without comments. A trailing backslash continues a line. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');

/** Returns the page's nginx blocks: the site's server, the cache zone, and the caching lines of the `location`. */
export function nginxOf(page: string): { readonly site: string; readonly zone: string; readonly caching: string } {
  const [site = '', zone = '', caching = ''] = blocksOf(page)
    .filter(({ language }) => language === 'nginx')
    .map(({ text }) => text);
  return { site, zone, caching };
}
