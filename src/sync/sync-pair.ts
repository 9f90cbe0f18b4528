/** Syncs one file and its post. */
import { isUtf8 } from 'node:buffer';
import { readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SyncedFiles } from '#backend/server-key/synced-files.ts';
import type { OwnPosts } from '#backend/session/own-posts.ts';
import { OperatorError } from '#blog/errors.ts';
import { POST_FIELD_NAMES, type Post, type PostValues, postValues, sameValue } from '#blog/post.ts';
import type { Source } from '#transfer/markdown/sources.ts';
import { postFile, type Work } from '#transfer/markdown-export/export.ts';
import type { Composed } from '#transfer/write/compose.ts';
import { ownPictures, upload, wouldLosePictures } from '#transfer/write/write.ts';
import { type Agreed, fieldsOf, hashOf, NOTES, placeIn, writeWhole } from './agreements.ts';
import { blocksIn } from './blocks.ts';
import { conflictsIn } from './front-matter.ts';
import { blockKey, mergePost } from './merge-post.ts';
import type { Pair } from './pair-files.ts';
import { inWordsOf, isInConflict } from './record-files.ts';
import { rewriteFile } from './rewrite-file.ts';
import { hasConflict } from './rewrite-markdown.ts';

export interface SyncPairOptions {
  readonly directory: string;
  readonly admin: OwnPosts['admin'];
  readonly whole: OwnPosts['whole'];
  /** The author of new posts whose files do not name one. */
  readonly userId?: string | undefined;
  /** True to delete the post of a deleted file instead of unpublishing it. */
  readonly deletes: boolean;
  readonly dryRun: boolean;
}

export interface Run extends SyncPairOptions {
  readonly agreed: Map<string, Agreed>;
  readonly convert: (source: Source) => Promise<Composed>;
  readonly exporting: Work;
  /** Paths of pictures written since the last result. */
  readonly put: string[];
  readonly isSilentDraft: (source: Source) => boolean;
  readonly uploaded: Set<string>;
  records: SyncedFiles | undefined;
  /** True if the author has resolved the file's conflict in the post form. */
  readonly isSettled?: boolean;
}

export type Action =
  | 'post created'
  | 'post updated'
  | 'post unpublished'
  | 'post deleted'
  | 'file created'
  | 'file updated'
  | 'file removed'
  | 'merged'
  | 'conflict'
  | 'equal'
  | 'skipped'
  | 'failed';

export interface SyncResult {
  readonly path: string;
  readonly slug?: string;
  readonly action: Action;
  readonly notes: readonly string[];
  /** Set if the folder was changed. Contains the paths of the file and its new pictures, and the post's author. */
  readonly written?: { readonly paths: readonly string[]; readonly userId: string };
}

/** Maximum number of attempts to sync a post that others are changing at the same time. */
const MOST_ATTEMPTS = 5;
const TAKEN = "another writer's post has this address: give the file another slug";
const RESTLESS = 'it keeps changing: run this again';
const INACTIVE = '"inactive"';
/**
 * Recorded as the status of a file that has none, if its post was public before the folder became an Obsidian vault.
 * The post stays public, although a missing status means a draft in a vault.
 */
export const UNSAID = '"unsaid"';
const MEANWHILE = 'the file changed in the meantime: the next run will read it again';
const CHOOSE =
  'file and post were changed in the same place: edit the marked part of the file, or choose in the post form';

/** @throws OperatorError if the file cannot be synced, or the SDK's error */
export async function syncPair(pair: Pair, version: string | undefined, run: Run): Promise<SyncResult> {
  const { slug, source, agreed, taken } = pair;
  const isSameFile = source !== undefined && agreed?.file === hashOf(source.text) && agreed.path === source.path;
  const isOpen = source !== undefined && isInConflict(source);
  // The conflict stays open if the request fails.
  const isSettled = isOpen && (await run.records?.isSettled(slug, hashOf(source.text)).catch(() => false));
  if (isSameFile && version === agreed?.updatedAt && !isSettled) {
    return { path: source.path, slug, action: isOpen ? 'conflict' : 'equal', notes: isOpen ? [CHOOSE] : [] };
  }
  const bytes = source && (await readFile(join(run.directory, source.path)).catch(() => undefined));
  if (bytes && !isUtf8(bytes)) throw new OperatorError('it is not UTF-8 text: save it as UTF-8 to sync it');
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const post = version === undefined && !agreed ? undefined : await run.admin.post(slug);
    const result = !source
      ? await withoutFile(pair, post, run)
      : post
        ? await syncBoth(pair, source, post, isSettled ? { ...run, isSettled } : run)
        : await withoutPost(pair, source, run);
    if (result && taken)
      return { ...result, notes: [...result.notes, `/post/${taken} is taken: this post has /post/${slug}`] };
    if (result) return result;
  }
  return { path: source?.path ?? slug, slug, action: 'failed', notes: [RESTLESS] };
}

