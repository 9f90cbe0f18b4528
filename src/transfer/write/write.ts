import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { filesNamedIn } from '#backend/keyed-backend.ts';
import type { Admin } from '#backend/server-key/admin.ts';
import { faultOf } from '#blog/errors.ts';
import type { ImportEntry, ImportOutcome } from '#blog/import.ts';
import { filePermissions } from '#blog/permissions.ts';
import { isPage, type Post } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import type { Site } from '#blog/site.ts';
import { REDIRECTS_FILE, withRedirects } from '#redirects/redirects-file.ts';
import { type Repair, repairText } from '../decode-text.ts';
import type { Collection, PostHead, PostText } from '../document.ts';
import { type Composed, compose } from './compose.ts';
import { fingerprint, type Ledger, openLedger, postFingerprint } from './ledger.ts';
import { assignSlugs } from './slugs.ts';

export interface Result extends ImportEntry {
  readonly pictures?: number;
  readonly isCut?: true;
}

export interface WriteOptions {
  readonly admin: Admin;
  readonly site: Site;
  /** Id of the user who becomes the author of all posts. Without it, posts keep their original authors. */
  readonly userId?: string | undefined;
  readonly dataDirectory: string;
  /** Identifies the source in the ledger: its path, its `--source` name, or the format and origin of an upload. */
  readonly place: string;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Maximum milliseconds for one text (default: `TEXT_MS`). */
  readonly longestMs?: number | undefined;
  readonly onResult?: ((result: Result, done: number, all: number) => void) | undefined;
}

/** Writes all posts. Can be repeated: it never overwrites posts that were edited here or came from another source. */
export async function writePosts(collection: Collection, options: WriteOptions): Promise<Result[]> {
  const { site, userId, onResult, dryRun } = options;
  const { posts, others } = collection;
  const place = [site.projectId, site.databaseId, site.collectionId, userId ?? '', options.place];
  const ledger = await openLedger(options.dataDirectory, place.join('\n'));
  const userIds = await settlePeople(posts, options);
  const slugs = await settleSlugs(posts, ledger, { ...options, userIds });
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    onResult?.(result, results.length, Math.max(results.length, posts.length + others.length));
  };
  for (const { path, reason, failed } of others)
    add({ path, outcome: failed ? 'failed' : 'skipped', reason, notes: [] });
  const heads = new Map(posts.map((head) => [head.path, head]));
  const addresses = new Map(posts.map((head) => [head.path, addressOf(head, slugs.get(head.path) ?? '')]));
  const run: Run = { ...options, slugs, addresses, links: collection, ledger, userIds, uploaded: new Set() };
  let unsaved = 0;
  try {
    for await (const text of collection.texts()) {
      if (options.signal?.aborted) break;
      const head = heads.get(text.path);
      if (!head) continue;
      heads.delete(text.path);
      const result: Result =
        'error' in text
          ? { path: text.path, outcome: 'failed', reason: reasonOf(text.error), notes: [] }
          : await takeOne(head, withRepairs(text, collection), run);
      if (options.signal?.aborted && result.outcome === 'failed') break;
      add(result);
      unsaved += 1;
      // Saves a large ledger less often, because each save writes all of it. If a crash loses entries, the next import
      // still recognises their posts and adds the entries again.
      if (unsaved >= Math.max(SAVED_EVERY, ledger.entries.size / 10) && !dryRun) {
        await ledger.save();
        unsaved = 0;
      }
      // Yields to the event loop so that signals are handled. Otherwise, a run of immediate failures would block it.
      await setImmediate();
      if (options.signal?.aborted) break;
    }
  } finally {
    if (!dryRun) {
      await ledger.save();
      await rememberAddresses(collection, results, options.dataDirectory);
    }
  }
  if (!options.signal?.aborted) {
    for (const { path } of heads.values())
      add({ path, outcome: 'failed', reason: 'the export ends before the text of this post', notes: [] });
    for (const [file, repairs] of Map.groupBy(collection.repairs?.take() ?? [], (repair) => repair.file))
      add({ path: file, outcome: 'skipped', reason: 'problems outside of its posts', ...reportOf(repairs) });
  }
  return results;
}

