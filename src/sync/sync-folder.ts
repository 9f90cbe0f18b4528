import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SyncedFiles } from '#backend/server-key/synced-files.ts';
import type { OwnPosts } from '#backend/session/own-posts.ts';
import { OperatorError } from '#blog/errors.ts';
import { CONTENT_MAX } from '#blog/forms/forms.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import type { Site } from '#blog/site.ts';
import { openArchive } from '#transfer/archive.ts';
import { headOf, isSilentDraft, textOf } from '#transfer/markdown/import.ts';
import { createLinks } from '#transfer/markdown/links.ts';
import { createVault, followByName } from '#transfer/markdown/obsidian-vault.ts';
import { readSources, type Source } from '#transfer/markdown/sources.ts';
import type { Work } from '#transfer/markdown-export/export.ts';
import { type Composed, compose } from '#transfer/write/compose.ts';
import { hashOf, NOTES, openAgreements, placeIn, writeWhole } from './agreements.ts';
import { blocksIn } from './blocks.ts';
import { copyOf, isConflictCopy, isEvicted } from './cloud-copies.ts';
import { blockKey } from './merge-post.ts';
import { type Pair, pairFiles } from './pair-files.ts';
import { endsRun, explained, reasonOf } from './reasons.ts';
import { recordFile } from './record-files.ts';
import type { SourceCache } from './source-cache.ts';
import { type Run, type SyncPairOptions, type SyncResult, syncPair, UNSAID } from './sync-pair.ts';

export interface SyncOptions extends SyncPairOptions {
  /** Identifies the blog. A folder is synced with only one blog. */
  readonly blog: string;
  readonly site: Site;
  /** True to sync even if so many files have changed or are gone that a mistake is likely. */
  readonly isSure?: boolean;
  /** Returns the sync records of the folder's files. The post form shows these records. */
  readonly syncedFiles?: OwnPosts['syncedFiles'];
  /** True to count new files towards the limit for changed files. */
  readonly boundsNew?: boolean;
  /** Returns false if the files may have changed while they were read. The run then writes nothing and rejects. */
  readonly isConsistent?: () => boolean;
  /** Caches files between runs. */
  readonly cache?: SourceCache;
  readonly onResult?: (result: SyncResult) => void;
}

/**
 * The run stops if more than `MOST_CHANGED` files have changed, or if more than `MOST_GONE` or all of the files or
 * posts are gone (unless there is only one), because a git branch or a disk has probably been switched.
 */
const [MOST_CHANGED, MOST_GONE] = [100, 10];
const SAVED_EVERY = 25;

/**
 * Syncs the folder. Returns the results, except for posts that needed no change. Can be interrupted at any time.
 * @throws OperatorError if the blog does not respond, the disk is full, or too much has changed
 */
export const syncFolder = (options: SyncOptions): Promise<SyncResult[]> =>
  syncAll(options).catch((error: unknown) => {
    throw explained(error);
  });

