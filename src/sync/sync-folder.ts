/** Brings a folder of Markdown files and a blog to the same state (docs/decisions/031-folder-sync.md). */
import { mkdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { relative } from 'node:path/posix';
import type { Admin } from '#backend/server-key/admin.ts';
import type { WholeSite } from '#backend/server-key/whole-site.ts';
import { faultOf } from '#blog/errors.ts';
import { POST_FIELD_NAMES, type Post, type PostValues, postValues, sameValue } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import type { Site } from '#blog/site.ts';
import { openArchive } from '#transfer/archive.ts';
import { readDocument } from '#transfer/markdown/front-matter.ts';
import { headOf, textOf } from '#transfer/markdown/import.ts';
import { createLinks } from '#transfer/markdown/links.ts';
import { readSources, type Source } from '#transfer/markdown/sources.ts';
import { postFile, type Work, withOwnPaths } from '#transfer/markdown-export/export.ts';
import { writeText } from '#transfer/markdown-export/write-text.ts';
import { type Composed, compose } from '#transfer/write/compose.ts';
import { upload } from '#transfer/write/write.ts';
import { type Agreed, fieldsOf, hashOf, NOTES, openAgreements, writeWhole } from './agreements.ts';
import { blocksIn } from './blocks.ts';
import {
  conflictComment,
  conflictsIn,
  type FieldName,
  patchFrontMatter,
  withoutConflictComments,
} from './front-matter.ts';
import { blockKey, type MergedPost, mergePost } from './merge-post.ts';
import { type Pair, pairFiles } from './pair-files.ts';
import { hasConflict, rewriteMarkdown } from './rewrite-markdown.ts';

export interface SyncOptions {
  readonly directory: string;
  /** Identifies the blog: a folder is kept equal with one blog only. */
  readonly blog: string;
  readonly site: Site;
  readonly admin: Admin;
  readonly whole: WholeSite;
  /** The author of new posts whose files name none. */
  readonly userId?: string | undefined;
  /** Deletes the post of a deleted file in place of unpublishing it. */
  readonly deletes: boolean;
  readonly dryRun: boolean;
  readonly onResult?: (result: SyncResult) => void;
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
}

/** Attempts at a post that others change at the same time. */
const MOST_ATTEMPTS = 5;
const SAVED_EVERY = 25;
const CHOOSE = 'both sides changed the same: choose between the marked versions';

/** Returns what was done, without the posts that were equal. Can be interrupted at any moment and run again. */
export async function syncFolder(options: SyncOptions): Promise<SyncResult[]> {
  const { directory, whole, dryRun, onResult } = options;
  const { posts: agreed, save } = await openAgreements(directory, options.blog);
  const archive = await openArchive(directory);
  const { sources, others } = await readSources(archive);
  const versions = await whole.versions();
  const follow = createLinks(sources, archive);
  const slugs = new Map<string, string>();
  const addresses = new Map<string, string>();
  const convert = (source: Source): Promise<Composed> =>
    compose(headOf(source), textOf(source), { site: options.site, links: { follow }, slugs, addresses });
  const keysOf = async (source: Source, slug: string): Promise<string[]> => {
    slugs.set(source.path, slug);
    return blocksIn((await convert(source)).post.content).map(blockKey);
  };
  const isPost = async ({ fields, body }: Source, slug: string): Promise<boolean> => {
    const post = await options.admin.post(slug);
    return fields.own !== undefined || headOf({ path: '', text: '', body, fields }).titles.includes(post?.title ?? '');
  };
  const pairs = await pairFiles(sources, { agreed, slugs: new Set(versions.keys()), keysOf, isPost });
  for (const { slug, source } of pairs) {
    if (!source) continue;
    slugs.set(source.path, slug);
    addresses.set(source.path, addressOfPost({ ...source.fields.others, id: slug }));
  }
  const results: SyncResult[] = [];
  const add = (result: SyncResult) => {
    if (result.action === 'equal') return;
    results.push(result);
    onResult?.(result);
  };
  for (const { path, reason, failed } of others) add({ path, action: failed ? 'failed' : 'skipped', notes: [reason] });
  const run: Run = { ...options, agreed, convert, exporting: exportingTo(options), uploaded: new Set() };
  let unsaved = 0;
  try {
    for (const pair of pairs) {
      const result = await syncPair(pair, versions.get(pair.slug), run).catch((error: unknown): SyncResult => {
        const reason = faultOf(error).message || String(error);
        return { path: pair.source?.path ?? pair.slug, slug: pair.slug, action: 'failed', notes: [reason] };
      });
      add(result);
      if (!dryRun && ++unsaved % SAVED_EVERY === 0) await save();
    }
  } finally {
    if (!dryRun) await save();
    await archive.close();
  }
  return results;
}

interface Run extends SyncOptions {
  readonly agreed: Map<string, Agreed>;
  readonly convert: (source: Source) => Promise<Composed>;
  readonly exporting: Work;
  readonly uploaded: Set<string>;
}

function exportingTo({ directory, whole, site, dryRun }: SyncOptions): Work {
  const put = async (path: string, bytes: Buffer): Promise<void> => {
    if (dryRun || (await readFile(join(directory, path)).catch(() => undefined))?.equals(bytes)) return;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeWhole(join(directory, path), bytes);
  };
  return {
    source: whole,
    site,
    put,
    slugs: new Set(),
    accounts: new Map(),
    addresses: new Map(),
    pictures: new Map(),
    faults: [],
  };
}

async function syncPair({ slug, source, agreed }: Pair, version: string | undefined, run: Run): Promise<SyncResult> {
  const isSameFile = source !== undefined && agreed?.file === hashOf(source.text) && agreed.path === source.path;
  if (isSameFile && version === agreed?.updatedAt) {
    const isOpen = hasConflict(source.body) || conflictsIn(source.text).length > 0;
    return { path: source.path, slug, action: isOpen ? 'conflict' : 'equal', notes: isOpen ? [CHOOSE] : [] };
  }
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const post = version === undefined && !agreed ? undefined : await run.admin.post(slug);
    const result = !source
      ? await withoutFile(slug, post, agreed, run)
      : post
        ? await syncBoth(slug, source, post, agreed, run)
        : await withoutPost(slug, source, agreed, run);
    if (result) return result;
  }
  return {
    path: source?.path ?? slug,
    slug,
    action: 'failed',
    notes: ['it is changed again and again: run this once more'],
  };
}

