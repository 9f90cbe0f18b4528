/** Pages of `docs`, as far as programs read them: their fenced blocks, and the commands in those of the shell. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** @param page name of a file in `docs` */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(DOCS, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** Of a block of the shell, without comments; a line that ends with a backslash goes on in the next one. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');

/** The blocks for nginx: the site behind it, what lets it keep pages, and what goes into the `location` for that. */
export function nginxOf(page: string): { readonly site: string; readonly zone: string; readonly caching: string } {
  const [site = '', zone = '', caching = ''] = blocksOf(page)
    .filter(({ language }) => language === 'nginx')
    .map(({ text }) => text);
  return { site, zone, caching };
}
