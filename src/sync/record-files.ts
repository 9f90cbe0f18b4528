/** Records, for the post form, which file belongs to each post, and the file's versions of fields in conflict. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SyncedFiles } from '#backend/server-key/synced-files.ts';
import type { OwnPosts } from '#backend/session/own-posts.ts';
import type { PostValues } from '#blog/post.ts';
import { readDocument } from '#transfer/markdown/front-matter.ts';
import type { Source } from '#transfer/markdown/sources.ts';
import type { Composed } from '#transfer/write/compose.ts';
import { upload } from '#transfer/write/write.ts';
import { type Agreed, hashOf } from './agreements.ts';
import { conflictsIn } from './front-matter.ts';
import { hasConflict, sideOf } from './rewrite-markdown.ts';

interface Recording {
  readonly slug: string;
  /** The file as it was read; undefined for a post without a file. */
  readonly source: Source | undefined;
  readonly agreed: Agreed | undefined;
  /** True if this run changed the agreement, the state on which file and post last agreed. */
  readonly isNew: boolean;
  readonly isConflict: boolean;
  readonly directory: string;
  readonly admin: OwnPosts['admin'];
  readonly records: SyncedFiles;
  readonly convert: (source: Source) => Promise<Composed>;
  readonly uploaded: Set<string>;
}

/** Updates a post's record after its sync. Writes nothing if the record is up to date. */
export async function recordFile(recording: Recording): Promise<void> {
  const { slug, source, agreed, isNew, isConflict, records, admin } = recording;
  if (isConflict && source) return recordConflict(source, recording);
  if (!agreed?.path) {
    if (records.has(slug)) await records.remove(slug);
    return;
  }
  const record = { path: agreed.path, file: agreed.file };
  if (!isNew && records.has(slug, record)) return;
  const post = await admin.post(slug);
  if (post) await records.put(slug, post.userId, record);
}

async function recordConflict(source: Source, recording: Recording): Promise<void> {
  const { slug, directory, records, admin, convert } = recording;
  // Reads the file again, because this run may have written conflict marks into it.
  const text = await readFile(join(directory, source.path), 'utf8');
  const record = { path: source.path, file: hashOf(text) };
  if (records.has(slug, record)) return;
  const post = await admin.post(slug);
  if (!post) return;
  const { body } = readDocument(text);
  const composed = await convert(inWordsOf('file', { ...source, text, body }));
  const names = [...conflictsIn(text), ...(hasConflict(body) ? ['content'] : [])];
  const values = composed.post as unknown as Readonly<Record<string, unknown>>;
  const conflict: Partial<PostValues> = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
  // Uploads the file's pictures, because the post form shows them. They stay private until a published post uses them.
  await upload({ ...composed, post: { ...composed.post, status: 'inactive' } }, post.userId, recording);
  await records.put(slug, post.userId, { ...record, conflict });
}

/** Returns the file with only one side of each conflict that is marked in its text. */
export const inWordsOf = (side: 'file' | 'blog', { text, body, ...source }: Source): Source => ({
  ...source,
  text: sideOf(text, side),
  body: sideOf(body, side),
});

export const isInConflict = ({ body, text }: Source): boolean => hasConflict(body) || conflictsIn(text).length > 0;