/**
 * Unpublishes or deletes the post of a deleted file. If the post is new or has changed since the last run, creates a
 * file instead. Returns undefined if the post changes before it can be written.
 */
async function withoutFile({ slug, agreed }: Pair, post: Post | undefined, run: Run): Promise<SyncResult | undefined> {
  const { admin, deletes, dryRun } = run;
  const path = agreed?.path ?? slug;
  if (!post) {
    run.agreed.delete(slug);
    return { path, slug, action: 'equal', notes: [] };
  }
  if (agreed?.updatedAt !== post.updatedAt) return createFile(post, agreed, run);
  if (agreed.path === null) return { path, slug, action: 'equal', notes: [] };
  if (deletes) {
    if (!dryRun && !(await admin.deletePost(post))) return undefined;
    run.agreed.delete(slug);
    if (!dryRun) await admin.hideFiles(ownPictures(post), post.userId);
    return { path, slug, action: 'post deleted', notes: [] };
  }
  const updatedAt = dryRun ? post.updatedAt : await admin.putPost({ ...post, ...emptyDates, status: 'inactive' }, post);
  if (!updatedAt) return undefined;
  run.agreed.set(slug, { ...agreed, path: null, updatedAt, fields: fieldsOf({ ...post, status: 'inactive' }) });
  if (!dryRun) await admin.hideFiles(ownPictures(post), post.userId);
  return { path, slug, action: 'post unpublished', notes: ['its file is gone; --delete deletes the post as well'] };
}

/** Makes an update keep the post's creation date and set a new modification time. */
const emptyDates = { createdAt: undefined, updatedAt: undefined };

async function createFile(post: Post, agreed: Agreed | undefined, run: Run): Promise<SyncResult> {
  const { directory, dryRun, exporting } = run;
  const path = `posts/${post.id}.md`;
  const text = await postFile(post, exporting);
  const place = join(directory, path);
  const present = await readFile(place, 'utf8').catch((error) => (error.code === 'ENOENT' ? undefined : ''));
  if (present !== undefined && present !== text)
    return { path, slug: post.id, action: 'failed', notes: ['another file has this name: move it away'] };
  if (!dryRun) {
    await writeWhole(await placeIn(directory, path), text);
    run.agreed.set(post.id, agreementOn(path, text, post));
  }
  const notes = agreed ? ['its file was deleted, and the post was changed since'] : [];
  return { path, slug: post.id, action: 'file created', notes, written: writtenWith(path, post, run) };
}

const agreementOn = (
  path: string,
  text: string,
  post: PostValues & Pick<Post, 'updatedAt'>,
  blocks: readonly string[] = blocksIn(post.content).map(blockKey),
): Agreed => ({
  ...{ path, file: hashOf(text), updatedAt: post.updatedAt, fields: fieldsOf(post), blocks: [...blocks] },
});

async function withoutPost({ slug, agreed }: Pair, source: Source, run: Run): Promise<SyncResult | undefined> {
  const { directory, dryRun, admin } = run;
  const { path, text } = source;
  if (agreed && agreed.file === hashOf(text)) {
    run.agreed.delete(slug);
    if (!dryRun) {
      // The hash keeps an earlier file with the same name from being overwritten.
      const aside = join(NOTES, 'removed', `${hashOf(text)}-${basename(path)}`);
      await rename(join(directory, path), await placeIn(directory, aside));
    }
    const notes = [`the post was deleted; the file is in ${NOTES}/removed`];
    return { path, slug, action: 'file removed', notes, written: { paths: [path], userId: '' } };
  }
  const composed = await run.convert(source);
  const userId = await authorOf(source, run);
  const values = postValues(composed.post);
  const post = { ...values, id: slug, userId, createdAt: composed.post.createdAt, updatedAt: composed.post.updatedAt };
  const notes = [
    ...composed.notes,
    ...composed.losses,
    ...(agreed ? ['the post was deleted, and the file was changed since'] : []),
  ];
  if (dryRun) return { path, slug, action: 'post created', notes };
  await upload(composed, userId, run);
  const updatedAt = await admin.putPost(post);
  if (!updatedAt) {
    if (await admin.post(slug)) return undefined;
    return { path, slug, action: 'failed', notes: [TAKEN] };
  }
  run.agreed.set(slug, agreementOn(path, text, { ...values, updatedAt }));
  return { path, slug, action: 'post created', notes };
}

