/** The import itself: every file of a folder becomes a post, or is named with the reason why it does not. */

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Admin } from '#backend/admin.ts';
import { faultOf } from '#blog/errors.ts';
import type { Post } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { REDIRECTS_FILE, withRedirects } from '#publishing/redirects.ts';
import { type Composed, compose } from './compose.ts';
import { fingerprint, type Ledger, openLedger, postFingerprint } from './ledger.ts';
import { createLinks } from './links.ts';
import { assignSlugs } from './slugs.ts';
import { readSources, type Source } from './sources.ts';

export type Outcome = 'taken' | 'updated' | 'unchanged' | 'skipped' | 'failed';

export interface Result {
  readonly path: string;
  readonly outcome: Outcome;
  /** Of the post; undefined where there is none. */
  readonly slug?: string;
  /** Why it was skipped or failed. */
  readonly reason?: string;
  /** Its words alone were taken. */
  readonly isCut?: true;
  readonly notes: readonly string[];
}

export interface ImportOptions {
  readonly folder: string;
  readonly admin: Admin;
  readonly site: Site;
  /** Posts become this user's. */
  readonly userId: string;
  readonly dataDirectory: string;
  readonly oldSite?: string | undefined;
  /** Called after each file. */
  readonly onResult?: (result: Result, done: number, all: number) => void;
}

/** Runs any number of times: what is stored already and is the same stays untouched, and no post is ever overwritten that was edited here or that came from elsewhere. */
export async function importMarkdown(options: ImportOptions): Promise<Result[]> {
  const { folder, site, userId, onResult } = options;
  const { sources, others } = await readSources(folder);
  const place = [site.projectId, site.databaseId, site.collectionId, userId, resolve(folder)];
  const ledger = await openLedger(options.dataDirectory, place.join('\n'));
  const slugs = await settleSlugs(sources, ledger, options);
  const links = createLinks(sources, { folder, oldSite: options.oldSite });
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    onResult?.(result, results.length, sources.length + others.length);
  };
  for (const { path, reason, failed } of others)
    add({ path, outcome: failed ? 'failed' : 'skipped', reason, notes: [] });
  try {
    for (const source of sources) add(await takeOne(source, { ...options, slugs, links, ledger }));
  } finally {
    await ledger.save();
    await rememberAddresses(sources, results, options.dataDirectory);
  }
  return results;
}

/** The server, and an export, send readers of the old addresses to the posts. */
async function rememberAddresses(
  sources: readonly Source[],
  results: readonly Result[],
  dataDirectory: string,
): Promise<void> {
  const slugs = new Map(results.map(({ path, outcome, slug }) => [path, /skipped|failed/.test(outcome) ? '' : slug]));
  const pages = sources.flatMap(({ path, fields }) => {
    const slug = slugs.get(path);
    return slug ? fields.addresses.map((from) => ({ from, to: postPath(slug) })) : [];
  });
  const file = join(dataDirectory, REDIRECTS_FILE);
  const before = existsSync(file) ? await readFile(file, 'utf8') : '';
  const after = withRedirects(before, pages);
  if (after === before) return;
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(`${file}.new`, after);
  await rename(`${file}.new`, file);
}

/** The slugs of all sources before the first is written, because posts link to each other. */
async function settleSlugs(
  sources: readonly Source[],
  ledger: Ledger,
  { admin, userId }: ImportOptions,
): Promise<Map<string, string>> {
  const known = new Set(Array.from(ledger.entries.values(), ({ slug }) => slug));
  const fresh = sources.filter(({ path }) => !ledger.entries.has(path));
  const named = fresh.map((source) => ({ path: source.path, name: source.fields.name, source }));
  const slugs = await assignSlugs(named, async (slug, wanting) => {
    if (known.has(slug)) return undefined;
    const stored = await admin.post(slug);
    return stored ? wanting.find(({ source }) => isSame(stored, source, userId)) : wanting[0];
  });
  for (const { path } of sources) {
    const entry = ledger.entries.get(path);
    if (entry) slugs.set(path, entry.slug);
  }
  return slugs;
}

/** True where what is stored must be what an earlier import made of this source: same author, same date or title. */
function isSame(stored: Post, { fields, body }: Source, userId: string): boolean {
  if (stored.userId !== userId) return false;
  if (fields.date) return new Date(stored.createdAt).getTime() === new Date(fields.date).getTime();
  const heading = /^\s*#\s+(.+)/.exec(body)?.[1];
  return [fields.title, heading?.replace(/[*_`]/g, '').trim(), fields.name].includes(stored.title);
}

interface Run extends ImportOptions {
  readonly slugs: ReadonlyMap<string, string>;
  readonly links: ReturnType<typeof createLinks>;
  readonly ledger: Ledger;
}

async function takeOne(source: Source, run: Run): Promise<Result> {
  const { path } = source;
  try {
    const composed = await compose(source, run);
    const { outcome, reason } = await store(source, composed, run);
    // With a reason, what is stored is not what was composed.
    const isCut = composed.isCut && !reason;
    const notes = composed.notes;
    return { path, outcome, slug: composed.post.id, ...(reason && { reason }), ...(isCut && { isCut }), notes };
  } catch (error) {
    // Readers of Markdown and HTML go into each level of it.
    const reason = error instanceof RangeError ? 'it has too many levels inside of each other' : faultOf(error).message;
    return { path, outcome: 'failed', reason: reason || String(error), notes: [] };
  }
}

async function store(source: Source, composed: Composed, run: Run): Promise<{ outcome: Outcome; reason?: string }> {
  const { admin, userId, ledger } = run;
  const post = { ...composed.post, userId };
  const wanted = postFingerprint(post);
  const stored = await admin.post(post.id);
  const entry = ledger.entries.get(source.path);
  const remember = () =>
    ledger.entries.set(source.path, { slug: post.id, source: fingerprint(source.text), stored: wanted });
  if (!stored) {
    await upload(composed, run);
    await admin.createPost(post);
    remember();
    return { outcome: 'taken' };
  }
  const found = postFingerprint(stored);
  if (found === wanted) {
    await upload(composed, run);
    remember();
    return { outcome: 'unchanged' };
  }
  if (!entry) return { outcome: 'skipped', reason: `a post "${post.id}" is there already and differs from this file` };
  if (entry.source === fingerprint(source.text) && entry.stored !== found)
    return { outcome: 'unchanged', reason: 'it was edited here since it was imported' };
  if (entry.stored !== found)
    return { outcome: 'skipped', reason: 'both this file and the post were changed since the last import' };
  await upload(composed, run);
  await admin.updatePost(post);
  for (const { fileId } of composed.pictures) await admin.shareFile(fileId, post.status, userId);
  remember();
  return { outcome: 'updated' };
}

/** Pictures before the post, so that no reader finds a hole. */
async function upload({ pictures, post }: Composed, { admin, userId }: Run): Promise<void> {
  for (const { fileId, name, bytes } of pictures) {
    if (await admin.hasFile(fileId)) continue;
    await admin.uploadFile({ id: fileId, name, bytes: await bytes(), status: post.status, userId });
  }
}