/** Returns undefined if the post was changed meanwhile. */
async function withoutFile(
  slug: string,
  post: Post | undefined,
  agreed: Agreed | undefined,
  run: Run,
): Promise<SyncResult | undefined> {
  const { admin, deletes, dryRun } = run;
  if (!post) {
    run.agreed.delete(slug);
    return { path: agreed?.path ?? slug, slug, action: 'equal', notes: [] };
  }
  const isSamePost = agreed?.updatedAt === post.updatedAt;
  if (agreed && isSamePost && agreed.path === null) return { path: slug, slug, action: 'equal', notes: [] };
  if (!agreed || !isSamePost) return createFile(post, agreed, run);
  const path = agreed.path ?? slug;
  if (deletes) {
    if (!dryRun && !(await admin.deletePost(post))) return undefined;
    run.agreed.delete(slug);
    return { path, slug, action: 'post deleted', notes: [] };
  }
  const updatedAt = dryRun ? post.updatedAt : await admin.putPost({ ...post, ...emptyDates, status: 'inactive' }, post);
  if (!updatedAt) return undefined;
  run.agreed.set(slug, { ...agreed, path: null, updatedAt, fields: fieldsOf({ ...post, status: 'inactive' }) });
  return { path, slug, action: 'post unpublished', notes: ['its file is gone; --delete deletes the post as well'] };
}

/** A change keeps the date of the post, and gets a new time of change. */
const emptyDates = { createdAt: undefined, updatedAt: undefined };