async function syncAll(options: SyncOptions): Promise<SyncResult[]> {
  const { directory, whole, dryRun, onResult } = options;
  const { posts: agreed, folder, isVault, save } = await openAgreements(directory, options.blog);
  const archive = await openArchive(directory);
  if (!dryRun) await access(dirname(await placeIn(directory, join(NOTES, 'any'))), constants.W_OK);
  const read = await readSources(archive, undefined, options.cache?.known);
  options.cache?.remember(read.sources);
  const paths = new Set(Array.from(agreed.values(), ({ path }) => path));
  const isCopy = ({ path }: Source) => isConflictCopy(path) && !paths.has(path);
  const sources = read.sources.filter((source) => !isCopy(source));
  const others = [
    ...read.others,
    ...read.sources.filter(isCopy).map(({ path }) => ({ path, reason: copyOf('a file'), failed: false })),
    ...evictedFrom(directory, paths.difference(new Set(read.sources.map(({ path }) => path)))),
  ];
  const versions = await whole.versions();
  const found = createVault(archive);
  // Keeps a vault's notes as drafts even after Obsidian's settings have disappeared from the folder.
  const vault = { ...found, isMarked: found.isMarked || isVault };
  const follow = followByName(createLinks(sources, archive), vault);
  const slugs = new Map<string, string>();
  const addresses = new Map<string, string>();
  const how = { site: options.site, links: { follow }, slugs, addresses };
  const convert = (source: Source): Promise<Composed> =>
    checkLength(source).then(() => compose(headOf(source, vault), textOf(source, undefined, vault), how));
  const keysOf = async (source: Source, slug: string): Promise<string[]> => {
    slugs.set(source.path, slug);
    return blocksIn((await convert(source)).post.content).map(blockKey);
  };
  const isPost = async ({ fields, body }: Source, slug: string): Promise<boolean> => {
    const post = await options.admin.post(slug);
    return fields.own !== undefined || headOf({ path: '', text: '', body, fields }).titles.includes(post?.title ?? '');
  };
  const unread = new Set(others.map(({ path }) => path));
  const known = new Set(versions.keys());
  const { pairs, copies } = await pairFiles(sources, { agreed, unread, slugs: known, keysOf, isPost });
  for (const { slug, source, agreed: former } of pairs) {
    if (!source) continue;
    // Keeps public posts public when the folder becomes a vault by being opened in Obsidian.
    if (!isVault && former?.fields.status === '"active"' && isSilentDraft(source, vault))
      former.own = { status: UNSAID, ...former.own };
    slugs.set(source.path, slug);
    addresses.set(source.path, addressOfPost({ ...source.fields.others, id: slug }));
  }
  if (options.isConsistent?.() === false) throw new OperatorError(`${directory} changed while it was read.`);
  if (!options.isSure && !dryRun) refuseMany(pairs, unread, known, options.boundsNew);
  const results: SyncResult[] = [];
  const add = (result: SyncResult) => {
    if (result.action === 'equal') return;
    results.push(result);
    onResult?.(result);
  };
  for (const { path, original } of copies) others.push({ path, reason: copyOf(original), failed: false });
  for (const { path, reason, failed } of others) add({ path, action: failed ? 'failed' : 'skipped', notes: [reason] });
  const put: string[] = [];
  const run: Run = {
    ...{ ...options, agreed, convert, put },
    isSilentDraft: (source) => isSilentDraft(source, vault),
    exporting: exportingTo(options, put),
    uploaded: new Set(),
    records: options.syncedFiles?.(folder),
  };
  /** Stops updating records after the first failure. The sync continues, and the next run adds the missing records. */
  const recording = async (work: (records: SyncedFiles) => Promise<unknown>) => {
    if (!run.records || dryRun) return;
    try {
      await work(run.records);
    } catch (error) {
      run.records = undefined;
      const reason =
        error instanceof OperatorError
          ? error.message
          : `the post form may not show all synced files: ${reasonOf(error)}`;
      add({ path: NOTES, action: 'skipped', notes: [reason] });
    }
  };
  await recording(async (records) => {
    if (!(await records.load())) run.records = undefined;
  });
  let unsaved = 0;
  try {
    for (const pair of pairs) {
      // A file that currently cannot be read does not count as deleted, because an editor may be rewriting it.
      if (!pair.source && unread.has(pair.agreed?.path ?? '')) continue;
      const { slug, source } = pair;
      const before = agreed.get(slug);
      const result = await syncPair(pair, versions.get(slug), run).catch((error: unknown): SyncResult => {
        if (endsRun(error)) throw error;
        const path = source?.path ?? pair.agreed?.path ?? slug;
        return { path, slug, action: 'failed', notes: [reasonOf(error)] };
      });
      add(result);
      const now = agreed.get(slug);
      if (result.action !== 'failed' && result.action !== 'skipped')
        await recording((records) => {
          const state = { isNew: now !== before, isConflict: result.action === 'conflict' };
          return recordFile({ ...run, records, slug, source, agreed: now, ...state });
        });
      if (result.action !== 'equal') unsaved++;
      // Saves less often if there are many agreements, because each save writes all of them.
      if (!dryRun && unsaved >= Math.max(SAVED_EVERY, agreed.size / 10)) {
        await save(vault.isMarked);
        unsaved = 0;
      }
    }
  } finally {
    if (!dryRun) await save(vault.isMarked);
    await archive.close();
  }
  return results;
}

const evictedFrom = (directory: string, missing: ReadonlySet<string | null>) =>
  [...missing].flatMap((path) =>
    path !== null && isEvicted(directory, path)
      ? [{ path, reason: 'it is in iCloud only: download it to sync it', failed: false }]
      : [],
  );

/** Rejects a text that would take many seconds to convert in each run, and would be too long for a post anyway. */
async function checkLength({ body }: Source): Promise<void> {
  if (body.length > 2 * CONTENT_MAX)
    throw new OperatorError(`it has ${body.length} characters, but a post may have at most ${CONTENT_MAX}: split it`);
}

/** @throws OperatorError if suspiciously many files have changed, or suspiciously many files or posts are gone */
function refuseMany(
  pairs: readonly Pair[],
  unread: ReadonlySet<string>,
  slugs: ReadonlySet<string>,
  boundsNew = false,
): void {
  const known = pairs.filter(({ agreed }) => agreed && agreed.path !== null);
  const count = (test: (pair: Pair) => boolean) => known.filter(test).length;
  const isMany = (gone: number) => gone > MOST_GONE || (gone > 1 && gone === known.length);
  const files = count(({ source, agreed }) => !source && !unread.has(agreed?.path ?? ''));
  const posts = count(({ source, slug }) => source !== undefined && !slugs.has(slug));
  const fresh = boundsNew ? pairs.filter(({ source, agreed }) => source && !agreed).length : 0;
  const changed = count(({ source, agreed }) => source !== undefined && agreed?.file !== hashOf(source.text)) + fresh;
  if (isMany(files))
    throw new OperatorError(`${files} of ${known.length} files are gone. Add --yes to unpublish their posts.`);
  if (isMany(posts))
    throw new OperatorError(
      `${posts} of ${known.length} posts are gone: is this the right blog? Add --yes to put their files aside.`,
    );
  if (changed > MOST_CHANGED)
    throw new OperatorError(
      `${changed} of ${known.length + fresh} files have changed since the last run. Add --yes to sync them.`,
    );
}

function exportingTo({ directory, whole, site, dryRun }: SyncOptions, written: string[]): Work {
  const put = async (path: string, bytes: Buffer): Promise<void> => {
    if (dryRun || (await readFile(join(directory, path)).catch(() => undefined))?.equals(bytes)) return;
    await writeWhole(await placeIn(directory, path), bytes);
    written.push(path);
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
