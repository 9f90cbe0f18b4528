/**
 * Addresses that posts had on another site, and where they are now: a text file of lines `/old/address /post/slug`, which
 * imports write and operators may. It is asked only for what is not found, so no line hides a page.
 */
import { readFile, stat } from 'node:fs/promises';
import { canonical } from './canonical.ts';

export interface MovedPage {
  /** The old path, percent-encoded, without a slash or `.html` at its end. */
  readonly from: string;
  /** A path of this site or an address of another. */
  readonly to: string;
}

export interface Moved {
  /** Where the page at a request's path has gone; undefined for a path that the file does not name. */
  targetOf(path: string): Promise<string | undefined>;
}

/** In the data folder. */
export const MOVED_FILE = 'redirects';
const HEADING = '# Old addresses: a line for each, the old path and the new one. Imports add lines and change none.\n';
/** Milliseconds for which the file is believed to be as it was. */
const LOOK_AGAIN = 1000;

/** One key for all that generators made of an address: `/a/B/`, `/a/b.html`, `/a/b/index.html`. */
function keyOf(path: string): string | undefined {
  try {
    return plain(decodeURIComponent(path)).normalize('NFC').toLowerCase();
  } catch {
    return undefined;
  }
}

const plain = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?:(\/)index)?\.html?$|(\/)index$/i, '$1$2')
    .replace(/(.)\/$/, '$1');

/** The lines that can be used, and a sentence for each that cannot. */
export function readMoved(text: string): { readonly pages: MovedPage[]; readonly faults: string[] } {
  const pages: MovedPage[] = [];
  const faults: string[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const [from = '', to = '', ...more] = line.trim().split(/\s+/);
    if (from === '' || from.startsWith('#')) return;
    if (
      more.length > 0 ||
      !from.startsWith('/') ||
      keyOf(from) === undefined ||
      !/^(?:\/(?!\/)|https?:\/\/)\S*$/.test(to)
    ) {
      faults.push(`Line ${at + 1} is not an old path and a new address, such as /2020/01/02/ink.html /post/ink`);
    } else pages.push({ from: encoded(from), to });
  });
  return { pages, faults };
}

/** As it stands in an address: nothing in it ends a line or a word. */
function encoded(path: string): string {
  const bare = plain(decodeURIComponent(path));
  return encodeURI(bare).replace(/[?#]/g, encodeURIComponent);
}

/** The text with lines for those of `pages` whose old address it does not name and that no page of this site has. */
export function withMoved(text: string, pages: readonly MovedPage[]): string {
  const known = new Set(readMoved(text).pages.map(({ from }) => keyOf(from)));
  const lines = pages.flatMap(({ from, to }) => {
    const key = keyOf(from);
    if (key === undefined || known.has(key) || isOwn(key, to)) return [];
    known.add(key);
    return [`${encoded(from)} ${to}\n`];
  });
  if (lines.length === 0) return text;
  const before = text === '' ? HEADING : text.endsWith('\n') ? text : `${text}\n`;
  return before + lines.join('');
}

/** True for what the site itself has at that address, and for the page that is meant. */
function isOwn(key: string, to: string): boolean {
  const address = canonical(encodeURI(key));
  if (address === undefined) return false;
  const page = 'page' in address ? address.page : 'redirect' in address ? address.redirect : to;
  // Another post's address may be free: the server looks for the post first.
  return page === to || !/^\/post\/[^/]+$/.test(page);
}

/** The lines of a file that may not be there. */
export const movedIn = (file: string): Promise<MovedPage[]> =>
  readFile(file, 'utf8').then(
    (text) => readMoved(text).pages,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)),
  );

/** Reads the file when it is first asked and whenever it has changed. @param complain told of lines that cannot be used */
export function openMoved(file: string, complain: (sentence: string) => void): Moved {
  let targets = new Map<string, string>();
  let version = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  async function look(): Promise<void> {
    if (performance.now() - lookedAt < LOOK_AGAIN) return;
    lookedAt = performance.now();
    const found = await stat(file).catch(() => undefined);
    const present = found ? `${found.mtimeMs} ${found.size}` : '';
    if (present === version) return;
    const { pages, faults } = readMoved(found ? await readFile(file, 'utf8') : '');
    version = present;
    targets = new Map(pages.toReversed().map(({ from, to }) => [keyOf(from) ?? '', to]));
    for (const fault of faults.slice(0, 5)) complain(`${file}: ${fault}.`);
  }
  return {
    async targetOf(path) {
      await look().catch((error: unknown) => complain(`${file} could not be read: ${String(error)}`));
      const key = keyOf(path);
      return key === undefined ? undefined : targets.get(key);
    },
  };
}