function reportOf(repairs: readonly Repair[]): Pick<PostText, 'notes' | 'losses'> {
  const { true: lost = [], false: noted = [] } = Object.groupBy(repairs, ({ isLoss }) => `${isLoss}`);
  return { notes: noted.map(repairText), losses: lost.map(repairText) };
}

function withRepairs(text: PostText, { repairs }: Collection): PostText {
  const { notes, losses } = reportOf(repairs?.take(text.place ?? { file: text.path }) ?? []);
  return { ...text, notes: [...notes, ...text.notes], losses: [...losses, ...text.losses] };
}

const SAVED_EVERY = 50;

/** Creates missing accounts, with no password. Returns user ids by person key. @throws Error if a post has no author */
async function settlePeople(posts: readonly PostHead[], options: WriteOptions): Promise<Map<string, string>> {
  const { admin, userId, place, dryRun } = options;
  const userIds = new Map<string, string>();
  if (userId !== undefined) return userIds;
  for (const { path, author } of posts) {
    if (!author) throw new Error(`${path} names no author. Choose one for all posts: --author EMAIL.`);
    if (userIds.has(author.key)) continue;
    // Derives the id from the source and the key, so that each run finds the account of a person without an email.
    const id = author.id ?? fingerprint(`${place}\0${author.key}`);
    const known = (author.email && (await admin.authorByEmail(author.email))?.id) || ((await admin.hasUser(id)) && id);
    if (!known && !dryRun) await admin.createByline({ id, name: author.name, email: author.email });
    userIds.set(author.key, known || id);
  }
  return userIds;
}

async function rememberAddresses(
  { posts, redirects = [] }: Collection,
  results: readonly Result[],
  dataDirectory: string,
): Promise<void> {
  const slugs = new Map(results.map(({ path, outcome, slug }) => [path, /skipped|failed/.test(outcome) ? '' : slug]));
  const pages = posts.flatMap((head) => {
    const slug = slugs.get(head.path);
    return slug ? head.addresses.map((from) => ({ from, to: addressOf(head, slug) })) : [];
  });
  const file = join(dataDirectory, REDIRECTS_FILE);
  const before = existsSync(file) ? await readFile(file, 'utf8') : '';
  const after = withRedirects(before, [...pages, ...redirects]);
  if (after === before) return;
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(`${file}.new`, after);
  await rename(`${file}.new`, file);
}

const addressOf = ({ others }: PostHead, slug: string): string => addressOfPost({ ...others, id: slug });

type People = Pick<Run, 'userId' | 'userIds'>;

const ownerOf = ({ author }: PostHead, { userId, userIds }: People): string =>
  userId ?? userIds.get(author?.key ?? '') ?? '';

/** Chooses all slugs before the first post is written, because posts link to each other. */
async function settleSlugs(
  posts: readonly PostHead[],
  ledger: Ledger,
  { admin, ...people }: WriteOptions & People,
): Promise<Map<string, string>> {
  const known = new Set(Array.from(ledger.entries.values(), ({ slug }) => slug));
  const fresh = posts.filter(({ path }) => !ledger.entries.has(path));
  const slugs = await assignSlugs(fresh, async (slug, wanting) => {
    if (known.has(slug)) return undefined;
    const stored = await admin.post(slug);
    return stored ? wanting.find((head) => isSame(stored, head, ownerOf(head, people))) : wanting[0];
  });
  for (const { path } of posts) {
    const entry = ledger.entries.get(path);
    if (entry) slugs.set(path, entry.slug);
  }
  return slugs;
}

function isSame(stored: Post, { date, titles }: PostHead, userId: string): boolean {
  if (stored.userId !== userId) return false;
  if (date) return new Date(stored.createdAt).getTime() === new Date(date).getTime();
  return titles.includes(stored.title);
}

interface Run extends WriteOptions {
  readonly slugs: ReadonlyMap<string, string>;
  readonly addresses: ReadonlyMap<string, string>;
  readonly links: Collection;
  readonly userIds: ReadonlyMap<string, string>;
  readonly ledger: Ledger;
  readonly uploaded: Set<string>;
}

