/** Eleventy's data cascade (https://www.11ty.dev/docs/data-cascade/): files beside posts that say something of all posts of a folder, or of one. */

import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

type Fields = Readonly<Record<string, unknown>>;

/** Tags that name a list of pages and no subject. */
const LISTS = /^(?:all|nav|posts?)$/i;

/** Data that a program makes, which is not run. */
export const isDataProgram = (path: string): boolean => /\.11tydata\.[cm]?js$/i.test(path);

/**
 * Gives what a post says itself together with what files of data say of it: the nearer one counts, and tags add up.
 * @param files paths of JSON files below `folder`, with `/`
 */
export function createCascade(
  folder: string,
  files: ReadonlySet<string>,
): (path: string, own: Fields) => Promise<Fields> {
  const read = new Map<string, Promise<Fields>>();
  const at = (path: string): Promise<Fields> => {
    const known = read.get(path) ?? readFile(join(folder, path), 'utf8').then(tableIn);
    read.set(path, known);
    return known;
  };
  return async (path, own) => {
    const folders = path.split('/').slice(0, -1);
    const places = [
      basename(resolve(folder)),
      ...folders.map((name, depth) => `${folders.slice(0, depth + 1).join('/')}/${name}`),
      path.replace(/\.\w+$/, ''),
    ];
    const found = places
      .flatMap((place) => [`${place}.json`, `${place}.11tydata.json`])
      .filter((each) => files.has(each));
    const inherited = await Promise.all(found.map(at));
    const lists = inherited.flatMap(({ tags }) => textsIn(tags)).filter((tag) => !LISTS.test(tag));
    const whole: Fields = Object.assign({}, ...inherited, own);
    const { permalink } = whole;
    return {
      ...whole,
      ...(found.length > 0 && { tags: [...lists, ...textsIn(own.tags)] }),
      ...(typeof permalink === 'string' && { permalink: permalink.replace(FILE_SLUG, fileSlug(path)) }),
    };
  };
}

const FILE_SLUG = /\{\{-?\s*page\.fileSlug\s*(?:\|\s*slug(?:ify)?\s*)?-?\}\}/g;

/** As Eleventy makes it: without date and ending, and of `index.md` the folder. */
function fileSlug(path: string): string {
  const stem = basename(path).replace(/\.\w+$/, '');
  return (stem === 'index' ? basename(dirname(path)) : stem).replace(/^\d{4}-\d{2}-\d{2}-/, '');
}

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');

/** A file of such a name may hold anything else. */
function tableIn(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
  } catch {
    return {};
  }
}
