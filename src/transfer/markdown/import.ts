/** Reads Markdown from Jekyll, Hugo, Astro, Zola, Obsidian and this product's own export, in a folder or zip file. */
import { basename } from 'node:path/posix';
import { OperatorError } from '#blog/errors.ts';
import { parseRedirects, REDIRECTS_FILE } from '#redirects/redirects-file.ts';
import { type Archive, below } from '../archive.ts';
import { type Collection, type PostHead, type PostText, textsOf } from '../document.ts';
import type { Format, OpenOptions } from '../format.ts';
import { readDocument } from './front-matter.ts';
import { createLinks } from './links.ts';
import { dropFirstHeading, readMarkdown } from './markdown.ts';
import { plainObsidian, settleObsidian } from './obsidian.ts';
import { createVault, followByName, type Vault } from './obsidian-vault.ts';
import { isStoredSet, readOwnText } from './own-text.ts';
import { isMarkdownName, readSources, type Source, type Sources } from './sources.ts';

export const markdown: Format = {
  matches: async ({ isFolder, names }) => (isFolder || names.length > 1) && names.some(isMarkdownName),
  async open(archive, options) {
    if (archive.isFolder) return openMarkdown(archive, options);
    if (archive.names.length > 1) return openMarkdown(below(archive, onlyFolderOf(archive.names)), options);
    throw new OperatorError(
      `${archive.path} is neither a folder nor a zip file. Name the folder that contains the Markdown files.`,
    );
  },
};

function onlyFolderOf([first = '', ...names]: readonly string[]): string {
  const folder = first.slice(0, first.indexOf('/') + 1);
  return names.every((name) => name.startsWith(folder)) ? folder : '';
}

async function openMarkdown(archive: Archive, { oldSite, longestMs }: OpenOptions): Promise<Collection> {
  const found = await readSources(archive, longestMs);
  const isOwn = found.sources.some(({ fields }) => fields.own) && archive.has(REDIRECTS_FILE);
  const vault = createVault(archive);
  return {
    ...collectionOf(found, { longestMs, vault }),
    follow: followByName(createLinks(found.sources, archive, oldSite), vault),
    redirects: isOwn ? parseRedirects(await archive.text(REDIRECTS_FILE)).pages : [],
  };
}

export interface Syntax {
  readonly toMarkdown: (body: string, found: { readonly notes: string[]; readonly losses: string[] }) => string;
}

export const collectionOf = (
  { sources, others }: Sources,
  options: Pick<OpenOptions, 'longestMs'> & { readonly vault?: Vault },
  dialect?: Syntax,
): Pick<Collection, 'posts' | 'others' | 'texts'> => ({
  posts: sources.map((source) => headOf(source, options.vault)),
  others,
  texts: () => textsOf(sources, (source) => textOf(source, dialect, options.vault), options),
});

/** Returns a file's metadata. A note in an Obsidian vault is a draft unless it says whether it is published. */
export function headOf(source: Source, vault?: Vault): PostHead {
  const { path, body, fields } = source;
  const heading = /^\s*#\s+(.+)/.exec(body)?.[1];
  const titles = [fields.title, heading?.replace(/[*_`]/g, '').trim(), fields.name, stemOf(path)].filter(
    (title) => title !== undefined,
  );
  const { title: _, own: __, mathematics: ___, ...head } = fields;
  return { ...head, draft: head.draft || isSilentDraft(source, vault), path, titles };
}

/** Returns true for a note in an Obsidian vault that does not say whether it is published. */
export const isSilentDraft = ({ text, fields }: Source, vault?: Vault): boolean =>
  vault?.isMarked === true &&
  !fields.own &&
  !['draft', 'publish', 'published', 'status'].some((name) => name in readDocument(text).fields);

/** Reads a post's text. @throws RangeError if it is nested too deeply */
export function textOf({ path, text, body, fields }: Source, dialect?: Syntax, vault?: Vault): PostText {
  const stored = fields.own && readOwnText(body, fields.own);
  if (stored && isStoredSet(stored))
    return { path, title: fields.title ?? '', tree: stored, isStored: true, source: text, notes: [], losses: [] };
  const [found, losses]: [string[], string[]] = [[], []];
  const [mdx, mathematics] = [/\.mdx$/i.test(path), fields.mathematics === true];
  const plain = vault && !mdx && !fields.own ? plainObsidian(body, vault, { mathematics, notes: found }) : undefined;
  const read = readMarkdown(plain ?? dialect?.toMarkdown(body, { notes: found, losses }) ?? body, {
    mdx,
    linesAbove: text.split('\n').length - body.split('\n').length,
    mathematics,
    settle: plain === undefined ? undefined : settleObsidian,
  });
  const { tree, firstHeading, words } = read;
  const { title } = fields;
  // Obsidian shows the file name as the title, so the first heading is the title only at level 1.
  const heading = plain === undefined || /^\s*# /.test(plain) ? firstHeading : undefined;
  const isRepeated = dialect && title && heading && plainWords(heading) === plainWords(title);
  if (heading && (!title || isRepeated)) dropFirstHeading(tree);
  const unknown = read.unknown.map((call) => `left out an unknown template call: ${call}`);
  const notes = [...found, ...unknown, ...read.notes];
  return {
    path,
    title: title || heading || (plain === undefined ? fields.name : stemOf(path)),
    tree,
    source: text,
    notes,
    losses,
    words,
  };
}

const stemOf = (path: string): string => basename(path).replace(/\.\w+$/, '');

const plainWords = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