async function createFile(post: Post, agreed: Agreed | undefined, run: Run): Promise<SyncResult> {
  const { directory, dryRun, exporting } = run;
  const path = `posts/${post.id}.md`;
  const text = await postFile(post, exporting);
  const present = await readFile(join(directory, path), 'utf8').catch(() => undefined);
  if (present !== undefined && present !== text)
    return { path, slug: post.id, action: 'failed', notes: ['another file has this name: move it away'] };
  if (!dryRun) {
    await mkdir(join(directory, 'posts'), { recursive: true });
    await writeWhole(join(directory, path), text);
    run.agreed.set(post.id, agreementOn(path, text, post, blocksIn(post.content).map(blockKey)));
  }
  const notes = agreed ? ['its file was deleted, and the post was changed since'] : [];
  return { path, slug: post.id, action: 'file created', notes };
}

const agreementOn = (
  path: string,
  text: string,
  post: PostValues & Pick<Post, 'updatedAt'>,
  blocks: readonly string[],
): Agreed => ({
  ...{ path, file: hashOf(text), updatedAt: post.updatedAt, fields: fieldsOf(post), blocks: [...blocks] },
});

async function withoutPost(
  slug: string,
  source: Source,
  agreed: Agreed | undefined,
  run: Run,
): Promise<SyncResult | undefined> {
  const { directory, dryRun, admin } = run;
  const { path, text } = source;
  if (agreed && agreed.file === hashOf(text)) {
    run.agreed.delete(slug);
    if (!dryRun) {
      await mkdir(join(directory, NOTES, 'removed'), { recursive: true });
      await rename(join(directory, path), join(directory, NOTES, 'removed', basename(path)));
    }
    return { path, slug, action: 'file removed', notes: [`the post was deleted; the file is in ${NOTES}/removed`] };
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
  if (!updatedAt) return undefined;
  run.agreed.set(slug, agreementOn(path, text, { ...values, updatedAt }, blocksIn(values.content).map(blockKey)));
  return { path, slug, action: 'post created', notes };
}

async function authorOf({ path, fields: { author } }: Source, { admin, whole, userId }: Run): Promise<string> {
  if (author?.id && (await admin.hasUser(author.id))) return author.id;
  const known = author?.email ? await admin.authorByEmail(author.email) : undefined;
  if (known ?? userId) return known?.id ?? `${userId}`;
  const [only, ...more] = await whole.accounts();
  if (only && more.length === 0) return only.id;
  throw new Error(`${path} names no author. Name one for new posts by e-mail: --author EMAIL.`);
}

async function syncBoth(
  slug: string,
  source: Source,
  stored: Post,
  agreed: Agreed | undefined,
  run: Run,
): Promise<SyncResult | undefined> {
  const { admin, dryRun, directory } = run;
  const { path } = source;
  if (hasConflict(source.body)) return { path, slug, action: 'conflict', notes: [CHOOSE] };
  const composed = await run.convert(source);
  const merged = mergePost(agreed, postValues({ ...composed.post, newsletter: stored.newsletter }), stored);
  const isPostChanged = POST_FIELD_NAMES.some((name) => !sameValue(name, merged.post, stored));
  const { text, notes, own } = await rewritten(source, merged, composed, stored, run);
  const isConflict = merged.changes.some((change) => change.isConflict) || conflictsIn(text).length > 0;
  const isFileChanged = text !== source.text;
  const result: SyncResult = {
    ...{ path, slug, notes: isPostChanged ? [...composed.notes, ...composed.losses, ...notes] : notes },
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
    return {
      ...result,
      action: 'skipped',
      notes: ['the file was changed meanwhile: it is read again in the next run'],
    };
  const agreement = agreementOn(path, text, { ...merged.post, updatedAt }, merged.keys);
  run.agreed.set(slug, Object.keys(own).length > 0 ? { ...agreement, own } : agreement);
  return result;
}

/** Returns false if the file is not what was read. */
async function replaceFile(file: string, read: string, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== read) return false;
  await writeWhole(file, text);
  return true;
}

interface Rewritten {
  readonly text: string;
  /** Values that stay in the file although the post has others. */
  readonly own: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Returns the file's text with the blog's changes. */
async function rewritten(
  source: Source,
  merged: MergedPost,
  composed: Composed,
  stored: Post,
  run: Run,
): Promise<Rewritten> {
  const { fields, conflicts } = merged;
  const notes: string[] = [];
  const own = { ...merged.own };
  let { text } = source;
  for (const name of conflictsIn(text)) if (!(name in own)) text = withoutConflictComments(text, name);
  const picture = fields.featuredImage && (await pathTo(fields.featuredImage, source.path, composed, run));
  const how = { isOwn: source.fields.own !== undefined, path: source.path, ...(picture && { imagePath: picture }) };
  const whole = patchFrontMatter(text, fields, how);
  text = whole ?? text;
  // Publication and its hour belong together.
  const groups = Object.entries(
    Object.groupBy(Object.keys(fields), (name) => (/^(?:status|publishAt)$/.test(name) ? '' : name)),
  );
  for (const [, names = []] of whole === undefined ? groups : []) {
    const patched = patchFrontMatter(
      text,
      Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))),
      how,
    );
    text = patched ?? text;
    if (patched !== undefined) continue;
    for (const name of names) own[name] = fieldsOf(postValues(composed.post))[name] ?? '';
    notes.push(`changed in the blog, and this file cannot have it: ${names.join(', ')}`);
  }
  for (const name of conflicts) text = conflictComment(text, name, valueOf(stored, name)) ?? text;
  if (merged.changes.length > 0) text = await withBlocks(text, source, merged, composed, stored, run);
  return { text, own, notes };
}