async function takeOne(head: PostHead, text: PostText, run: Run): Promise<Result> {
  const { path } = head;
  try {
    const composed = await compose(head, text, run);
    const { outcome, reason } = await store(head, text, composed, run);
    const isCut = composed.isCut && !reason;
    const { notes, losses } = composed;
    return {
      path,
      outcome,
      slug: composed.post.id,
      ...(isPage(composed.post) && { address: addressOfPost(composed.post) }),
      title: composed.post.title,
      ...(reason && { reason }),
      ...(composed.pictures.length > 0 && !reason && { pictures: composed.pictures.length }),
      ...(isCut && { isCut }),
      notes,
      ...(losses.length > 0 && !reason && { losses }),
    };
  } catch (error) {
    return { path, outcome: 'failed', reason: reasonOf(error), notes: [] };
  }
}

/** Treats a RangeError as a stack overflow, because the parsers of Markdown and HTML are recursive. */
const reasonOf = (error: unknown): string =>
  error instanceof RangeError
    ? 'it is nested too deeply'
    : faultOf(error).message || (error instanceof Error ? error.message : '') || String(error);

async function store(
  head: PostHead,
  text: PostText,
  composed: Composed,
  run: Run,
): Promise<{ outcome: ImportOutcome; reason?: string }> {
  const { admin, ledger, dryRun } = run;
  const userId = ownerOf(head, run);
  const post = { ...composed.post, userId };
  const wanted = postFingerprint(post);
  const stored = await admin.post(post.id);
  const entry = ledger.entries.get(head.path);
  const remember = () =>
    ledger.entries.set(head.path, { slug: post.id, source: fingerprint(text.source), stored: wanted });
  const found = stored && postFingerprint(stored);
  if (!stored || found === wanted) {
    const outcome = stored ? 'unchanged' : 'taken';
    if (dryRun) return { outcome };
    await upload(composed, userId, run);
    if (!stored) await admin.createPost(post);
    remember();
    return { outcome };
  }
  if (!entry) return { outcome: 'skipped', reason: `a post “${post.id}” already exists and differs from this file` };
  if (entry.source === fingerprint(text.source) && entry.stored !== found)
    return { outcome: 'unchanged', reason: 'it has been edited here since it was imported' };
  if (entry.stored !== found)
    return { outcome: 'skipped', reason: 'both this file and the post have changed since the last import' };
  if (composed.lacksPictures && wouldLosePictures(stored, composed)) {
    const reason = 'some of its pictures could not be downloaded this time, so the post was left as it is';
    return { outcome: entry.source === fingerprint(text.source) ? 'unchanged' : 'skipped', reason };
  }
  if (dryRun) return { outcome: 'updated' };
  await upload(composed, userId, run);
  await admin.updatePost(post, stored);
  const shown = composed.pictures.map(({ fileId }) => fileId);
  if (post.status === 'inactive') await admin.hideFiles(shown, userId);
  remember();
  return { outcome: 'updated' };
}

/** Returns the ids of all files that the post references. */
export const ownPictures = ({ featuredImage, content }: Pick<Post, 'featuredImage' | 'content'>): Set<string> =>
  new Set([featuredImage, ...filesNamedIn(content)].filter(Boolean));

/** Returns true if the stored post has pictures that the new values lack. */
export const wouldLosePictures = (
  stored: Pick<Post, 'featuredImage' | 'content'>,
  { post }: { readonly post: Pick<Post, 'featuredImage' | 'content'> },
): boolean => ownPictures(stored).difference(ownPictures(post)).size > 0;

/** Uploads a post's missing pictures, and makes the pictures of a published post public. */
export async function upload(
  { pictures, post }: Pick<Composed, 'pictures' | 'post'>,
  userId: string,
  { admin, uploaded }: { admin: Pick<Admin, 'permissionsOf' | 'uploadFile' | 'shareFile'>; uploaded: Set<string> },
): Promise<void> {
  const { status } = post;
  const ofDraft = String(filePermissions('inactive', userId).sort());
  for (const { fileId, name, bytes } of pictures) {
    const there = await admin.permissionsOf(fileId);
    if (!there) {
      uploaded.add(fileId);
      await admin.uploadFile({ id: fileId, name, bytes: await bytes(), status, userId });
      continue;
    }
    // A draft's picture becomes public once a published post shows it, unless the picture belongs to another user.
    const isOurs = uploaded.has(fileId) || String(there.toSorted()) === ofDraft;
    if (isOurs && status === 'active') await admin.shareFile(fileId, status, userId);
  }
}
