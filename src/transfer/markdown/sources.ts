/** The Markdown files of a folder, read and told apart: posts, and files that hold none. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { createRepairs, decodeText, type Repairs } from '../decode-text.ts';
import { withinTime } from '../time-limit.ts';
import { createCascade, isDataProgram } from './data-cascade.ts';
import { type PostFields, postFields } from './fields.ts';
import { readDocument } from './front-matter.ts';
import { ownFormOf } from './own-text.ts';

export interface Source {
  /** Below the imported folder, with `/`. */
  readonly path: string;
  /** The whole file, as it is. */
  readonly text: string;
  /** Without the front matter. */
  readonly body: string;
  readonly fields: PostFields;
}

export interface NoPost {
  readonly path: string;
  /** Why it is no post, in words. */
  readonly reason: string;
  /** True when it should be one, but cannot be read. */
  readonly failed: boolean;
}

/** All Markdown files below `folder`, sorted by path, so that two runs see them in one order. */
export async function readSources(
  folder: string,
  longestMs?: number,
): Promise<{ sources: Source[]; others: NoPost[]; repairs: Repairs }> {
  const repairs = createRepairs();
  const { files, links, data, programs } = await filesBelow(folder);
  const cascade = createCascade(folder, data);
  const sources: Source[] = [];
  const others: NoPost[] = links.map((path) => ({
    path,
    reason: 'it is a link to another place, which is not followed: import the folder it leads to',
    failed: false,
  }));
  for (const path of programs)
    others.push({ path, reason: 'it is a program that makes data of Eleventy, which is not run', failed: false });
  for (const path of files) {
    const read = await readSource(folder, path, {
      translation: translationIn(path, files),
      ...{ cascade, repairs, longestMs },
    });
    if ('reason' in read) others.push(read);
    else sources.push(read);
  }
  return { sources, others, repairs };
}

/**
 * The Markdown files, and the symbolic links to what may hold some: a folder that somebody else made could lead to
 * anything on this machine, or into itself.
 */
async function filesBelow(folder: string) {
  const files: string[] = [];
  const links: string[] = [];
  const data = new Set<string>();
  const programs: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below + entry.name;
      if (entry.name === 'node_modules' || /^\.[^.]/.test(entry.name)) continue;
      const isMarkdown = /\.(?:md|mdx|markdown|mdown)$/i.test(entry.name);
      if (entry.isDirectory()) await walk(`${path}/`);
      else if (entry.isFile() && isMarkdown) files.push(path);
      else if (entry.isFile() && isDataProgram(path)) programs.push(path);
      else if (entry.isFile() && /\.json$/i.test(path)) data.add(path);
      else if (entry.isSymbolicLink() && (isMarkdown || (await isFolder(join(folder, path))))) links.push(path);
    }
  };
  await walk('');
  return { files: files.sort(), links: links.sort(), data, programs: programs.sort() };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** The language in `index.zh.md`, or in `notes.fr.md` beside `notes.md`; `about.io.md` alone is a name. */
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

interface ReadOptions {
  readonly translation: string | undefined;
  readonly cascade: ReturnType<typeof createCascade>;
  readonly repairs: Repairs;
  readonly longestMs: number | undefined;
}

async function readSource(
  folder: string,
  path: string,
  { translation, cascade, repairs, longestMs }: ReadOptions,
): Promise<Source | NoPost> {
  if (/(?:^|\/)_(?:includes|layouts)\//.test(path))
    return { path, reason: 'it is a part of pages and no post', failed: false };
  if (/^_index\./.test(basename(path))) return { path, reason: 'it describes a section and is no post', failed: false };
  const bytes = await readFile(join(folder, path));
  try {
    const text = decodeText(path, bytes, repairs);
    const { fields, body } = withinTime(() => readDocument(text), longestMs);
    if (/^readme\./i.test(basename(path)) && Object.keys(fields).length === 0) {
      return { path, reason: 'it explains the folder and is no post', failed: false };
    }
    if (body.trim() === '' && !ownFormOf(fields)) return { path, reason: 'it holds no text', failed: false };
    const whole = ownFormOf(fields) ? fields : await cascade(path, fields);
    return { path, text, body: body.replaceAll('\r\n', '\n'), fields: postFields(whole, path, translation) };
  } catch (error) {
    if (error instanceof OperatorError) return { path, reason: error.message, failed: true };
    throw error;
  }
}