const valueOf = (post: Partial<Record<FieldName, string | readonly string[]>>, name: FieldName) => post[name] ?? '';

async function withBlocks(
  text: string,
  source: Source,
  merged: MergedPost,
  composed: Composed,
  stored: Post,
  run: Run,
): Promise<string> {
  const { body } = readDocument(text);
  const head = text.slice(0, text.length - body.length);
  const markdown = body.replaceAll('\r\n', '\n');
  const settled = merged.changes.filter((change) => !change.isConflict);
  const written = new Map<readonly string[], string>();
  for (const { blocks } of merged.changes) written.set(blocks, await markdownOf(blocks, source.path, composed, run));
  const write = (blocks: readonly string[]): string => written.get(blocks) ?? '';
  const wanted = String(fileKeysOf(merged));
  for (const patches of [true, false]) {
    const candidate = rewriteMarkdown(markdown, merged.blocks, settled, { write, patches });
    const isRight = candidate !== undefined && wanted === String(await keysIn({ ...source, body: candidate }, run));
    const whole = isRight ? rewriteMarkdown(markdown, merged.blocks, merged.changes, { write, patches }) : undefined;
    if (whole !== undefined) return head + (text.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole);
  }
  // A text whose blocks cannot be found is written anew as a whole, in the form of an export.
  return postFile({ ...stored, ...merged.post }, run.exporting);
}

const keysIn = async (source: Source, { convert }: Run): Promise<string[]> =>
  blocksIn((await convert(source)).post.content).map(blockKey);

/** Returns the keys of the file's blocks after the changes that are no conflict. */
function fileKeysOf({ blocks, changes }: MergedPost): string[] {
  const keys: string[] = [];
  let at = 0;
  for (const { file, blocks: others, isConflict } of changes) {
    keys.push(
      ...blocks.slice(at, file[0]).map(blockKey),
      ...(isConflict ? blocks.slice(...file) : others).map(blockKey),
    );
    at = file[1];
  }
  return [...keys, ...blocks.slice(at).map(blockKey)];
}

async function markdownOf(blocks: readonly string[], path: string, composed: Composed, run: Run): Promise<string> {
  let html = blocks.join('\n');
  const known = run.exporting.pictures;
  for (const [id, name] of composed.pictureNames) if (!known.has(id)) known.set(id, name);
  html = await withOwnPaths(html, run.exporting);
  const up = relative(dirname(path), '') || '.';
  return writeText(html.replace(/(?<=(?:src|href)=")\.\.\//g, `${up}/`)).body.trimEnd();
}

async function pathTo(id: string, path: string, composed: Composed, run: Run): Promise<string | undefined> {
  const [, found] = /src="([^"]*)"/.exec(await markdownOf([`<p><img src="${id}"></p>`], path, composed, run)) ?? [];
  return found;
}
