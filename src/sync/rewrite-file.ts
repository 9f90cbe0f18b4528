/** Writes the blog's changes into a file: into its front matter, and into the blocks of its text. */
import { dirname, relative } from 'node:path/posix';
import { type Post, postValues } from '#blog/post.ts';
import { readDocument } from '#transfer/markdown/front-matter.ts';
import type { Source } from '#transfer/markdown/sources.ts';
import { pictureAt, type Work, withOwnPaths } from '#transfer/markdown-export/export.ts';
import { writeText } from '#transfer/markdown-export/write-text.ts';
import type { Composed } from '#transfer/write/compose.ts';
import { fieldsOf } from './agreements.ts';
import { blocksIn } from './blocks.ts';
import {
  conflictComment,
  conflictsIn,
  type FieldName,
  patchFrontMatter,
  withoutConflictComments,
} from './front-matter.ts';
import { blockKey, type MergedPost } from './merge-post.ts';
import { type Change, conflictOf, patchWords, rewriteMarkdown } from './rewrite-markdown.ts';

export interface Rewriting {
  readonly source: Source;
  readonly merged: MergedPost;
  /** The file as it was read, converted to a post. */
  readonly composed: Composed;
  /** The post in the blog. */
  readonly stored: Post;
  readonly convert: (source: Source) => Promise<Composed>;
  /** Returns true if a file is a draft although its front matter does not say so. */
  readonly isSilentDraft: (source: Source) => boolean;
  /** Copies the blog's pictures into the folder. */
  readonly exporting: Work;
}

/** Returns the file's text with the blog's changes, and the file's values for fields in which the post differs. */
export async function rewriteFile(rewriting: Rewriting) {
  const { text, own, notes } = await withFields(rewriting);
  return { text: rewriting.merged.changes.length > 0 ? await withBlocks(text, rewriting) : text, own, notes };
}

async function withFields(rewriting: Rewriting) {
  const { source, merged, composed, stored } = rewriting;
  const { fields, conflicts } = merged;
  const notes: string[] = [];
  const own = { ...merged.own };
  let { text } = source;
  for (const name of conflictsIn(text)) if (!(name in own)) text = withoutConflictComments(text, name);
  const picture = fields.featuredImage && (await pathTo(fields.featuredImage, rewriting));
  const how = { isOwn: source.fields.own !== undefined, path: source.path, ...(picture && { imagePath: picture }) };
  // In a vault, a missing status means a draft, but `patchFrontMatter` treats it as public and would not add a status.
  // The first call therefore writes the status of a draft, which the second call changes.
  if (fields.status === 'active' && rewriting.isSilentDraft(source))
    text = patchFrontMatter(text, { status: 'inactive' }, how) ?? text;
  const patchedAll = patchFrontMatter(text, fields, how);
  if (patchedAll !== undefined) text = patchedAll;
  else {
    // Writes `status` and `publishAt` together, because they depend on each other.
    const groups = Map.groupBy(Object.entries(fields), ([name]) => (/^(?:status|publishAt)$/.test(name) ? '' : name));
    for (const group of groups.values()) {
      const patched = patchFrontMatter(text, Object.fromEntries(group), how);
      text = patched ?? text;
      if (patched !== undefined) continue;
      const names = group.map(([name]) => name);
      for (const name of names) own[name] = fieldsOf(postValues(composed.post))[name] ?? '';
      notes.push(`changed in the blog, but could not be written to this file: ${names.join(', ')}`);
    }
  }
  for (const name of conflicts) text = conflictComment(text, name, fieldIn(stored, name)) ?? text;
  return { text, own, notes };
}

const fieldIn = (post: Partial<Record<FieldName, string | readonly string[]>>, name: FieldName) => post[name] ?? '';

/** Tries several ways to write the blocks, smallest change first, until the file reads back as the merged text. */
async function withBlocks(text: string, rewriting: Rewriting): Promise<string> {
  const { source, merged, convert } = rewriting;
  const { blocks, after, changes } = merged;
  const { body } = readDocument(text);
  const head = text.slice(0, text.length - body.length);
  const markdown = body.replaceAll('\r\n', '\n');
  const whole = (written: string) => head + (body.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written);
  const written = new Map<readonly string[], string>();
  for (const change of changes) written.set(change.blocks, await markdownOf(change.blocks, rewriting));
  const write = (given: readonly string[]): string => written.get(given) ?? '';
  const wanted = String(after.map(blockKey));
  const isRight = async (candidate: string): Promise<boolean> =>
    wanted === String(blocksIn((await convert({ ...source, body: candidate })).post.content).map(blockKey));

  const settled = changes.filter((change) => !change.isConflict);
  const inPlace = (which: readonly Change[], patches: boolean) =>
    rewriteMarkdown(markdown, blocks, which, { write, patches });
  for (const patches of [true, false]) {
    const [candidate, marked] = [inPlace(settled, patches), inPlace(changes, patches)];
    if (candidate !== undefined && marked !== undefined && (await isRight(candidate))) return whole(marked);
  }
  const anew = await markdownOf(after, rewriting);
  if (settled.length === changes.length) {
    // Searches the entire text for the words of footnotes, because their section has no single place in Markdown.
    const patched = patchWords(markdown, blocks.join('\n'), after.join('\n'));
    for (const candidate of [patched, `${anew}\n`])
      if (candidate !== undefined && (await isRight(candidate))) return whole(candidate);
  }
  return whole(`${conflictOf(markdown, await markdownOf(merged.blog, rewriting))}\n`);
}

async function markdownOf(blocks: readonly string[], { source, composed, exporting }: Rewriting): Promise<string> {
  namePictures(composed, exporting);
  const html = await withOwnPaths(blocks.join('\n'), exporting);
  const paths = /(?<=(?:src|href)=")\.\.\/([^"]*)/g;
  return writeText(html.replace(paths, (_, path: string) => pathFrom(source.path, path))).body.trimEnd();
}

const pathFrom = (file: string, path: string): string => relative(dirname(file), path);

async function pathTo(id: string, { source, composed, exporting }: Rewriting): Promise<string | undefined> {
  namePictures(composed, exporting);
  const path = await pictureAt(id, exporting);
  return path && pathFrom(source.path, path);
}

/** Registers the pictures that the file already shows, so that they keep their paths and are not copied again. */
function namePictures({ pictureNames }: Composed, { pictures }: Work): void {
  for (const [id, name] of pictureNames) if (!pictures.has(id)) pictures.set(id, name);
}
