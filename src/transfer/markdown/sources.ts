import { basename } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import type { Archive } from '../archive.ts';
import { decodeText } from '../decode-text.ts';
import type { NoPost } from '../document.ts';
import { withinTime } from '../time-limit.ts';
import { createCascade, isDataProgram } from './data-cascade.ts';
import { type PostFields, postFields } from './fields.ts';
import { readDocument } from './front-matter.ts';
import { ownFormOf } from './own-text.ts';

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly body: string;
  readonly fields: PostFields;
}

export interface Sources {
  readonly sources: readonly Source[];
  readonly others: readonly NoPost[];
}

const IS_LINK = 'it is a symbolic link, which is not followed; put the file or folder itself here';
const IS_PROGRAM = 'it is a program that computes Eleventy data, which the import does not run';

export const isMarkdownName = (name: string): boolean => /\.(?:md|mdx|markdown|mdown)$/i.test(name);

/** @param known returns an earlier result for an unchanged file; unused if data files (`*.json`) may add fields */
export async function readSources(
  archive: Archive,
  longestMs?: number,
  known?: (path: string) => Source | undefined,
): Promise<Sources> {
  // Skips hidden files, hidden folders and `node_modules` in zip files too; `folderAt` skips them in folders.
  const names = archive.names.filter((name) => !/(?:^|\/)(?:\.[^.]|node_modules\/)/.test(name));
  const files = names.filter(isMarkdownName);
  const data = new Set(names.filter((name) => /\.json$/i.test(name)));
  const cascade = createCascade(archive, data);
  const links = archive.links.filter(({ name, isFolder }) => isFolder || isMarkdownName(name));
  const sources: Source[] = [];
  const others: NoPost[] = [
    ...links.map(({ name }) => ({ path: name, reason: IS_LINK, failed: false })),
    ...names.filter(isDataProgram).map((path) => ({ path, reason: IS_PROGRAM, failed: false })),
  ];
  async function readSource(path: string): Promise<Source | NoPost> {
    if (/(?:^|\/)_(?:includes|layouts)\//.test(path))
      return { path, reason: 'it is part of a template, not a post', failed: false };
    if (/^_index\./.test(basename(path)))
      return { path, reason: 'it describes a section and is not a post', failed: false };
    try {
      const text = decodeText(path, await archive.read(path), archive.repairs);
      const { fields, body } = withinTime(() => readDocument(text), longestMs);
      if (/^readme\./i.test(basename(path)) && Object.keys(fields).length === 0)
        return { path, reason: 'it describes the folder and is not a post', failed: false };
      if (body.trim() === '' && !ownFormOf(fields)) return { path, reason: 'it has no text', failed: false };
      const whole = ownFormOf(fields) ? fields : await cascade(path, fields);
      const values = postFields(whole, path, translationIn(path, files));
      return { path, text, body: body.replaceAll('\r\n', '\n'), fields: values };
    } catch (error) {
      if (error instanceof OperatorError) return { path, reason: error.message, failed: true };
      throw error;
    }
  }

  for (const path of files) {
    const read = (data.size === 0 && known?.(path)) || (await readSource(path));
    if ('reason' in read) others.push(read);
    else sources.push(read);
  }
  return { sources, others };
}

/** Returns the language in `index.zh.md`, or in `notes.fr.md` beside `notes.md`. `about.io.md` has none. */
function translationIn(path: string, files: readonly string[]): string | undefined {
  const [, stem = '', language = ''] = /^(.*?)\.([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\.\w+$/.exec(path) ?? [];
  const isTranslation =
    /(?:^|\/)index$/.test(stem) || files.some((file) => file !== path && file.replace(/\.\w+$/, '') === stem);
  return language && isTranslation && languageName(language) ? language : undefined;
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function languageName(tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch {
    return undefined;
  }
}