async function authorOf({ path, fields: { author } }: Source, { admin, whole, userId }: Run): Promise<string> {
  if (author?.id && (await admin.hasUser(author.id))) return author.id;
  const known = author?.email ? await admin.authorByEmail(author.email) : undefined;
  if (known ?? userId) return known?.id ?? `${userId}`;
  const [only, ...more] = await whole.accounts();
  if (only && more.length === 0) return only.id;
  throw new Error(`${path} names no author. Set one for new posts with --author EMAIL.`);
}

async function syncBoth(
  { slug, agreed }: Pair,
  source: Source,
  stored: Post,
  run: Run,
): Promise<SyncResult | undefined> {
  const { admin, dryRun, directory } = run;
  const { path } = source;
  if (hasConflict(source.body) && !run.isSettled) return { path, slug, action: 'conflict', notes: [CHOOSE] };
  const given = run.isSettled ? inWordsOf('blog', source) : source;
  const composed = await run.convert(given);
  const values = postValues({ ...composed.post, newsletter: stored.newsletter });
  const isUnsaid = agreed?.own?.status === UNSAID && !run.isSettled && run.isSilentDraft(source);
  // If the author has resolved the conflict in the form, the post's values win.
  const base = run.isSettled
    ? agreementOn(path, given.text, { ...values, updatedAt: '' })
    : isUnsaid
      ? { ...agreed, own: { ...agreed.own, status: INACTIVE } }
      : agreed;
  const merged = mergePost(base, values, stored);
  if (composed.lacksPictures && wouldLosePictures(stored, merged))
    throw new OperatorError(
      `the post would lose a picture: put it back or take it out of the text. ${composed.notes.join('. ')}`,
    );
  const isPostChanged = POST_FIELD_NAMES.some((name) => !sameValue(name, merged.post, stored));
  const { text, notes, ...rewritten } = await rewriteFile({ ...run, source: given, merged, composed, stored });
  const own = { ...rewritten.own, ...(isUnsaid && rewritten.own.status && { status: UNSAID }) };
  const isConflict = merged.changes.some((change) => change.isConflict) || conflictsIn(text).length > 0;
  const isFileChanged = text !== source.text;
  const lost = isPostChanged ? [...composed.notes, ...composed.losses] : [];
  const result: SyncResult = {
    ...{ path, slug, notes: [...(isConflict ? [CHOOSE] : []), ...lost, ...notes] },
    action: isConflict
      ? 'conflict'
      : isPostChanged && isFileChanged
        ? 'merged'
        : isPostChanged
          ? 'post updated'
          : isFileChanged
            ? 'file updated'
            : 'equal',
  };
  if (dryRun) return result;
  let { updatedAt } = stored;
  if (isPostChanged) {
    await upload({ ...composed, post: { ...composed.post, status: merged.post.status } }, stored.userId, run);
    const written = await admin.putPost({ ...merged.post, id: slug, userId: stored.userId }, stored);
    if (!written) return undefined;
    updatedAt = written;
    if (merged.post.status === 'inactive')
      await admin.hideFiles(
        composed.pictures.map(({ fileId }) => fileId),
        stored.userId,
      );
  }
  if (isFileChanged && !(await replaceFile(join(directory, path), source.text, text)))
    return { ...result, action: 'skipped', notes: [MEANWHILE] };
  const agreement = agreementOn(path, text, { ...merged.post, updatedAt }, merged.keys);
  run.agreed.set(slug, Object.keys(own).length > 0 ? { ...agreement, own } : agreement);
  return isFileChanged ? { ...result, written: writtenWith(path, stored, run) } : result;
}

const writtenWith = (path: string, { userId }: Post, { put }: Run) => ({ paths: [path, ...put.splice(0)], userId });

const MARK = '\ufeff';

/** Writes the new text and keeps a byte-order mark. Returns false if the file has changed since it was read. */
async function replaceFile(file: string, read: string, text: string): Promise<boolean> {
  const now = await readFile(file, 'utf8').catch(() => undefined);
  if (now !== read && now !== MARK + read) return false;
  await writeWhole(file, now === read ? text : MARK + text);
  return true;
}
