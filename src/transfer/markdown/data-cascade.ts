/** Eleventy's data cascade (www.11ty.dev/docs/data-cascade): JSON files with fields for a post or a folder's posts. */

import { basename, dirname, resolve } from 'node:path';
import type { Archive } from '../archive.ts';
import { jsonOf } from '../read-json.ts';
import { type Fields, table } from './fields.ts';

const LISTS = /^(?:all|nav|posts?)$/i;

export const isDataProgram = (path: string): boolean => /\.11tydata\.[cm]?js$/i.test(path);

/** Returns a function that adds fields from data files to a post's fields. The nearest file wins; tags are combined. */
export function createCascade(
  { path: root, read: readFile }: Pick<Archive, 'path' | 'read'>,
  files: ReadonlySet<string>,
): (path: string, own: Fields) => Promise<Fields> {
  const read = new Map<string, Promise<Fields>>();
  const at = (path: string): Promise<Fields> => {
    const known = read.get(path) ?? readFile(path).then((bytes) => table(jsonOf(bytes.toString())) ?? {});
    read.set(path, known);
    return known;
  };
  return async (path, own) => {
    const folders = path.split('/').slice(0, -1);
    const places = [
      basename(resolve(root)),
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

/** Returns Eleventy's slug: the file name without date and extension, or the folder's name for `index.md`. */
function fileSlug(path: string): string {
  const stem = basename(path).replace(/\.\w+$/, '');
  return (stem === 'index' ? basename(dirname(path)) : stem).replace(/^\d{4}-\d{2}-\d{2}-/, '');
}

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
